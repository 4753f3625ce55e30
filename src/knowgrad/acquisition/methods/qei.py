"""`qei`: parallel expected improvement by Monte Carlo, maximised along its IPA gradient (as in MOE).

    q-EI(z) = E[(f* − min f(W))⁺],   W = pending ∪ z,   f* = min_i μ^(n)(x_i)

f is the latent function: with exact measurements f(x_i) = y_i, so f* is the best observation and f(z) is y(z). With
noise the best observation is the luckiest one, and the least posterior mean at an observed point takes its place.

Source: Wang, Clark, Liu & Frazier, "Parallel Bayesian global optimization of expensive functions", 2016 (MOE);
Ginsbourger, Le Riche & Carraro, "Kriging is well-suited to parallelize optimization", 2010.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.sampled import Sampled
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average, candidate_points, maximise
from knowgrad.gp.joint import Joint
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior


@dataclass(frozen=True)
class QEI:
    """Options: Monte Carlo samples (a power of two)."""

    samples: int = 1024
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        candidates = candidate_points(question, rng)
        Zq = normals(self.samples, len(question.pending) + question.q, rng)

        def build(fixed: Array) -> Average:
            return Average([Sampled(Joint(post, fixed), Zq, Improvement(incumbent(post))) for post in question.model])

        return Answer(maximise(question, build, candidates, rng))


def incumbent(posterior: Posterior) -> float:
    """f*: the least posterior mean at an observed point."""
    return float(posterior.mean(posterior.X).min())


@dataclass(frozen=True)
class Improvement:
    """The average over samples of (f* − min Y)⁺."""

    best: float

    def __call__(self, Y: Array) -> tuple[Array, Array]:
        first = np.argmin(Y, axis=2)[:, :, None]
        gain = self.best - np.take_along_axis(Y, first, axis=2)
        Y_bar = np.zeros_like(Y)
        np.put_along_axis(Y_bar, first, np.where(gain > 0.0, -1.0 / Y.shape[1], 0.0), axis=2)
        return np.maximum(gain, 0.0).mean(axis=(1, 2)), Y_bar
