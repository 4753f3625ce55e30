"""Parameters at one of whose values one decides: fidelities and sources. At others a look is cheaper, and says less.

A fidelity is a number: epochs, a mesh, a share of the data. A source is a name: a simulation, a pilot plant. Each
source other than the target has a column of its own, 1 there and 0 elsewhere, with a length scale of its own: how much
it has to do with the target is learned for each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from knowgrad.checked import is_number
from knowgrad.errors import ArgumentError, KnowgradError, SpaceError
from knowgrad.space.conditions.when import read_when
from knowgrad.space.coordinates import FloatArray, Parameter, store
from knowgrad.space.numeric import Float, Int
from knowgrad.space.parameters import Choice
from knowgrad.space.scalars import Scalar, finite
from knowgrad.text import shown

APART = 0.1  # from the target to another source, in its column: less than the ends of a range, for they are relatives
LEAST = 0.01  # of what the target costs, where a fidelity of zero would cost nothing


class Graded(Parameter):
    """What is asked of both kinds."""

    target: Any

    def prices(self, block: FloatArray) -> FloatArray:
        """What a look costs at columns (…, width), in units of what one at the target costs, if nobody says so."""
        raise NotImplementedError

    def cheap(self) -> list[Scalar]:
        """Values at which to begin, the cheapest first; the target alone if there is no other."""
        raise NotImplementedError


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

    def prices(self, block: FloatArray) -> FloatArray:
        u = np.clip(block[..., 0], 0.0, 1.0)
        low, high = float(self.low), float(self.high)
        value = low * (high / low) ** u if self.nonlinear else low + u * (high - low)
        if low > 0.0:
            share = value / self.target if self.target > low else self.target / value
        else:
            share = (value - low) / (self.target - low) if self.target > low else 1.0 - (value - low) / (high - low)
        return np.asarray(np.maximum(share, LEAST if low <= 0.0 else 0.0))

    def cheap(self) -> list[Scalar]:
        """The cheapest, and half way to the target on the parameter's own scale."""
        end = float(self.place(self.position(self.target))[..., 0])
        start = 0.0 if end > 0.0 else 1.0
        places = [start, 0.5 * (start + end)]
        values = [self.value(float(self.locate(np.array([place])))) for place in places]
        return list(dict.fromkeys(value for value in values if value != self.target))


@dataclass(frozen=True, repr=False)
class IntFidelity(_Numbered, Int):
    """A fidelity that is a whole number."""

    _: KW_ONLY
    target: Any = None

    def __post_init__(self) -> None:
        Int.__post_init__(self)
        _target(self)

    def describe(self) -> dict[str, Any]:
        return {**Int.describe(self), "type": "fidelity", "target": self.target}

    def __repr__(self) -> str:
        return _shown(self)


@dataclass(frozen=True, repr=False)
class FloatFidelity(_Numbered, Float):
    """A fidelity that is a real number."""

    _: KW_ONLY
    target: Any = None

    def __post_init__(self) -> None:
        Float.__post_init__(self)
        _target(self)

    def describe(self) -> dict[str, Any]:
        return {**Float.describe(self), "type": "fidelity", "target": self.target}

    def __repr__(self) -> str:
        return _shown(self)


def _shown(fidelity: Any) -> str:
    log = ", log=True" if fidelity.log else ""
    step = "" if fidelity.step in (None, 1) and not isinstance(fidelity.step, float) else f", step={fidelity.step}"
    target = "" if fidelity.target == fidelity.high else f", target={fidelity.target}"
    return f"Fidelity({fidelity.low}, {fidelity.high}{log}{step}{target})"


