"""The trials of a study column by column: a parameter `x` is in the column `params_x`."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from knowgrad.outcomes import Goals
from knowgrad.space import Space
from knowgrad.text import plain
from knowgrad.trial import Change, Measured, Outcome, Trial

BEFORE = ("number", "id", "state", "value", "sem")
MEASURE = "measure"  # of studies with named outcomes
AFTER = ("reason", "source", "batch", "worker", "retry_of", "began", "ended", "cost", "notes")


class Tabular(Protocol):
    """What a study has that a table shows."""

    @property
    def name(self) -> str | None: ...
    @property
    def direction(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def space(self) -> Space: ...
    @property
    def trials(self) -> Sequence[Trial]: ...
    @property
    def goals(self) -> Goals: ...


def shown_names(study: Tabular) -> list[str]:
    """The parameters of a study, then those that were dropped and that earlier trials still have."""
    return list(dict.fromkeys([*study.space.names, *(name for trial in study.trials for name in trial.params)]))


def column(name: str) -> str:
    """Where a parameter is found."""
    return plain(f"params_{name}")


def columns(study: Tabular) -> dict[str, list[Any]]:
    """Text that others wrote is harmless; params are exactly what they are."""
    trials = study.trials
    return {
        **{field: [_said(trial, field) for trial in trials] for field in BEFORE},
        **_named(study, trials),
        **{column(name): [trial.params.get(name) for trial in trials] for name in shown_names(study)},
        **{field: [_said(trial, field) for trial in trials] for field in AFTER},
    }


def sem_column(name: str) -> str:
    """Where the standard errors of a named outcome are found; its values are in the column of its name."""
    return f"{name}_sem"


def _named(study: Tabular, trials: Sequence[Trial]) -> dict[str, list[Any]]:
    """Two columns for each named outcome, and which were asked for, if not all; nothing in a plain study."""
    if not study.goals:
        return {}
    found: dict[str, list[Any]] = {}
    for name in study.goals.names:
        told = [trial.outcomes.get(name) for trial in trials]
        found[name] = [None if each is None else each.value for each in told]
        found[sem_column(name)] = [None if each is None else each.sem for each in told]
    if MEASURE not in found:  # an outcome may have that name
        found[MEASURE] = [None if trial.measure is None else plain("; ".join(trial.measure)) for trial in trials]
    return found


def _said(trial: Trial, field: str) -> Any:
    value = getattr(trial, field)
    return _cleaned("; ".join(value) if field == "notes" else value)


def record(trial: Trial) -> dict[str, Any]:
    """A trial as plain values. Text that others wrote is harmless; params are exactly what they are."""
    made = dataclasses.asdict(trial) | {"history": [change_json(each) for each in trial.history], "notes": trial.notes}
    del made["outcomes"], made["measure"]
    return {**_cleaned({**made, **named_json(trial)}), "params": dict(trial.params)}


def named_json(trial: Trial) -> dict[str, Any]:
    """Its named outcomes, and which were asked for, as plain values; nothing in a plain study."""
    if not trial.outcomes and trial.measure is None:
        return {}
    measure = None if trial.measure is None else list(trial.measure)
    return {"outcomes": outcomes_json(trial.outcomes), "measure": measure}


def outcomes_json(outcomes: Mapping[str, Measured]) -> dict[str, Any]:
    return {name: each._asdict() for name, each in outcomes.items()}


def change_json(change: Change) -> dict[str, Any]:
    """A line of the audit trail as plain values."""
    return dataclasses.asdict(change) | {"old": _outcome(change.old), "new": _outcome(change.new)}


def _outcome(told: Outcome) -> dict[str, Any]:
    said: dict[str, Any] = {"state": told.state, "value": told.value, "sem": told.sem, "reason": told.reason}
    return said | ({"outcomes": outcomes_json(told.outcomes)} if told.outcomes else {})


def _cleaned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _cleaned(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(each) for each in value]
    return plain(value) if isinstance(value, str) else value
