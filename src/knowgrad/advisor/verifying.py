"""When what cheap evaluations say is to be verified at the target.

A search by value per cost may go on for ever with cheap evaluations: a model that believes them is sure of the target,
and an evaluation there is worth nothing to it. Where it is wrong about how they are related, nothing would ever tell.
So once cheap evaluations have cost more, since the last one at the target, than one at the minimum of the mean does,
it is measured there next, unless it was. That takes half of the cost at most. While runs are paused, their rests are
what leads to the target."""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.about import About
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.prices import Prices
from knowgrad.advisor.resuming import paused_runs
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

VERIFIED = "target"  # the source of such a trial
GONE = ("expired", "discarded")


def unverified(moment: Moment, subject: About, domain: Domain, prices: Prices | None) -> Array:
    """The minimum of the mean at the target (1, D), if it is to be measured next; else no point (0, D)."""
    none, target = np.empty((0, domain.dim)), subject.target
    if target is None or not subject.at or len(target.rows) > 1 or prices is None or prices.searched is None:
        return none
    there = [i for i, trial in enumerate(moment.trials) if trial.state not in GONE and subject.is_in_context(trial)]
    points = moment.data.points[there]
    last = np.max(np.flatnonzero(target.is_at(points)), initial=-1)
    if last + 1 == len(points):
        return none
    told = np.array([np.nan if (cost := moment.trials[i].cost) is None else cost for i in there[last + 1 :]])
    spent = float(np.where(np.isnan(told), prices.cost.value(points[last + 1 :]), told).sum())
    if spent < prices.cost.value(target.expand(points)).min():
        return none
    if paused_runs(moment, prices.cost):  # going on with one of them costs less
        return none
    found = moment.model
    low = target.expand(lowest_mean(found.model, found.safe(domain), moment.rng(11), target)[None])
    if spent < prices.of(low) or not domain.contains(low)[0]:
        return none
    return none if (np.abs(points - low) <= 1e-12).all(axis=1).any() else low
