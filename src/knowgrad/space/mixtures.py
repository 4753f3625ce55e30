"""`Mixture`: components that add up to a total, all of them or at most some at a time, of any amount or in steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from knowgrad.errors import EmptyDomainError, SpaceError
from knowgrad.space.constraints import Linear
from knowgrad.space.coordinates import Parameter, store
from knowgrad.space.equalities import Equalities, ends
from knowgrad.space.numeric import Float
from knowgrad.space.scalars import finite, whole
from knowgrad.space.shapes.blend import Blend
from knowgrad.text import shown

FIELDS = ("names", "total", "at_most", "step")


@dataclass(frozen=True, repr=False)
class Mixture:
    """The components `names` add up to `total`; at most `at_most` of them are more than zero; amounts are multiples of
    `step`.

    It can be a whole space, one entry of it (under any name), or one of the constraints. A component that the space
    does not declare ranges from zero to the total.
    """

    names: tuple[str, ...]
    _: KW_ONLY
    total: float = 1.0
    at_most: int | None = None
    step: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.names, (str, Mapping, Set)) or not isinstance(self.names, Iterable):  # a set has no order
            raise SpaceError(f"Mixture needs a list of names such as ['sand', 'lime'], got {shown(self.names)}")
        names = tuple(self.names)
        if not all(isinstance(name, str) and name for name in names):
            raise SpaceError(f"Mixture: names must be non-empty strings, got {shown(list(names))}")
        if len(names) < 2 or len(set(names)) < len(names):
            raise SpaceError(f"Mixture needs two or more different names, got {shown(list(names))}")
        total = finite(self.total, "Mixture: total")
        if total <= 0:
            raise SpaceError(f"Mixture: total must be positive, got {total}")
        at_most = None if self.at_most is None else whole(self.at_most, "Mixture: at_most")
        if at_most is not None and not 1 <= at_most <= len(names):
            raise SpaceError(f"Mixture: at_most must be from 1 to the {len(names)} components, got {at_most}")
        step = None if self.step is None else finite(self.step, "Mixture: step")
        if step is not None and (step <= 0 or (Fraction(repr(total)) / Fraction(repr(step))).denominator != 1):
            raise SpaceError(f"Mixture: expected a step of which total={total} is a multiple, got step={step}")
        store(self, names=tuple(map(str.__str__, names)), total=total, at_most=at_most, step=step)

    @property
    def text(self) -> str:
        """As a constraint would be written."""
        return f"{' + '.join(self.names)} == {self.total:g}"

    def __str__(self) -> str:
        few = "" if self.at_most is None else f", at most {self.at_most} of them"
        return f"{self.text}{few}" + ("" if self.step is None else f", in steps of {self.step:g}")

    @property
    def equality(self) -> Linear:
        return Linear(self.text, dict.fromkeys(self.names, Fraction(1)), Fraction(repr(self.total)), equal=True)

    def component(self) -> Float:
        """One that the space does not declare."""
        return Float(0.0, self.total, step=self.step)

    def describe(self) -> dict[str, Any]:
        return {
            "type": "mixture",
            "names": list(self.names),
            "total": self.total,
            "at_most": self.at_most,
            "step": self.step,
        }

    def __repr__(self) -> str:
        more = [f"{key}={value}" for key, value in self.describe().items() if key in FIELDS[2:] and value is not None]
        return f"Mixture({', '.join([repr(list(self.names)), f'total={self.total}', *more])})"


def read_mixture(record: Any) -> Mixture:
    """The mixture that `describe` made this record of."""
    if not isinstance(record, Mapping) or record.get("type", "mixture") != "mixture" or "names" not in record:
        raise SpaceError(
            f"a constraint: expected text or a mixture, got {shown(record)}; write for example "
            '{"type": "mixture", "names": ["sand", "lime"], "total": 1.0}'
        )
    if wrong := [key for key in record if key not in ("type", *FIELDS)]:
        raise SpaceError(f"a mixture: expected {shown(list(FIELDS))}, got {shown(wrong)}; remove what is wrong")
    return Mixture(**{key: record[key] for key in FIELDS if key in record})


def unfolded(params: Any, mixtures: list[Mixture]) -> Any:
    """The mapping of parameters with the components of mixtures in it; those that stand in its place are added to
    `mixtures`."""
    if isinstance(params, Mixture):
        params = {"mixture": params}
    if not isinstance(params, Mapping):
        return params
    found: dict[Any, Any] = {}
    for name, form in params.items():
        each = dict.fromkeys(form.names, form.component()) if isinstance(form, Mixture) else {name: form}
        if twice := [key for key in each if key in found]:
            raise SpaceError(f"a space: expected each parameter once, got {shown(twice)} twice; rename one of them")
        found |= each
        mixtures += [form] if isinstance(form, Mixture) else []
    for mixture in mixtures:
        found |= {name: mixture.component() for name in mixture.names if name not in found}
    return found


def check_components(mixture: Mixture, parameters: Mapping[str, Parameter]) -> None:
    """Are the declared components ones that the mixture can be made of?"""
    for name in mixture.names:
        p = parameters[name]
        if not isinstance(p, Float) or p.log:
            raise SpaceError(f"{mixture.text!r}: expected {name!r} to be a Float without log, got {p}; change it")
        if mixture.at_most is not None and p.low != 0.0:
            raise SpaceError(
                f"{mixture.text!r}: at_most needs components that can be left out, from 0 on, got {name!r}: {p}; "
                "lower it to 0 or drop at_most"
            )
        if p.step != mixture.step:
            raise SpaceError(
                f"{mixture.text!r}: expected {name!r} in steps of the mixture's step={mixture.step}, got {p}; "
                "give both the same"
            )


def as_blend(mixture: Mixture, equalities: Equalities, columns: Mapping[str, int]) -> Blend | None:
    """The mixture as points of the cube; None if its equality is all that there is to it."""
    parameters = {name: equalities.parameters[name] for name in mixture.names}
    few = mixture.at_most is not None and mixture.at_most < len(parameters)
    if not few and (mixture.step is None or len(parameters) == 2):
        return None
    computed = [name for name in mixture.names if name in equalities.computed]
    if len(computed) != 1 or set(equalities.computed[computed[0]].coefficients) | {*computed} != set(mixture.names):
        raise SpaceError(
            f"{mixture.text!r}: expected no other equality on the components of a mixture with at_most or step, "
            "got one; drop it, or at_most and step"
        )
    kept = [name for name in mixture.names if name not in computed]
    spans = [ends(parameters[name]) for name in (*kept, *computed)]
    unit = Fraction(1) if mixture.step is None else Fraction(repr(mixture.step))
    total = (Fraction(repr(mixture.total)) - sum(low for low, _ in spans)) / unit
    caps = [(high - low) / unit for low, high in spans]
    if mixture.step is not None:
        if abs(total - round(total)) > Fraction(1, 10**6):
            raise SpaceError(f"{mixture!r}: steps above the lower bounds do not add up to the total; change the bounds")
        total, caps = Fraction(round(total)), [Fraction(round(cap)) for cap in caps]
    most = mixture.at_most or len(caps)
    if total <= 0 or sum(sorted(caps)[-most:]) < total:
        raise EmptyDomainError(f"{mixture!r}: no amounts within the ranges of its components add up; widen a range")
    return Blend(
        np.array([columns[name] for name in kept]), np.array(caps, float), float(total), most, mixture.step is not None
    )
