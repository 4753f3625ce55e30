"""What somebody says about the outcomes of a trial, checked: a value, or a value and its standard error, for each."""

import math
from collections.abc import Mapping
from typing import Any

from knowgrad.checked import as_mapping, real, spread
from knowgrad.errors import ArgumentError, NotANumberError
from knowgrad.outcomes.goals import Goals
from knowgrad.outcomes.measured import Measured, Outcomes
from knowgrad.text import shown


def told(said: object, sem: object, goals: Goals) -> Outcomes:
    """The outcomes that are told. NaN and the infinities are among them: what they mean is for `meaning` to say."""
    row = as_mapping(said)
    if row is None:
        if len(goals.names) > 1:
            raise NotANumberError(
                f"value: expected a dict of outcomes, {_example(goals)}, got {type(said).__name__} {shown(said)}; name "
                "what was measured"
            )
        row = {goals.names[0]: said if sem is None else (said, sem)}
    elif sem is not None:
        raise ArgumentError(
            f"sem: expected the standard error beside its value, got {shown(sem)} for all; write {_example(goals)}"
        )
    if unknown := [name for name in row if name not in goals.names]:
        raise ArgumentError(
            f"outcomes: expected some of {shown(list(goals.names))}, got {shown(unknown)}; correct the name, or leave "
            "it out: outcomes belong to a study from its creation"
        )
    if not row:
        raise ArgumentError(f"outcomes: expected at least one of {shown(list(goals.names))}, got none; tell what is in")
    return Outcomes({name: _measured(row[name], name) for name in goals.names if name in row})


def meaning(outcomes: Outcomes, goals: Goals) -> str | None:
    """Why a trial with these outcomes has failed; None if all are finite.

    An infinity that nothing could improve on is a mistake, and an ArgumentError.
    """
    for name, each in outcomes.items():
        for sign in _better(name, goals):
            if each.value == sign * math.inf:
                raise ArgumentError(
                    f"{name}: expected a finite number, got {each.value}, which nothing could improve on; find out "
                    "where it comes from, or fail() the trial"
                )
    return next((f"the {name} was {v.value}" for name, v in outcomes.items() if not math.isfinite(v.value)), None)


def _better(name: str, goals: Goals) -> list[float]:
    """The signs of the infinities that would be best for an outcome."""
    wanted = [-1.0 if direction == "minimize" else 1.0 for each, direction in goals.objectives if each == name]
    sides = [-limit.sign for limit in goals.limits if limit.outcome == name]
    return wanted or (sides if len(sides) == 1 else [])


def _measured(said: Any, name: str) -> Measured:
    """A number, a pair of a number and its standard error, or a dict of `value` and `sem`."""
    if isinstance(said, Mapping):
        if "value" not in said or not said.keys() <= {"value", "sem"}:
            raise ArgumentError(f'{name}: expected {{"value": …, "sem": …}}, got {shown(said)}; write it so')
        said = said["value"], said.get("sem")
    if said is None:
        raise ArgumentError(f"{name}: expected a number, got None; leave it out until it is measured")
    if isinstance(said, tuple | list):
        if len(said) != 2:
            raise ArgumentError(
                f"{name}: expected a value or a pair of a value and its standard error, got {shown(said)}; write "
                "(3.1, 0.2)"
            )
        value, sem = said
    else:
        value, sem = said, None
    return Measured(real(value, name), None if sem is None else spread(sem, f"{name}: sem"))


def _example(goals: Goals) -> str:
    first, *rest = goals.names
    return f'{{"{first}": 1.2' + "".join(f', "{name}": (3.1, 0.2)' for name in rest[:1]) + "}"
