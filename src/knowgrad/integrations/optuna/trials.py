"""Optuna's trials as knowgrad's.

| Optuna | knowgrad |
|---|---|
| complete, finite value | complete; `user_attrs["sem"]`, if there is one, is its standard error |
| complete, but the value is infinite | failed |
| complete, but a constraint is violated | failed; if all completed trials have it, it is a limit (`goals`) |
| failed | failed |
| pruned after a report | complete: the last report, or the nearer of median and worst value if beyond these |
| the same, where steps are a fidelity | complete at the step that it has reached (`steps`) |
| pruned without a report | failed |
| running | pending, at the point it was given |

A pruned trial was stopped because it looked worse than most, and its last report is seldom on the scale of final
values: hence the limits. Trials without a value for every parameter of the space, or with one outside it, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from knowgrad.checked import spread
from knowgrad.integrations.optuna.attributes import published
from knowgrad.integrations.optuna.spaces import SearchSpace
from knowgrad.integrations.optuna.steps import Reports
from knowgrad.trial import State, Trial, failure


def known_trials(
    search: SearchSpace,
    trials: Sequence[FrozenTrial],
    direction: str,
    *,
    constrained: bool = True,
    reports: Reports | None = None,
) -> list[Trial]:
    """What a suggestion is a function of, in the order of Optuna's numbers.

    Unless it is `constrained`, constraints do not count here, but are outcomes of their own (`goals`). With
    `reports`, these are learning curves.
    """
    outcomes = _Outcomes.of(trials, direction, constrained)
    known: list[Trial] = []
    for trial in trials:
        params = search.encode(point_of(search, trial))
        outcome = outcomes.of_trial(trial)
        if params is not None and outcome is not None:
            state, value, sem = outcome
            made = Trial(str(trial.number), len(known), params, state, value, sem)
            known.append(made if reports is None else reports.traced(made, trial))
    return known


def point_of(search: SearchSpace, trial: FrozenTrial) -> Mapping[str, Any]:
    """The params of a trial; of a running one also those it is going to have, which the storage may not know yet."""
    if trial.state.is_finished():
        return trial.params
    given = search.unpack(published(trial.system_attrs, "point") or {})
    return {**given, **trial.system_attrs.get("fixed_params", {}), **trial.params}


def direction_of(study: Study) -> str:
    """Of the first objective."""
    return "maximize" if study.directions[0] == StudyDirection.MAXIMIZE else "minimize"


@dataclass(frozen=True)
class _Outcomes:
    """What trials amount to. `limits`: the median and the worst completed value, in ascending order."""

    limits: tuple[float, float] | None
    constrained: bool = True

    @classmethod
    def of(cls, trials: Sequence[FrozenTrial], direction: str, constrained: bool = True) -> _Outcomes:
        values = [trial.value for trial in trials if _succeeded(trial, constrained) and trial.value is not None]
        if not values:
            return cls(None, constrained)
        middle = median(values)
        return cls((middle, max(values)) if direction == "minimize" else (min(values), middle), constrained)

    def of_trial(self, trial: FrozenTrial) -> tuple[State, float | None, float | None] | None:
        """State, value, standard error; None for a trial that says nothing yet."""
        if trial.state == TrialState.RUNNING:
            return "pending", None, None
        if trial.state == TrialState.WAITING:
            return None
        if _succeeded(trial, self.constrained):
            return "complete", trial.value, sem_of(trial)
        if trial.state == TrialState.PRUNED and trial.intermediate_values and self.limits is not None:
            report = trial.intermediate_values[max(trial.intermediate_values)]
            if not math.isnan(report):
                return "complete", min(max(report, self.limits[0]), self.limits[1]), None
        return "failed", None, None


def _succeeded(trial: FrozenTrial, constrained: bool) -> bool:
    if trial.state != TrialState.COMPLETE or trial.value is None or failure(trial.value):
        return False
    return not constrained or all(violation is None or violation <= 0 for violation in _constraints(trial))


def _constraints(trial: FrozenTrial) -> list[float | None]:
    """Above zero: violated. One list under one key up to Optuna 4, a key for each since 5."""
    single = [value for key, value in trial.system_attrs.items() if key.startswith("constraints:")]
    return [*(trial.system_attrs.get("constraints") or ()), *single]


def sem_of(trial: FrozenTrial) -> float | None:
    sem = trial.user_attrs.get("sem")
    return None if sem is None else spread(sem, f'user_attrs["sem"] of trial {trial.number}')
