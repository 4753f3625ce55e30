"""Studies carried over from Optuna, and back."""

from __future__ import annotations

from typing import Any

import optuna
from optuna.storages import BaseStorage
from optuna.trial import FrozenTrial, TrialState

from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.integrations.optuna.spaces import SearchSpace, common_space
from knowgrad.integrations.optuna.storages import create_study
from knowgrad.integrations.optuna.trials import direction_of, known_trials
from knowgrad.study import Study
from knowgrad.trial import Trial


def import_study(source: optuna.Study, **options: Any) -> Study:
    """A knowgrad study that knows the results of an Optuna study, over the parameters that its completed trials share.

    Args:
        source: an Optuna study; it is only read.
        **options: of the new `knowgrad.Study`: `storage`, `name`, `seed`, `noise`, … It must have no trials yet.
    """
    if len(source.directions) > 1:
        raise ArgumentError("import: expected a study with one objective, got several; import one that has one")
    trials = source.get_trials(deepcopy=False)
    distributions, _ = common_space(trials)
    if not distributions:
        raise NoDataError("import: expected completed trials that share a parameter, got none; nothing was imported")
    search, direction = SearchSpace.plain(distributions), direction_of(source)
    study = Study(search.space, direction=direction, **options)
    if study.trials:
        raise ArgumentError(
            f"import: expected a new study, got {study!r}; pass another name, or add() the results one by one"
        )
    for trial in known_trials(search, trials, direction):
        if trial.state == "complete" and trial.value is not None:
            study.add(trial.params, trial.value, trial.sem, check=False)
        elif trial.state == "failed":
            study.add(trial.params, float("nan"))
    return study


def export_study(study: Study, storage: str | BaseStorage, name: str | None = None) -> optuna.Study:
    """A new Optuna study with the trials of a knowgrad study that have ended, for Optuna's tools and its dashboard.

    The recommendation is added as a user attribute of the study; standard errors as `user_attrs["sem"]` of the trials.
    """
    target = create_study(storage, name or study.name, study.direction)
    search = SearchSpace.declared(study.space)
    target.add_trials([_frozen(search, trial) for trial in study.trials if trial.state in ("complete", "failed")])
    if study.best is not None:
        found = study.recommend()
        target.set_user_attr("recommendation", {"params": found.params, "mean": found.mean, "sd": found.sd})
    return target


def _frozen(search: SearchSpace, trial: Trial) -> FrozenTrial:
    told = {"sem": trial.sem, "source": trial.source, "reason": trial.reason, "knowgrad": trial.id}
    return optuna.trial.create_trial(
        state=TrialState.COMPLETE if trial.state == "complete" else TrialState.FAIL,
        value=trial.value,
        params=dict(trial.params),
        distributions={name: one for name, one in search.distributions.items() if name in trial.params},
        user_attrs={key: value for key, value in told.items() if value not in (None, "")},
    )
