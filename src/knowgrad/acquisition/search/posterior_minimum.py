"""Where the mean of the model is lowest: what is recommended (paper Alg. 1), and what is worth verifying."""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.discretize import downhill, minima, model_mean
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.starts import common_scale
from knowgrad.acquisition.target import Target
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.space.domain import Domain

STARTS = 32
SURE = 0.1  # standard deviation of f, relative to that of all results, at which a model claims to know its minimum
TRIED = 1e-6  # length scales from an observed point


def lowest_mean(model: Model, domain: Domain, rng: np.random.Generator, target: Target | None = None) -> Array:
    """The minimiser of the model's mean over the domain, snapped (D,)."""
    lows = minima(model, domain, domain.sample(512, rng), target, starts=STARTS, steps=100, tol=1e-12)
    lows = lows if domain.is_unconstrained or not (inside := domain.contains(lows)).any() else lows[inside]
    scale, climb = common_scale(model), downhill(model_mean(model, target))

    def value(Z: Array) -> Array:
        return climb(Z, np.arange(len(Z)))[0]

    finalists = np.stack([exchange(value, low[None], domain, scale, rng, sweeps=8, climb=climb) for low in lows[:4]])
    return np.asarray(finalists[np.argmax(value(finalists)), 0])


def unverified(question: Question, rng: np.random.Generator) -> Array:
    """The minimiser of the mean (1, D), if the model is sure of it though it was never tried; else none (0, D).

    A model that is wrong is wrong there in particular, because the minimum of a mean is where its errors help it. No
    such point for a batch of one, nor where there are levels: a minimum on a level is tried before it is sure. Nor for
    a target other than f: its minimum is no single measurement.
    """
    if question.q == 1 or question.target is not None or not question.domain.continuous.all():
        return np.empty((0, question.domain.dim))
    low = lowest_mean(question.model, question.domain, rng)[None]
    sure = all(post.var(low)[0] < SURE**2 for post in question.model)
    tried = np.vstack([question.model[0].X, question.pending]) / question.model[0].ell
    new = squared_distance(low / question.model[0].ell, tried).min() > TRIED**2
    return low if sure and new else low[:0]
