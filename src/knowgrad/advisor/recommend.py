"""What to use now, with its uncertainty: the best point tried, or one never tried where the evidence for it is better.

The paper recommends the argmin of the posterior mean over the whole domain (Alg. 1). The minimum of a mean is where its
errors help it: on a surface with cliffs and plateaus it is often worse than a point in hand. So a point that was never
tried has to be better than the best one in hand, and not only by what is unknown of the two (`evidence`). Of the points
on the way to the argmin it is the one for which the evidence is best.
`docs/calibration.md` has the comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.acquisition.search.starts import settle
from knowgrad.acquisition.target import Averaged, Target, mean_of, variance_of
from knowgrad.advisor.about import about
from knowgrad.advisor.earlier import HERE, extended, stripped
from knowgrad.advisor.evidence import CAUTION, WIDER, at_bound, best_tried, on_the_way, unseen, weighed
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.model.fitted import Fitted
from knowgrad.space import Params
from knowgrad.space.domain import Domain
from knowgrad.trial import Recommendation, best_of

NEGLIGIBLE = 0.003  # standard deviation of an average that is known exactly, relative to that of all results


@one_thread
def recommend(
    moment: Moment, given: Params | None = None, tolerance: Mapping[str, float] | None = None
) -> Recommendation:
    """In user units. At least one trial must be complete.

    `given` are values that it is to have; `tolerance` half-widths within which settings are held, so that the best is
    that of the average over all settings within them.
    """
    if moment.settings.earlier:
        return _after(moment, recommend(extended(moment), {**(given or {}), **HERE}, tolerance))
    subject, tolerance = about(moment, given), tolerance or {}
    subject.check_tolerance(tolerance)
    here = [trial for trial in moment.complete if subject.holds(trial)]
    best = best_of(here, moment.settings.direction)
    if (inner := subject.inside(moment)) is not None:
        found = recommend(inner, tolerance=tolerance)
        return replace(found, params=subject.whole(found.params), best=best)
    domain = subject.decided_in(moment)
    target = subject.decided(tolerance)
    if target is None or (target is subject.target and not subject.averaged):
        bound = not moment.space.reaches and bool(here) and at_bound(here, moment.settings.direction)
        params, mean, sd = _best(moment, domain, subject.target, bound)
    else:
        u, mean, sd = _lowest_average(moment, moment.linear if tolerance else moment.model, domain, target)
        params = subject.answered(moment.space.decode(u))
    return Recommendation(params, mean, sd, len(moment.complete), best)


def _after(moment: Moment, found: Recommendation) -> Recommendation:
    """As an answer about this study alone."""
    best = found.best
    mine = None if best is None else next((trial for trial in moment.complete if trial.id == best.id), None)
    return replace(found, params=stripped(found.params), n_observed=len(moment.complete), best=mine)


def _best(moment: Moment, domain: Domain, target: Target | None, bound: bool) -> tuple[Params, float, float]:
    """Where f, or f at the target's row, is lowest, and its mean and standard deviation there.

    `bound`: the best result is one that f cannot pass.
    """
    found = moment.model
    domain = found.safe(domain)
    u = lowest_mean(found.model, domain, moment.rng(3), target)
    among = None if target is None else target.is_at(found.observed[0].X)
    if among is not None and not among.any():
        return moment.space.decode(u), *_said(found, *unseen(found, moment.space, u))
    tried = best_tried(found, moment.space, among)
    way = np.vstack([settle(domain, on_the_way(found, tried, u)), u])
    each = weighed(found, moment.space, tried, way)
    better = [k for k, row in enumerate(way) if each[k].favours_untried() and not found.is_tried(row)]
    if bound or not better:
        params = found.done[tried.row].params  # may have parameters that the space had before it was changed
        return {name: params[name] for name in params if name in moment.space.parameters}, *_said(found, *each[0].tried)
    best = max(better, key=lambda k: each[k].margin)
    return moment.space.decode(way[best]), *_said(found, *each[best].untried)


def _said(found: Fitted, mean: float, sd: float) -> tuple[float, float]:
    """Mean and standard deviation as a user reads them."""
    return found.units.value(mean), found.units.deviation(mean, WIDER * sd)


def _lowest_average(moment: Moment, found: Fitted, domain: Domain, target: Averaged) -> tuple[Array, float, float]:
    """The same of a weighted sum of f: its lowest mean, or where it is known exactly.

    Another average has to be better even if it is CAUTION standard deviations worse than expected.
    """
    u = lowest_mean(found.model, found.safe(domain), moment.rng(3), target)
    if found.exact_at(u[None]):
        U = np.vstack([u, domain.project(found.observed[0].X)])
        mean, sd = average_and_sd(found.model, U, target)
        known = np.flatnonzero((sd <= NEGLIGIBLE) & domain.contains(U))
        best = known[np.argmin(mean[known])] if len(known) else 0
        is_sure = sd[0] <= NEGLIGIBLE or mean[0] + CAUTION * sd[0] <= mean[best]
        u = U[0 if mean[0] <= mean[best] and is_sure else best]
    mean, sd = average_and_sd(found.model, u[None], target)
    return u, *_said(found, float(mean[0]), float(sd[0]))


def average_and_sd(model: Model, U: Array, target: Averaged) -> tuple[Array, Array]:
    """Of the target at the rows of U, under the mixture of posteriors."""
    means = np.array([mean_of(target, post, U) for post in model])
    variances = np.array([variance_of(target, post, U) for post in model])
    return means.mean(axis=0), np.sqrt(variances.mean(axis=0) + means.var(axis=0))
