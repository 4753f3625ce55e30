"""Where every method begins to look: points spread over the domain, minima of the mean, their surroundings, and the
best observed points, because under noise the best next measurement may be a replicate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.discretize import lowest, minima, reach
from knowgrad.acquisition.search.shortlist import shortlist
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.space.domain import Domain


@dataclass(frozen=True, eq=False)
class Starts:
    """`spread` over the domain, the local minima of each posterior's mean, and all `points` worth trying first."""

    spread: Array
    lows: list[Array]
    points: Array


def starts(question: Question, rng: np.random.Generator, spread: int = 256, keep: int = 32) -> Starts:
    """Draw `spread` points for screening, of which `keep` are among the points to try."""
    domain, target = question.domain, question.target
    candidates = shortlist(domain, question.model, spread, rng)
    lows, points, share = [], [candidates[:keep]], len(question.model)
    for post in question.model:
        low = settle(domain, minima((post,), domain, candidates, target))
        low = low if len(low) else lowest((post,), domain.within(post.X), 1, target)
        nearby = low[0] + 0.2 * reach(post) * domain.free * rng.standard_normal((max(32 // share, 8), domain.dim))
        known = lowest((post,), domain.within(post.X), max(16 // share, 4), target)
        points += [low, settle(domain, domain.project(nearby)), known]
        lows.append(low)
    return Starts(candidates, lows, np.vstack(points))


def settle(domain: Domain, U: Array) -> Array:
    """What can really be tried or recommended: snapped, and inside the domain."""
    U = domain.snap(U)
    return U if domain.is_unconstrained else U[domain.contains(U)]


def common_scale(model: Model) -> Array:
    """The length over which the model bends in each column (D,)."""
    return np.asarray(np.mean([reach(post) for post in model], axis=0))
