"""Studies carried over from Optuna, and back."""

from __future__ import annotations

from typing import Any
from warnings import catch_warnings

import optuna
from optuna.distributions import BaseDistribution
from optuna.exceptions import ExperimentalWarning
from optuna.storages import BaseStorage
from optuna.trial import FrozenTrial, TrialState

from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.integrations.optuna.goals import goals_of, known_of, with_goals
from knowgrad.integrations.optuna.groups import find_groups
from knowgrad.integrations.optuna.spaces import SearchSpace
from knowgrad.integrations.optuna.storages import create_study
from knowgrad.integrations.optuna.trials import direction_of
from knowgrad.study import Study
from knowgrad.trial import Settings, Trial


def import_study(source: optuna.Study, **options: Any) -> Study:
    """A knowgrad study that knows the results of an Optuna study.

    Its space has the parameters that all completed trials share, and those whose existence these explain (`groups`).

    Args:
        source: an Optuna study; it is only read.
        **options: of the new `knowgrad.Study`: `storage`, `name`, `seed`, `noise`, … It must have no trials yet.
    """
    trials = source.get_trials(deepcopy=False)
    found = find_groups(trials)
    if not found.joint:
        raise NoDataError("import: expected completed trials that share a parameter, got none; nothing was imported")
    search, goals = SearchSpace.plain(found.joint, found.conditions), goals_of(source, trials)
    settings = with_goals(Settings(0, direction_of(source)), goals)
    wanted: dict[str, Any] = {"direction": settings.direction}
    if goals:
        wanted = {"objectives": dict(goals.objectives), "limits": goals.limits}
    study = Study(search.space, **wanted, **options)
    if study.trials:
        raise ArgumentError(
            f"import: expected a new study, got {study!r}; pass another name, or add() the results one by one"
        )
    for trial in known_of(search, trials, settings):
        if trial.outcomes:
            study.add(trial.params, trial.outcomes, check=False)
        elif trial.state == "complete" and trial.value is not None:
            study.add(trial.params, trial.value, trial.sem, check=False)
        elif trial.state == "failed":
            study.add(trial.params, {goals.names[0]: float("nan")} if goals else float("nan"))
    return study


def export_study(study: Study, storage: str | BaseStorage, name: str | None = None) -> optuna.Study:
    """A new Optuna study with the trials of a knowgrad study that have ended, for Optuna's tools and its dashboard.

    Values outside a space that was changed, which Optuna does not take, are the user attribute `outside` of a trial.
    The recommendation is added as a user attribute of the study; standard errors as `user_attrs["sem"]` of the trials.
    """
    objectives = study.objectives
    target = create_study(storage, name or study.name, [*objectives.values()] or [study.direction])
    if objectives:
        with catch_warnings(action="ignore", category=ExperimentalWarning):
            target.set_metric_names(list(objectives))
    search = SearchSpace.declared(study.space)
    target.add_trials([_frozen(search, trial, study) for trial in study.trials if _has_ended(trial, study)])
    if study.has_results:
        found = study.recommend()
        target.set_user_attr("recommendation", {"params": found.params, "mean": found.mean, "sd": found.sd})
    return target


def _has_ended(trial: Trial, study: Study) -> bool:
    """With all objectives: Optuna has no trial with some of them."""
    return trial.state == "failed" or (trial.state == "complete" and study.objectives.keys() <= trial.outcomes.keys())


def _frozen(search: SearchSpace, trial: Trial, study: Study) -> FrozenTrial:
    known = [each for each in study.limits if each.outcome in trial.outcomes]
    broken = [each.sign * (trial.outcomes[each.outcome].value - each.bound) for each in known]
    values = [trial.outcomes[name].value for name in study.objectives if name in trial.outcomes]
    if trial.value is not None:
        values = [trial.value]
    held = {name: one for name, one in search.distributions.items() if _holds(one, trial.params.get(name, trial))}
    outside = {name: value for name, value in trial.params.items() if name not in held}
    told: dict[str, Any] = {"sem": trial.sem, "source": trial.source, "reason": trial.reason, "knowgrad": trial.id}
    told |= {"outside": outside or None}
    return optuna.trial.create_trial(
        state=TrialState.COMPLETE if trial.state == "complete" else TrialState.FAIL,
        values=values if trial.state == "complete" else None,
        params={name: trial.params[name] for name in held},
        distributions=held,
        user_attrs={key: value for key, value in told.items() if value not in (None, "")},
        system_attrs={"constraints": broken} if broken and trial.state == "complete" else {},
    )


def _holds(distribution: BaseDistribution, value: Any) -> bool:
    """Would Optuna take the value?"""
    try:
        return bool(distribution._contains(distribution.to_internal_repr(value)))
    except (TypeError, ValueError):
        return False
