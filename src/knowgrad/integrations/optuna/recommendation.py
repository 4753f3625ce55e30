"""What to use now, of an Optuna study: the best point by the model, beside the best observation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from optuna.study import Study
from optuna.trial import FrozenTrial

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.integrations.optuna.goals import MOST
from knowgrad.integrations.optuna.groups import find_groups
from knowgrad.integrations.optuna.sampler import KnowledgeGradientSampler
from knowgrad.integrations.optuna.spaces import SearchSpace
from knowgrad.integrations.optuna.steps import Reports
from knowgrad.trial import Front, Recommendation


def recommend(study: Study, sampler: KnowledgeGradientSampler | None = None, **wish: Any) -> Recommendation:
    """The params with the best posterior mean, over what the completed trials have in common and what depends on that.

    Any study will do, whatever sampled it. `sampler` says what is known about the noise; None: the study's own if it is
    one of ours, else a default one. `wish`: of several objectives, or where there are constraints, `chance`, `weights`
    and `at` as for `knowgrad.Study.recommend`.
    """
    snapshot, search, _ = seen("recommend", study, sampler)
    found = snapshot.recommend(**wish)
    best = found.best and replace(found.best, params=search.decode(found.best.params))
    return replace(found, params=search.decode(found.params), best=best)


def front(study: Study, sampler: KnowledgeGradientSampler | None = None, *, chance: float | None = None) -> Front:
    """The Pareto front of several objectives, as `knowgrad.Study.front` has it, beside `study.best_trials`."""
    snapshot, search, _ = seen("front", study, sampler)
    found = snapshot.front(chance)
    return replace(found, points=tuple(replace(point, params=search.decode(point.params)) for point in found))


def seen(
    question: str, study: Study, sampler: KnowledgeGradientSampler | None
) -> tuple[Snapshot, SearchSpace, Reports | None]:
    """A study at this moment, what its parameters are, and what its steps are."""
    own = study.sampler
    if sampler is None:
        sampler = own if isinstance(own, KnowledgeGradientSampler) else KnowledgeGradientSampler(seed=0)
    trials = study.get_trials(deepcopy=False)
    search = sampler.declared or _common(trials)
    if len(study.directions) > MOST:
        raise ArgumentError(f"{question}: expected at most {MOST} objectives, got more; see study.best_trials")
    snapshot, reports = sampler.snapshot(study, search, trials)
    if not snapshot.complete:
        raise NoDataError(f"{question}: expected at least one completed trial, got none; call optimize() first")
    return snapshot, search, reports


def _common(trials: list[FrozenTrial]) -> SearchSpace:
    found = find_groups(trials)
    if not found.joint:
        raise NoDataError("recommend: expected a parameter that all completed trials share, got none; run more trials")
    return SearchSpace.of(found.joint, found.conditions)
