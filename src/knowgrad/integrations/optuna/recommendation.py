"""What to use now, of an Optuna study: the best point as the model sees it, beside the best observation."""

from __future__ import annotations

from dataclasses import replace

from optuna.distributions import BaseDistribution
from optuna.study import Study

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.integrations.optuna.sampler import KnowledgeGradientSampler
from knowgrad.integrations.optuna.spaces import SearchSpace, common_space
from knowgrad.integrations.optuna.trials import known_trials
from knowgrad.trial import Recommendation


def recommend(study: Study, sampler: KnowledgeGradientSampler | None = None) -> Recommendation:
    """The params with the best posterior mean, over all parameters that the completed trials have in common.

    Any study will do, whatever sampled it. `sampler` says what is known about the noise; None: the study's own if it is
    one of ours, else a default one.
    """
    if len(study.directions) > 1:
        raise ArgumentError("recommend: expected a study with one objective, got several; see study.best_trials")
    own = study.sampler
    if sampler is None:
        sampler = own if isinstance(own, KnowledgeGradientSampler) else KnowledgeGradientSampler(seed=0)
    trials = study.get_trials(deepcopy=False)
    search = sampler.declared or _common(common_space(trials)[0])
    settings = sampler.settings(study, search)
    snapshot = Snapshot(search.space, known_trials(search, trials, settings.direction), settings)
    if not snapshot.complete:
        raise NoDataError("recommend: expected at least one completed trial, got none; call optimize() first")
    found = snapshot.recommendation
    best = found.best and replace(found.best, params=search.decode(found.best.params))
    return replace(found, params=search.decode(found.params), best=best)


def _common(distributions: dict[str, BaseDistribution]) -> SearchSpace:
    if not distributions:
        raise NoDataError("recommend: expected a parameter that all completed trials share, got none; run more trials")
    return SearchSpace.of(distributions)
