"""What to use now where several outcomes count: the best of what keeps the limits with the chance asked for.

With one objective the rule is that for one outcome, among what keeps the limits: the best point tried, or one never
tried where the evidence for it is better. Where the limited outcomes are exact it is the best point tried, which keeps
the limits for certain: at the best a limit is just kept, and no model is that exact. If nothing keeps the limits with
that chance, it is what most likely does. Several objectives are weighed by the user's weights, or balanced: the least
of their shares of the front's extent is greatest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.acquisition.problem import Rows
from knowgrad.acquisition.search.discretize import model_mean, reach
from knowgrad.acquisition.search.optima import current_optima
from knowgrad.acquisition.search.surfaces import posterior_surfaces, widened
from knowgrad.acquisition.search.within import along_limits, best_within, likeliest
from knowgrad.acquisition.target import Field
from knowgrad.advisor.about import about
from knowgrad.advisor.evidence import best_tried, weighed
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.recommend import recommend
from knowgrad.advisor.several.asked import Wish
from knowgrad.advisor.several.beliefs import Beliefs
from knowgrad.advisor.several.front import SPREAD, least_share
from knowgrad.advisor.several.parts import Parts, informative
from knowgrad.advisor.several.suggest import is_plain
from knowgrad.advisor.several.wishes import betweens, likely, utility_of, widest
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted
from knowgrad.space import Params
from knowgrad.space.domain import Domain
from knowgrad.trial import Recommendation, best_of, sign_of, value_of, within

STARTS = 16
NEVER = 1e-3  # a chance that is no better than any other


@one_thread
def recommend_several(moment: Moment, parts: Parts, wish: Wish, given: Params | None = None) -> Recommendation:
    """In user units. At least one result of every outcome is needed; `given` are values that it is to have."""
    parts.check_results("recommend")
    subject = about(moment, given)
    where = subject.domain(moment)
    parts = parts.within(subject, where)
    bound, weights = {limit.outcome for limit in wish.at}, dict(wish.weights) or None
    free = tuple(name for name in parts.objectives if name not in bound) or parts.objectives
    wanted = replace(parts, objectives=free, limits=(*parts.limits, *wish.at))
    best = None
    if len(parts.objectives) == 1:
        best = best_of(within(filter(subject.holds, moment.complete), parts.limits), moment.settings.direction)
    if is_plain(parts, where, moment.rng(5)):
        found = recommend(parts.first, given)
        u = moment.space.encode_many([found.params])[0]
        each = {**Beliefs.at(parts, u[None]).values(0), free[0]: (found.mean, found.sd)}
        return replace(found, best=best, outcomes=each, **_chances(wanted, u))
    domain = parts.first.model.safe(where)
    search = Search.of(wanted, domain, wish.chance, np.vstack([parts.tried, domain.sample(SPREAD, moment.rng(3))]))
    score = search.score(weights)
    u = search.best_one(moment, score) if len(free) == 1 else search.best(score)
    values = Beliefs.at(parts, u[None]).values(0)
    mean, sd = values[free[0]]
    params, n = dict(moment.space.decode(u)), informative(moment)
    return Recommendation(params, mean, sd, n, best, outcomes=values, **_chances(wanted, u))


def _chances(parts: Parts, u: Array) -> dict[str, Any]:
    """With which the limits hold at u (D,), all together and each."""
    beliefs, limits = Beliefs.at(parts, u[None]), parts.limits
    together = float(beliefs.chance(*limits)[0]) if limits else None
    return {"chance": together, "chances": {str(limit): float(beliefs.chance(limit)[0]) for limit in limits}}


def named(moment: Moment, found: Recommendation) -> Recommendation:
    """That of the study of the only objective, as one of a study whose outcomes have names."""
    (name, _), *_ = moment.settings.objectives
    trial = None if found.best is None else moment.trials[[each.id for each in moment.trials].index(found.best.id)]
    return replace(found, best=trial, outcomes={name: (found.mean, found.sd)})


@dataclass(frozen=True, eq=False)
class Search:
    """For a point of low score that keeps the limits, from points all over the domain."""

    parts: Parts
    domain: Domain
    chance: float
    spread: Array
    utility: Utility

    @classmethod
    def of(cls, parts: Parts, domain: Domain, chance: float, spread: Array) -> Search:
        limits = betweens(parts, parts.limits)
        return cls(parts, domain, chance, spread, utility_of(parts, limits, domain, spread))

    def score(self, weights: Mapping[str, float] | None) -> Field:
        """What is minimised."""
        fits = [self.parts.each[name].model for name in self.parts.objectives]
        if len(fits) == 1:
            return model_mean(fits[0].model)
        if weights is None:
            return least_share(self.utility, self.parts, np.ones((STARTS, len(fits))))
        unit = sum(abs(weights.get(each, 0.0)) * fit.units.difference(1.0) for each, fit in self._named(fits))

        def weighted(U: Array, rows: Rows) -> tuple[Array, Array]:
            total, slope = np.zeros(len(U)), np.zeros_like(U)
            for name, fit in self._named(fits):
                mean, gradient = model_mean(fit.model)(U, rows)
                value, by_mean = fit.units.turned(mean)
                total += weights.get(name, 0.0) / unit * value
                slope += (weights.get(name, 0.0) / unit * by_mean)[:, None] * gradient
            return total, slope

        return weighted

    def _named(self, fits: list[Fitted]) -> list[tuple[str, Fitted]]:
        return list(zip(self.parts.objectives, fits, strict=True))

    def untried(self, score: Field) -> Array:
        """Points to be considered (s, D): good ones under the limits, and such as are likely to keep them."""
        posteriors = [fit.model[0] for fit in self.parts.fits]
        surfaces = posterior_surfaces(self.utility, posteriors)
        scale = np.mean([reach(post) for post in posteriors], axis=0)
        lam = np.ones((STARTS, self.utility.m))
        start = current_optima(self.utility, posteriors, self.domain, self.spread, lam)
        values = score(self.spread, np.zeros(len(self.spread), dtype=np.intp))[0]
        held = self._chance(self.spread) >= self.chance
        low = self.spread[np.argsort(np.where(held, values, np.inf), kind="stable")[:STARTS]]
        start = np.vstack([start[: STARTS // 2], low[: STARTS // 2]])
        found = [best_within(score, self.utility, surfaces, self.chance, start, self.domain, scale)]
        if self.utility.limits:
            found.append(likeliest(self.utility, surfaces, start[:4], self.domain, scale))
            ends = found[0]
            values = np.where(self._chance(ends) >= self.chance, score(ends, np.arange(len(ends)))[0], np.inf)
            u = ends[np.argmin(values)]
            for _ in range(2):  # what one may rely on is wider than the posterior, by how much depends on the place
                wide = widened(surfaces, self._ratios(u))
                near = best_within(score, self.utility, wide, self.chance, np.vstack([u, ends[:3]]), self.domain, scale)
                u = along_limits(score, self.utility, wide, self.chance, near[0], self.domain)
                found += [near, u[None]]
        points = self.domain.snap(np.vstack(found))
        inside = points if self.domain.is_unconstrained else points[self.domain.contains(points)]
        return inside if len(inside) else self.spread[:1]

    def _ratios(self, u: Array) -> Array:
        """Of every outcome at u (D,), the standard deviation one may rely on to that of the posterior."""
        sd = np.array([np.sqrt(fit.model[0].var(u[None])[0]) for fit in self.parts.fits])
        return np.asarray(Beliefs.at(self.parts, u[None]).sd[:, 0] / np.maximum(sd, 1e-12))

    def _chance(self, U: Array) -> Array:
        """By the posterior, for many points."""
        from_posterior = widest(self.parts, self.utility.limits)
        return likely(from_posterior, self.parts.fits, U)

    def best(self, score: Field) -> Array:
        """The point of lowest score that keeps the limits, tried or not (D,).

        Where none does, the likeliest to keep them; where that is nowhere likely, what breaks them least.
        """
        U = np.vstack([self.parts.tried, self.untried(score)])
        beliefs = Beliefs.at(self.parts, U)
        chance = beliefs.chance(*self.parts.limits)
        if chance.max() < NEVER:
            return np.asarray(U[np.argmin(beliefs.excess(*self.parts.limits))])
        if not (chance >= self.chance).any():
            return np.asarray(U[np.argmax(chance)])
        values = score(U, np.zeros(len(U), dtype=np.intp))[0]
        return np.asarray(U[np.argmin(np.where(chance >= self.chance, values, np.inf))])

    def best_one(self, moment: Moment, score: Field) -> Array:
        """The same of one objective; a point that was never tried has to have the better evidence."""
        found = self.parts.first.model
        X, new = found.observed[0].X, self.untried(score)
        held = Beliefs.at(self.parts, X).chance(*self.parts.limits) >= self.chance
        exact = is_exact(moment, self.parts, X[0])
        if exact and not (set(self.parts.limits) - set(moment.settings.limits)):
            held = kept(moment, found)
        held = held & self.parts.inside(found.done)
        chance = Beliefs.at(self.parts, new).chance(*self.parts.limits)
        keeps = chance >= self.chance
        if not keeps.any() and not held.any():
            return self.best(score)
        values = np.where(keeps, score(new, np.zeros(len(new), dtype=np.intp))[0], np.inf)
        u = np.asarray(new[np.argmin(values)])
        if not held.any():
            return u
        if exact and found.exact_at(X[:1]):  # what was measured is what it is, whatever the model makes of it
            values = np.array([sign_of(moment.settings.direction) * value_of(trial) for trial in found.done])
            return np.asarray(X[np.argmin(np.where(held, values, np.inf))])
        tried = best_tried(found, moment.space, held)
        (evidence,) = weighed(found, moment.space, tried, u[None])
        is_better = keeps.any() and evidence.favours_untried() and not exact
        return u if is_better else np.asarray(X[tried.row])


def is_exact(moment: Moment, parts: Parts, u: Array) -> bool:
    """Has the study limits, on outcomes that are exact? Then what was measured keeps them for certain."""
    limited = {limit.outcome for limit in moment.settings.limits}
    return bool(limited) and all(parts.each[name].model.exact_at(u[None]) for name in limited)


def kept(moment: Moment, found: Fitted) -> NDArray[np.bool_]:
    """Which results of the objective were measured to keep all limits (n,)."""
    trials = {trial.number: trial for trial in moment.trials}
    same = [trials[trial.number] for trial in found.done]
    keeping = {trial.number for trial in within(same, moment.settings.limits)}
    return np.array([trial.number in keeping for trial in found.done])
