"""Results of earlier studies, as a new one keeps them: a copy, so that it does not depend on where they are from.

An earlier study is a source that cannot be measured any more. Of its parameters those count that the new study has too,
at values that the new study allows; what it did not vary stands in the middle of its range, or at the first option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from knowgrad.errors import ArgumentError
from knowgrad.outcomes import Goals
from knowgrad.space import Space
from knowgrad.space.looks.graded import decisive, graded
from knowgrad.space.overlap import moved
from knowgrad.text import plain, shown
from knowgrad.trial import Earlier, Result, Trial

MOST = 200  # results of each earlier study: of more, an even spread over their values


class Known(Protocol):
    """What is asked of an earlier study."""

    @property
    def name(self) -> str | None: ...
    @property
    def direction(self) -> str: ...
    @property
    def goals(self) -> Goals: ...
    @property
    def space(self) -> Space: ...
    @property
    def trials(self) -> Sequence[Trial]: ...


def checked_earlier(learn_from: object, space: Space, direction: str) -> tuple[Earlier, ...]:
    """The results that a study of this space learns from: studies, or what was recorded of them."""
    if learn_from is None:
        return ()
    given: list[Any] = (
        list(learn_from) if isinstance(learn_from, Sequence) and not isinstance(learn_from, str) else [learn_from]
    )
    found: list[Earlier] = []
    for each in given:
        if isinstance(each, Mapping):
            found.append(_recorded(each))
        elif all(hasattr(each, name) for name in ("direction", "goals", "space", "trials")):
            names = [other.name for other in found]
            found.append(_of(each, space, direction, names))
        else:
            raise ArgumentError(f"learn_from: expected studies, got {shown(each)}; pass learn_from=[study], say")
    return tuple(found)


def _of(study: Known, space: Space, direction: str, names: Sequence[str]) -> Earlier:
    if len(study.goals.objectives) > 1:
        raise ArgumentError(
            "learn_from: expected studies with one objective, got one with several; leave it out, or add() the values "
            "of one of them to a study of its own"
        )
    if study.direction != direction:
        raise ArgumentError(
            f"learn_from: expected studies with direction {direction!r}, got {study.direction!r}; turn the sign of its "
            "results in a copy"
        )
    shared = [name for name in space.names if name in study.space.parameters]
    if not [name for name in shared if name not in graded(space.parameters)]:
        raise ArgumentError(
            f"learn_from: expected a study that shares a parameter with {shown(list(space.names))}, got one of "
            f"{shown(list(study.space.names))}; leave it out"
        )
    done = [trial for trial in study.trials if trial.state == "complete" and trial.value is not None]
    rows = [
        Result(params, trial.value, trial.sem)
        for trial in decisive(done, study.space)
        if trial.value is not None and (params := moved(trial.params, space, study.space)) is not None
    ]
    if len(rows) > MOST:
        order = np.argsort([row.value for row in rows], kind="stable")
        rows = [rows[i] for i in sorted(order[np.linspace(0, len(rows) - 1, MOST).astype(int)])]
    name = plain(study.name or "study")
    while name in names:
        name += "+"
    return Earlier(name, tuple(rows))


def _recorded(record: Mapping[str, Any]) -> Earlier:
    try:
        rows = tuple(Result(dict(params), value, sem) for params, value, sem in record["results"])
        return Earlier(plain(record["name"]), rows)
    except (KeyError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"learn_from: expected studies, or what a study recorded of them, got {shown(record)}; pass "
            "learn_from=[study], say"
        ) from error


def told_earlier(earlier: Sequence[Earlier]) -> list[dict[str, Any]]:
    """As JSON."""
    return [{"name": each.name, "results": [list(row) for row in each.results]} for each in earlier]
