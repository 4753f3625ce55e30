"""The trials of a study column by column: a parameter `x` is in the column `params_x`."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from knowgrad.space import Space
from knowgrad.text import plain
from knowgrad.trial import Trial

BEFORE = ("number", "id", "state", "value", "sem")
AFTER = ("reason", "source", "batch", "worker", "retry_of", "began", "ended", "notes")


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


def column(name: str) -> str:
    """Where a parameter is found."""
    return plain(f"params_{name}")


def columns(study: Tabular) -> dict[str, list[Any]]:
    """Text that others wrote is harmless; params are exactly what they are."""
    trials = study.trials
    return {
        **{field: [_said(trial, field) for trial in trials] for field in BEFORE},
        **{column(name): [trial.params.get(name) for trial in trials] for name in study.space.names},
        **{field: [_said(trial, field) for trial in trials] for field in AFTER},
    }


def _said(trial: Trial, field: str) -> Any:
    value = getattr(trial, field)
    return _cleaned("; ".join(value) if field == "notes" else value)


def record(trial: Trial) -> dict[str, Any]:
    """A trial as plain values. Text that others wrote is harmless; params are exactly what they are."""
    return {**_cleaned({**dataclasses.asdict(trial), "notes": trial.notes}), "params": dict(trial.params)}


def _cleaned(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _cleaned(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(each) for each in value]
    return plain(value) if isinstance(value, str) else value
