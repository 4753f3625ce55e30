"""Steps that trials of other tools report, as values of a fidelity: learning curves.

| the fidelity | suggestions |
|---|---|
| a `kg.Fidelity` of the declared space | choose it, and the objective is told |
| the step itself, from 1 to the last | are whole runs, at the last step, which may be ended before |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space import Fidelity, Params, Space
from knowgrad.space.looks.fidelity import has_curves, traced_parameter

KEY = "(step)"


@dataclass(frozen=True)
class Steps:
    """A space with the fidelity `name`; `whole`: its value in runs to the end, if it is no parameter of the trials."""

    space: Space
    name: str
    whole: Params

    @classmethod
    def declared(cls, space: Space) -> Steps | None:
        """Of a space that has one fidelity."""
        return cls(space, traced_parameter(space), {}) if has_curves(space) else None

    @classmethod
    def counted(cls, space: Space, last: int) -> Steps | None:
        """Of any other: the step is one, if there is more than one."""
        if last < 2:
            return None
        feasible, key = space.feasible, {KEY: Fidelity(1, last, log=True)}
        allowed = None if feasible is None else lambda params: feasible(without(params))
        whole = Space({**space.parameters, **key}, constraints=space.constraints, feasible=allowed)
        return cls(whole, KEY, {KEY: last})

    @property
    def low(self) -> float:
        """The lowest value of the fidelity."""
        found: float = self.space.parameters[self.name].low  # type: ignore[attr-defined]
        return found

    def curve(self, reports: Mapping[int, float], end: float, shift: int = 0) -> tuple[tuple[float, float], ...]:
        """The steps that are values of the fidelity, up to the end of the run; each is counted `shift` higher."""
        kind, found = self.space.parameters[self.name], []
        for step, value in sorted(reports.items()):
            try:
                at: Any = kind.check(step + shift)
            except SpaceError:
                continue
            if at <= end and math.isfinite(value):
                found.append((at, float(value)))
        return tuple(found)


def without(params: Mapping[str, Any]) -> Params:
    """Params without the step, where that is no parameter."""
    return {name: value for name, value in params.items() if name != KEY}


def is_due(reports: int, before: int) -> bool:
    """Is it to be decided again whether to go on? Whenever there are twice as many reports as the time `before`."""
    return reports >= max(2 * before, 1)
