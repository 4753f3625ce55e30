"""Limits of a cross-validated search: one score is to be best, and what others, or the time, have to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from knowgrad.errors import ArgumentError
from knowgrad.outcomes import Goals, Measured, Outcomes, checked_goals
from knowgrad.space import Params
from knowgrad.text import shown
from knowgrad.trial import Trial

TIMES = ("fit_time", "score_time")  # seconds, which every search measures
Sems = Callable[[Any], Sequence[float | None]]


def goals_of(limits: object, scoring: object, refit: object) -> Goals:
    """The score that is optimised, and the limits; nothing without limits."""
    if limits is None:
        return Goals()
    metrics = list(scoring) if isinstance(scoring, Mapping | list | tuple | set) else []
    metric = refit if isinstance(refit, str) and refit in metrics else metrics[0] if metrics else "score"
    return checked_goals({str(metric): "maximize"}, limits, None, ())


def named_trials(evaluated: Sequence[Params], results: Mapping[str, Any], goals: Goals, sems: Sems) -> list[Trial]:
    """The candidates in the results with the score and all that has a limit; one that is not finite has failed."""
    columns = {name: _column(name, results) for name in goals.names}
    means = {name: np.asarray(results[f"mean_{column}"], dtype=float) for name, column in columns.items()}
    errors = {name: sems(results[f"std_{column}"]) for name, column in columns.items()}
    made = []
    for i, params in enumerate(evaluated):
        trial = Trial(str(i), i, params, "failed", reason="a score was not finite")
        if all(np.isfinite(means[name][i]) for name in goals.names):
            told = Outcomes({name: Measured(float(means[name][i]), errors[name][i]) for name in goals.names})
            value, sem = told[goals.names[0]]
            trial = trial.but(state="complete", reason=None, value=value, sem=sem, outcomes=told)
        made.append(trial)
    return made


def _column(name: str, results: Mapping[str, Any]) -> str:
    column = name if name in TIMES else f"test_{name}"
    if f"mean_{column}" not in results:
        have = [key.removeprefix("mean_test_") for key in results if key.startswith("mean_test_")]
        raise ArgumentError(
            f"limits: expected one of the scores {shown([*have, *TIMES])}, got {name!r}; add it to scoring="
        )
    return column