def Fidelity(
    low: float,
    high: float,
    *,
    log: bool = False,
    step: float | None = None,
    target: float | None = None,
    when: Any = None,
) -> Graded:
    """How good a look is, from low to high: whole numbers if both are, else real ones.

    Suggestions choose it; recommendations are at the `target`, the high end unless said. `log` where it is the ratio of
    two fidelities that counts. What a look costs is in proportion to it, unless the study has a `cost` or learns one.
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


@dataclass(frozen=True, repr=False)
class Source(Graded, Choice):
    """Where a result comes from: the `target`, which one decides about, or one of its relatives.

    Relatives are biased, and how closely they follow the target is learned, as is their noise. `cost`: what a look at
    each costs, a mapping or a list in their order; else the study's `cost`, or what trials have cost.
    """

    _: KW_ONLY
    target: Any = None
    cost: Any = None

    def __post_init__(self) -> None:
        if self.features is not None or read_when(self.when) is not None:
            raise SpaceError("Source takes neither features nor when; leave them out")
        Choice.__post_init__(self)
        if self.target is None and len(self.options) > 1:
            raise SpaceError(
                f"Source needs a target, the source that one decides about, one of {shown(list(self.options))}; pass "
                f"target={shown(self.options[-1])}, say"
            )
        try:
            store(self, target=self.options[0] if len(self.options) == 1 else self.check(self.target))
        except SpaceError as error:
            raise SpaceError(f"Source: target: {error}") from None
        store(self, width=max(len(self.options) - 1, 1), cost=_costs(self.cost, self.options))

    @property
    def _others(self) -> list[int]:
        return [k for k, option in enumerate(self.options) if k != self.options.index(self.target)]

    @property
    def parts(self) -> tuple[int, ...]:
        return (1,) * self.width

    def locate(self, block: FloatArray) -> FloatArray:
        others, home = np.array([*self._others, self.options.index(self.target)]), len(self._others)
        if not home:
            return np.zeros(block.shape[:-1])
        return np.asarray(
            others[np.where(block.max(axis=-1) > 0.5 * APART, np.argmax(block, axis=-1), home)], dtype=float
        )

    def place(self, coordinate: npt.ArrayLike) -> FloatArray:
        if not self._others:
            return np.zeros((*np.shape(coordinate), 1))
        return np.where(np.asarray(coordinate)[..., None] == np.array(self._others), APART, 0.0)

    def prices(self, block: FloatArray) -> FloatArray:
        if self.cost is None:
            return np.ones(block.shape[:-1])
        each = np.asarray(self.cost, dtype=float) / self.cost[self.options.index(self.target)]
        return np.asarray(each[self.locate(block).astype(np.intp)])

    def cheap(self) -> list[Scalar]:
        order = sorted(self._others, key=lambda k: 0.0 if self.cost is None else self.cost[k])
        return [self.options[k] for k in order]

    def describe(self) -> dict[str, Any]:
        told = {"type": "source", "options": list(self.options), "target": self.target}
        return told if self.cost is None else {**told, "cost": list(self.cost)}

    def __repr__(self) -> str:
        cost = "" if self.cost is None else f", cost={list(self.cost)}"
        return f"Source({list(self.options)!r}, target={self.target!r}{cost})"


def _costs(cost: Any, options: tuple[Scalar, ...]) -> tuple[float, ...] | None:
    """Of each option, in their order."""
    if cost is None:
        return None
    try:
        each = [cost[option] for option in options] if isinstance(cost, Mapping) else list(cost)
        found = tuple(finite(value, "Source: cost") for value in each)
    except (KeyError, TypeError, KnowgradError):
        found = ()
    if len(found) != len(options) or not all(value > 0.0 for value in found):
        raise SpaceError(
            f"Source: cost: expected a number above 0 for each of {shown(list(options))}, got {shown(cost)}; pass "
            f"cost={{{shown(options[0])}: 0.1, …}}"
        )
    return found


def graded(parameters: Mapping[str, Parameter]) -> dict[str, Graded]:
    """Those that are fidelities or sources."""
    return {name: each for name, each in parameters.items() if isinstance(each, Graded)}


class _Tried(Protocol):
    @property
    def params(self) -> Mapping[str, Any]: ...


T = TypeVar("T", bound=_Tried)


def decisive(trials: Sequence[T], space: Any) -> list[T]:
    """Those at the target of all fidelities and sources; all of them, where none is."""
    at = {name: each.target for name, each in graded(space.parameters).items()}
    found = [trial for trial in trials if all(trial.params[name] == value for name, value in at.items())]
    return found or list(trials)


def has_curves(space: Any) -> bool:
    """Is there one fidelity that is a number, so that a trial may report as it goes?"""
    return sum(not isinstance(each, Source) for each in graded(space.parameters).values()) == 1


def traced_parameter(space: Any) -> str:
    """The fidelity that learning curves run along: the only one that is a number."""
    found = [name for name, each in graded(space.parameters).items() if not isinstance(each, Source)]
    if len(found) == 1:
        return found[0]
    raise ArgumentError(
        f"report: expected a space with one kg.Fidelity, which the steps are of, got {shown(found)}; make the epochs a "
        "kg.Fidelity(1, 52), say"
    )
