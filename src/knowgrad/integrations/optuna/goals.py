"""Several objectives and constraints of an Optuna study as named outcomes.

| Optuna | knowgrad |
|---|---|
| `directions`, with `metric_names` if they are set | objectives, else called "objective 0", "objective 1", … |
| constraints, at most zero where they hold | limits "constraint … <= 0", if all completed trials have them |
| one direction and no such constraints | a plain study |

A constraint that only some completed trials have cannot be modelled; where it is above zero, the trial has failed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from knowgrad.integrations.optuna.spaces import SearchSpace
from knowgrad.integrations.optuna.steps import Reports
from knowgrad.integrations.optuna.trials import known_trials, point_of, sem_of
from knowgrad.outcomes import Goals, Limit, Measured, Outcomes
from knowgrad.trial import Settings, Trial, failure

MOST = 3  # objectives that q-KG can choose for
LIST, KEYED = "constraints", "constraints:"  # system attributes up to Optuna 4, and since 5


def goals_of(study: Study, trials: Sequence[FrozenTrial]) -> Goals:
    """What is wanted of a study; empty for one objective without constraints."""
    ways = ["maximize" if way == StudyDirection.MAXIMIZE else "minimize" for way in study.directions]
    limits = tuple(Limit(name, "<=", 0.0) for name in _constrained(trials))
    if len(ways) == 1 and not limits:
        return Goals()
    default = ["value"] if len(ways) == 1 else [f"objective {i}" for i in range(len(ways))]
    names = study.metric_names or default
    if len(set(names)) < len(ways) or set(names) & {limit.outcome for limit in limits}:
        names = default
    return Goals(tuple(zip(names, ways, strict=True)), limits)


def with_goals(settings: Settings, goals: Goals) -> Settings:
    """The settings of the study of these goals; what is known of the noise is that of the objectives."""
    if not goals:
        return settings
    noises = () if settings.noise == "learned" else tuple((name, settings.noise) for name, _ in goals.objectives)
    return Settings(
        settings.seed,
        goals.objectives[0][1],
        "learned",
        settings.method,
        settings.fit,
        objectives=goals.objectives,
        limits=goals.limits,
        noises=noises,
    )


def known_of(
    search: SearchSpace, trials: Sequence[FrozenTrial], settings: Settings, reports: Reports | None = None
) -> list[Trial]:
    """What a suggestion is a function of, in the order of Optuna's numbers."""
    if not settings.objectives:
        return known_trials(search, trials, settings.direction, reports=reports)
    plain: dict[str, Trial] = {}
    if len(settings.objectives) == 1:  # pruned trials have their report
        plain = {each.id: each for each in known_trials(search, trials, settings.direction, constrained=False)}
    known: list[Trial] = []
    for trial in trials:
        params = search.encode(point_of(search, trial))
        if params is None or trial.state == TrialState.WAITING:
            continue
        made = Trial(str(trial.number), len(known), params, "failed")
        if trial.state == TrialState.RUNNING:
            made = made.but(state="pending")
        elif outcomes := _outcomes(trial, settings, plain.get(str(trial.number))):
            only = outcomes.get(settings.objectives[0][0]) if len(settings.objectives) == 1 else None
            value, sem = only or (None, None)
            made = made.but(state="complete", outcomes=Outcomes(outcomes), value=value, sem=sem)
        known.append(made)
    return known


def constraints(trial: FrozenTrial) -> dict[str, float]:
    """The constraints of a trial by the name of their outcome; those that are no number are left out."""
    attributes = trial.system_attrs
    found = {f"constraint {i}": value for i, value in enumerate(attributes.get(LIST) or ())}
    keyed = sorted(key for key in attributes if key.startswith(KEYED))
    found |= {f"constraint {key.removeprefix(KEYED)}": attributes[key] for key in keyed}
    return {name: float(value) for name, value in found.items() if value is not None and not math.isnan(value)}


def _constrained(trials: Sequence[FrozenTrial]) -> list[str]:
    """Constraints that every completed trial has."""
    done = [constraints(trial) for trial in trials if trial.state == TrialState.COMPLETE]
    return [name for name in done[0] if all(name in each for each in done)] if done else []


def _outcomes(trial: FrozenTrial, settings: Settings, plain: Trial | None) -> dict[str, Measured]:
    """What was measured of a finished trial; nothing if it has failed."""
    found: dict[str, Measured] = {}
    names = [name for name, _ in settings.objectives]
    if trial.state == TrialState.COMPLETE and trial.values and not any(map(failure, trial.values)):
        sem = sem_of(trial) if len(names) == 1 else None
        found = {name: Measured(float(value), sem) for name, value in zip(names, trial.values, strict=True)}
    elif trial.state == TrialState.PRUNED and plain is not None and plain.value is not None:
        found = {names[0]: Measured(plain.value, plain.sem)}
    if not found:
        return {}
    held, limited = constraints(trial), {limit.outcome for limit in settings.limits}
    if any(math.isinf(held[name]) or (held[name] > 0 and name not in limited) for name in held):
        return {}
    return found | {name: Measured(held[name]) for name in held if name in limited}
