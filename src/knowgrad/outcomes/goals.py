"""`Goals`: which outcomes a study has, what is wanted of each, and what measuring them costs; checked."""

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knowgrad.checked import as_float
from knowgrad.errors import ArgumentError
from knowgrad.outcomes.limits import Limit, checked_limits
from knowgrad.text import shown

DIRECTIONS = ("minimize", "maximize")
LONGEST = 100  # characters of a name
AUTO = "auto"
# Columns that a table of trials has anyway.
TAKEN = (
    "number",
    "id",
    "state",
    "sem",
    "reason",
    "source",
    "batch",
    "worker",
    "retry_of",
    "began",
    "ended",
    "notes",
    "cost",
)
SUM = re.compile(r"\*|\s[-+/]\s")  # of names: a formula rather than one of them
EXAMPLE = '{"yield": "maximize", "price": "minimize"}'


@dataclass(frozen=True, slots=True)
class Goals:
    """Objectives with their directions, limits, and what measuring an outcome costs; all empty in a plain study."""

    objectives: tuple[tuple[str, str], ...] = ()
    limits: tuple[Limit, ...] = ()
    costs: tuple[tuple[str, float], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.objectives)

    def __str__(self) -> str:
        """In words: maximize yield, minimize price, impurity <= 0.5."""
        wanted = [f"{direction} {name}" for name, direction in self.objectives]
        return ", ".join([*wanted, *map(str, self.limits)])

    @property
    def names(self) -> tuple[str, ...]:
        """All outcomes: the objectives, then what else has a limit."""
        return tuple(dict.fromkeys((*(name for name, _ in self.objectives), *(each.outcome for each in self.limits))))

    @property
    def objective(self) -> str | None:
        """The only objective; None if there are several."""
        return self.objectives[0][0] if len(self.objectives) == 1 else None

    def record(self) -> dict[str, Any]:
        """As JSON, for a log; nothing for a plain study."""
        if not self:
            return {}
        made: dict[str, Any] = {"objectives": dict(self.objectives), "limits": [str(each) for each in self.limits]}
        return made | ({"costs": dict(self.costs)} if self.costs else {})

    @classmethod
    def recorded(cls, record: Mapping[str, Any]) -> "Goals":
        """What a log says."""
        if not record.get("objectives"):
            return cls()
        limits = checked_limits(record["limits"])
        return cls(tuple(record["objectives"].items()), limits, tuple(record.get("costs", {}).items()))


PLAIN = Goals()
"""Of a study without named outcomes."""


def checked_goals(objectives: object, limits: object, costs: object, parameters: Collection[str]) -> Goals:
    """The goals of a study, or an ArgumentError that says what was expected."""
    wanted = _objectives(objectives)
    bounds = () if limits is None else checked_limits(limits)
    if not wanted and (bounds or costs):
        raise ArgumentError(
            f"{'limits' if bounds else 'costs'}: expected named objectives, got none; pass "
            f'objectives={{"yield": "maximize"}}, say, and tell() a dict'
        )
    goals = Goals(wanted, bounds)
    for name in goals.names:
        _check_name(name, goals, parameters)
    return Goals(wanted, bounds, _costs(costs, goals.names))


def checked_measure(measure: object, names: tuple[str, ...]) -> str | tuple[str, ...] | None:
    """Which outcomes are to be measured: "auto", or some of the names in their order; None means all."""
    if measure is None or (isinstance(measure, str) and measure == AUTO):
        if measure == AUTO and not names:
            raise ArgumentError(_plain_study("measure"))
        return measure
    asked = [measure] if isinstance(measure, str) else measure
    if not names:
        raise ArgumentError(_plain_study("measure"))
    if not isinstance(asked, Iterable) or not (chosen := list(asked)) or not set(map(str, chosen)) <= set(names):
        raise ArgumentError(
            f'measure: expected "auto" or some of the outcomes {shown(list(names))}, got {shown(measure)}; leave it '
            "out to measure all"
        )
    found = tuple(name for name in names if name in chosen)
    return None if found == names else found


def _plain_study(what: str) -> str:
    return f"{what}: expected a study with several outcomes, got a plain one; make it with objectives={EXAMPLE}"


def _objectives(objectives: object) -> tuple[tuple[str, str], ...]:
    if objectives is None:
        return ()
    if not isinstance(objectives, Mapping) or not objectives:
        raise ArgumentError(
            f"objectives: expected a name and a direction for each, got {shown(objectives)}; pass {EXAMPLE}"
        )
    for name, direction in objectives.items():
        if not isinstance(direction, str) or direction not in DIRECTIONS:
            raise ArgumentError(
                f'objectives: {name}: expected "minimize" or "maximize", got {shown(direction)}; pass one of the two'
            )
    return tuple(objectives.items())


def _check_name(name: object, goals: Goals, parameters: Collection[str]) -> None:
    """A name that can be written in a limit, a table and a command line, and means one thing only."""
    is_line = isinstance(name, str) and name.strip() == name and 0 < len(name) <= LONGEST and name.isprintable()
    if not isinstance(name, str) or not is_line or set(name) & set("<>=,;:") or as_float_text(name):
        raise ArgumentError(
            f"objectives, limits: expected a name such as 'yield' for an outcome, got {shown(name)}; use letters, "
            "digits, blanks and underscores"
        )
    if SUM.search(name):
        raise ArgumentError(
            f"objectives, limits: expected the name of one outcome, got {name!r}; tell what it comes to as an outcome "
            "of its own, and name that"
        )
    if name in parameters:
        raise ArgumentError(
            f"objectives, limits: expected outcomes that are no parameters, got {name!r}; rename the outcome"
            " (a rule about parameters belongs to the space: constraints=)"
        )
    is_taken = name in TAKEN or name.startswith("params_") or (name == "value" and goals.objective != "value")
    stem = name.removesuffix("_sem")
    if is_taken or (stem != name and stem in goals.names):
        raise ArgumentError(
            f"objectives, limits: expected names that no column of a table of trials has, got {name!r}; rename it"
        )


def as_float_text(text: str) -> bool:
    """Could it be taken for a number?"""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _costs(costs: object, names: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    if costs is None:
        return ()
    if not isinstance(costs, Mapping) or not costs.keys() <= set(names):
        raise ArgumentError(
            f"costs: expected a number for each of {shown(list(names))}, got {shown(costs)}; pass "
            f"costs={{{names[0] if names else 'yield'!r}: 1.0}}, say"
        )
    found = {}
    for name in names:
        cost = as_float(costs.get(name, 1.0))
        if cost is None or not 0.0 < cost < math.inf:
            raise ArgumentError(
                f"costs: {name}: expected a finite number above 0, got {shown(costs[name])}; they matter only in "
                "relation to each other"
            )
        found[name] = cost
    return tuple(found.items())
