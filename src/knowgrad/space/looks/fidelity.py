"""`Fidelity`: a parameter that says how good a look is, as a number: epochs, a mesh, a share of the data.

With `log=True` and the high end as target a model sees it as 1 / fidelity. A curve that settles down is nearly straight
there, and the process differs little between 27 epochs and 52. On a logarithmic scale it differs as much as between 1
and 2, which no learning curve does.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from knowgrad.checked import is_number
from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space.coordinates import FloatArray, store
from knowgrad.space.looks.graded import Graded, graded
from knowgrad.space.looks.source import Source
from knowgrad.space.numeric import Float, Int
from knowgrad.space.numeric.ranges import numeric_record, range_shown
from knowgrad.space.scalars import Scalar
from knowgrad.text import shown

LEAST = 0.01  # of what the target costs, where a fidelity of zero would cost nothing


def _target(parameter: Any) -> None:
    """The high end, unless another value is said."""
    if parameter.target is None:
        top = parameter.value(parameter.cells if parameter.cells < math.inf else 1.0)
        store(parameter, target=top)
        return
    try:
        store(parameter, target=parameter.check(parameter.target))
    except SpaceError as error:
        raise SpaceError(f"Fidelity: target: {error}; leave it out for the high end") from None


class _Numbered(Graded):
    """Costs are in proportion to the fidelity; where the low end is the target, in inverse proportion."""

    low: float
    high: float
    nonlinear: bool

    @property
    def decays(self) -> bool:
        """Is it seen as 1 / fidelity?"""
        return self.nonlinear and bool(self.target == self.high)

    def on_scale(self, number: Any) -> Any:
        if not self.decays:
            return super().on_scale(number)  # type: ignore[misc]
        return (1.0 - self.low / number) / (1.0 - self.low / self.high)

    def off_scale(self, unit: FloatArray) -> FloatArray:
        if not self.decays:
            return super().off_scale(unit)  # type: ignore[misc, no-any-return]
        return np.asarray(self.low / (1.0 - unit * (1.0 - self.low / self.high)))

    def prices(self, block: FloatArray) -> FloatArray:
        u = np.clip(block[..., 0], 0.0, 1.0)
        low, high = float(self.low), float(self.high)
        value = self.off_scale(u) if self.nonlinear else low + u * (high - low)
        if low > 0.0:
            share = value / self.target if self.target > low else self.target / value
        else:
            share = (value - low) / (self.target - low) if self.target > low else 1.0 - (value - low) / (high - low)
        return np.asarray(np.maximum(share, LEAST if low <= 0.0 else 0.0))

    def cheap(self) -> list[Scalar]:
        """The cheapest, and half way to the target, in ratios where the scale is not linear."""
        end = float(self.place(self.position(self.target))[..., 0])
        start = 0.0 if end > 0.0 else 1.0
        between = np.sqrt(self.off_scale(np.array(start)) * self.target) if self.nonlinear else None
        places = [start, 0.5 * (start + end) if between is None else float(self.on_scale(between))]
        values = [self.value(float(self.locate(np.array([place])))) for place in places]
        return list(dict.fromkeys(value for value in values if value != self.target))

    def describe(self) -> dict[str, Any]:
        return {**numeric_record(self, "fidelity"), "target": self.target}

    def __repr__(self) -> str:
        target = "" if self.target == self.high else f", target={self.target}"
        return f"Fidelity({range_shown(self)}{target})"


@dataclass(frozen=True, repr=False)
class IntFidelity(_Numbered, Int):
    """A fidelity that is a whole number."""

    _: KW_ONLY
    target: Any = None

    def __post_init__(self) -> None:
        Int.__post_init__(self)
        _target(self)


@dataclass(frozen=True, repr=False)
class FloatFidelity(_Numbered, Float):
    """A fidelity that is a real number."""

    _: KW_ONLY
    target: Any = None

    def __post_init__(self) -> None:
        Float.__post_init__(self)
        _target(self)


def Fidelity(
    low: float,
    high: float,
    *,
    log: bool = False,
    step: float | None = None,
    target: float | None = None,
    when: Any = None,
) -> Graded:
    """How close a measurement is to the target, from low to high: whole numbers if both are, else real ones.

    Suggestions choose it; recommendations are at the `target`, by default the high end. `log=True`: looks differ less
    and less towards that, as 1 / fidelity does; towards another target, by their ratio. The cost of a measurement is
    proportional to it, unless the study has a `cost` or learns one.
    """
    if when is not None:
        raise SpaceError(f"Fidelity exists everywhere, got when={shown(when)}; leave it out")
    bounds = [each for each in (low, high, step) if each is not None]
    if is_number(low) and low == high:
        return Source((low,), target=low)
    if all(isinstance(each, int | np.integer) and is_number(each) for each in bounds):
        whole: Any = (low, high), 1 if step is None else step
        return IntFidelity(*whole[0], log=log, step=whole[1], target=target)
    return FloatFidelity(low, high, log=log, step=step, target=target)


def has_curves(space: Any) -> bool:
    """Is there one fidelity that is a number, so that a trial may report as it goes?"""
    return sum(not isinstance(each, Source) for each in graded(space.parameters).values()) == 1


def traced_parameter(space: Any) -> str:
    """The fidelity that learning curves run along: the only one that is a number."""
    found = [name for name, each in graded(space.parameters).items() if not isinstance(each, Source)]
    if len(found) == 1:
        return found[0]
    raise ArgumentError(
        f"report: expected a space with one kg.Fidelity, whose values the steps are, got {shown(found)}; make epochs a "
        "kg.Fidelity(1, 52), say"
    )
