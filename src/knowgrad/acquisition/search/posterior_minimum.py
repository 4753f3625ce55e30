"""The posterior minimum: the point where the model's mean is lowest, recommended in the end (paper Alg. 1).

A model is sometimes wrong just there, because minimising a mean favours the places where its errors are negative. So
`qkg` verifies the minimum, that is, measures it, once the model is sure of it.
"""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.discretize import downhill, minima, model_mean
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.shortlist import shortlist
from knowgrad.acquisition.search.starts import common_scale
from knowgrad.acquisition.target import Averaged
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.space.domain import Domain

STARTS = 32
SURE = 0.1  # standard deviation of f at its minimum, relative to that of all results, below which the model is sure
TRIED = 1e-6  # length scales from a measured point within which a point counts as measured


def lowest_mean(model: Model, domain: Domain, rng: np.random.Generator, target: Averaged | None = None) -> Array:
    """The minimiser of the model's mean over the domain, snapped (D,)."""
    lows = minima(model, domain, shortlist(domain, model, 512, rng), target, starts=STARTS, steps=100, tol=1e-12)
    lows = lows if domain.is_unconstrained or not (inside := domain.contains(lows)).any() else lows[inside]
    scale, climb = common_scale(model), downhill(model_mean(model, target))

    def value(Z: Array) -> Array:
        return climb(Z, np.arange(len(Z)))[0]

    finalists = np.stack([exchange(value, low[None], domain, scale, rng, sweeps=8, climb=climb) for low in lows[:4]])
    return np.asarray(finalists[np.argmax(value(finalists)), 0])


def unverified_minimum(question: Question, rng: np.random.Generator) -> Array:
    """The posterior minimum (1, D), if the model is sure of it and it was never measured; else no point (0, D).

    None either for a batch of one, which is left to q-KG, for a domain with levels, where the minimum is measured
    before the model can be sure of it, or for a target other than f, whose minimum is no single measurement.
    """
    if question.q == 1 or question.target is not None or not question.domain.continuous.all():
        return np.empty((0, question.domain.dim))
    low = lowest_mean(question.model, question.domain, rng)[None]
    sure = all(post.var(low)[0] < SURE**2 for post in question.model)
    tried = np.vstack([question.model[0].X, question.pending]) / question.model[0].ell
    new = squared_distance(low / question.model[0].ell, tried).min() > TRIED**2
    return low if sure and new else low[:0]
