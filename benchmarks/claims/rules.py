"""Rules of what to recommend, given a study at one moment and the minimum of its posterior mean: points of the cube."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.evidence import best_tried, weighed
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import mean_and_sd

Rule = Callable[[Snapshot, Array], Array]
NINETY = 1.6448536269514722


def minimum(state: Snapshot) -> Array:
    """The paper's: the argmin of the posterior mean."""
    return lowest_mean(state.model.model, state.model.safe(state.domain()), state.rng(3))


def lowest_tried(state: Snapshot, low: Array) -> Array:
    X: Array = state.model.observed[0].X
    return X[np.argmin(mean_and_sd(state.model.model, X)[0])]


def best_observed(state: Snapshot, low: Array) -> Array:
    post = state.model.observed[0]
    return np.asarray(post.X[np.argmin(post.y)])


def pessimistic(state: Snapshot, low: Array) -> Array:
    """The point whose 90 % interval, by the posterior alone, ends lowest: of those tried and the minimum."""
    points = np.vstack([low, state.model.observed[0].X])
    mean, sd = mean_and_sd(state.model.model, points)
    return np.asarray(points[np.argmin(mean + NINETY * sd)])


def ahead(times: float, state: Snapshot, low: Array) -> Array:
    """The minimum, if it is ahead of the best tried by so many standard deviations of the evidence."""
    tried = best_tried(state.model, state.space)
    (evidence,) = weighed(state.model, state.space, tried, low[None])
    gain, sd = evidence.ahead
    return low if gain > times * sd else np.asarray(state.model.observed[0].X[tried.row])


RULES: dict[str, Rule] = {
    "recommended": lambda state, low: state.space.encode(state.recommendation.params),
    "minimum of the mean": lambda state, low: low,
    "lowest mean among tried": lowest_tried,
    "best observed": best_observed,
    "pessimistic": pessimistic,
    **{f"{times} sd ahead": partial(ahead, times) for times in (0.5, 1.0, 2.0)},
}
