"""A space that changes while results come in: what of it is new, whether earlier points have a place, and in words.

Earlier points stay where they are in user units. Bounds that are narrower, or steps that are others, leave them outside
the unit cube or between two levels: `Space.reaching` encodes them there. An option that a point has cannot be taken
away, for there would be no place for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import Parameter
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.mixtures import Mixture
from knowgrad.space.numeric import Float, Int
from knowgrad.space.parameters import Choice, as_parameter
from knowgrad.space.record import read_parameter
from knowgrad.space.scalars import Scalar, scalar
from knowgrad.space.space import Params, Space
from knowgrad.text import shown

COPY = "copy(space=…, convert=…) makes another study with what fits"


@dataclass(frozen=True)
class Changing:
    """A space before and after, and the values that earlier trials had of parameters that are new."""

    old: Space
    new: Space
    earlier: Mapping[str, Scalar]

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(name for name in self.new.names if name not in self.old.parameters)

    @property
    def moved(self) -> tuple[str, ...]:
        """Parameters that are not what they were, new ones included."""
        was, now = self.old.parameters, self.new.parameters
        return tuple(name for name in now if name not in was or _told(was[name]) != _told(now[name]))

    def words(self) -> tuple[str, ...]:
        """What changes, a line each; none if nothing does."""
        was, now = self.old.parameters, self.new.parameters
        lines = [f"{name}: dropped, was {was[name]!r}" for name in was if name not in now]
        lines += [f"{name}: {was[name]!r} → {now[name]!r}" for name in self.moved if name in was]
        for name in self.added:
            had = f"; earlier trials have {shown(self.earlier[name])}" if name in self.earlier else ""
            lines.append(f"{name}: new, {now[name]!r}{had}")
        if self.old.rules.describe() != self.new.rules.describe():
            before, after = ([str(each) for each in space.constraints] for space in (self.old, self.new))
            lines.append(f"constraints: {before} → {after}")
        return tuple(lines)

    def carried(self, params: Mapping[str, Any]) -> Params:
        """The params of an earlier trial with the values of new parameters; of what was dropped it keeps its value."""
        return carried(params, self.new.names, self.earlier)

    def check_place(self, params: Mapping[str, Any]) -> None:
        """SpaceError if an earlier point, carried over, would have no place in the new space."""
        for name in self.moved:
            if name in params:
                _placed(self.new.parameters[name], name, params[name])
        activity = self.new.activity
        exists = {name: activity is None or activity.fails(name, params) is None for name in self.new.names}
        if lost := [name for name in self.new.names if exists[name] and name not in params]:
            raise SpaceError(
                f"{lost[0]}: expected the value that earlier trials had, got none; pass earlier={{{lost[0]!r}: value}}"
            )
        if more := [name for name in self.new.names if not exists[name] and name in params]:
            raise SpaceError(f"{more[0]}: expected it to exist where earlier trials have it, got another condition")


def carried(params: Mapping[str, Any], names: Iterable[str], earlier: Mapping[str, Any]) -> Params:
    """In the order of the new names, what was dropped last."""
    full = {**earlier, **params}
    first = [name for name in names if name in full]
    return {name: full[name] for name in (*first, *(name for name in full if name not in first))}


def changing(space: Space, forms: Mapping[str, Any], earlier: Mapping[str, Any], constraints: Any = None) -> Changing:
    """The space with parameters in other forms, None for one that is dropped; constraints, if any are given."""
    if isinstance(space, Candidates):
        raise SpaceError(f"change: expected a space of parameters, got a list of candidates; {COPY}")
    mixed = [name for each in space.constraints if isinstance(each, Mixture) for name in each.names]
    if wrong := [name for name in forms if name in mixed]:
        raise SpaceError(f"change: expected parameters outside of mixtures, got {shown(wrong)}; {COPY}")
    parameters = dict(space.parameters)
    for name, form in forms.items():
        if form is not None:
            parameters[name] = _read(name, form, parameters.get(name))
        elif parameters.pop(name, None) is None:
            raise SpaceError(f"change: expected a parameter to drop, of {shown(list(space.names))}, got {shown(name)}")
    rules = space.constraints if constraints is None else constraints
    try:
        new = Space(parameters, constraints=rules, feasible=space.feasible)
    except SpaceError as error:
        raise SpaceError(f"change: {error}; pass constraints= if they have to change too") from None
    return Changing(space, new.reaching(), _earlier(space, new, earlier))


def _earlier(old: Space, new: Space, given: Mapping[str, Any]) -> dict[str, Scalar]:
    """The values that earlier trials had of parameters that are new, checked."""
    if wrong := [name for name in given if name not in new.parameters or name in old.parameters]:
        raise SpaceError(f"earlier: expected parameters that are new, got {shown(wrong)}; leave them out")
    if wrong := [name for name in given if new.parameters[name].when is not None]:
        raise SpaceError(
            f"earlier: expected parameters that exist everywhere, got {shown(wrong)} with a condition; leave it out if "
            f"no earlier trial has it, else {COPY}"
        )
    found = {name: scalar(value, f"earlier: {name}") for name, value in given.items()}
    for name, value in found.items():
        _placed(new.parameters[name], name, value)
    return found


def _placed(parameter: Parameter, name: str, value: Any) -> None:
    try:
        parameter.spot(value)
    except SpaceError as error:
        remedy = "keep the options that trials have" if isinstance(parameter, Choice) else "take another scale"
        raise SpaceError(f"{name}: {error}; {remedy}, or {COPY}") from None


def _read(name: str, form: Any, old: Parameter | None) -> Parameter:
    """A parameter out of what a user writes. Of one that is there, bounds or options alone leave the rest as it is."""
    try:
        if isinstance(form, Mapping):
            record = {**old.describe(), **form} if old is not None and form.get("type") in (None, _kind(old)) else form
            found = read_parameter(record, name)
            if isinstance(found, Mixture):
                raise SpaceError(f"expected a parameter, got a mixture; {COPY}")
            return found
        if isinstance(old, Float | Int) and isinstance(form, tuple) and len(form) == 2 and all(map(is_number, form)):
            return replace(old, low=form[0], high=form[1])
        if isinstance(old, Choice) and isinstance(form, list):
            if old.features is not None:
                raise SpaceError("expected descriptors of the new options, got a list; pass kg.Choice(…, features=)")
            return replace(old, options=tuple(form))
        return as_parameter(form)
    except SpaceError as error:
        said = str(error)
        raise SpaceError(f"change: {said}" if said.startswith("parameter ") else f"change: {name}: {said}") from None


def _told(parameter: Parameter) -> str:
    return json.dumps(parameter.describe(), sort_keys=True)  # as text, because 1 == True == 1.0


def _kind(parameter: Parameter) -> Any:
    return parameter.describe()["type"]
