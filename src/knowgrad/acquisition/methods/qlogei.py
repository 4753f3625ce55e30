"""`qlogei`: the logarithm of parallel expected improvement, smoothed so that its gradient vanishes nowhere.

    q-logEI(z) = log E[max_j (f* − f(W_j))⁺],   W = pending ∪ z,   f* = min_i μ^(n)(x_i)

    (u)⁺     becomes   τ₀ p(u/τ₀),   p(t) = log(1 + eᵗ) + ⅒ / (1 + t²)
    max_j    becomes   τ₁ log Σ_j exp(ln a_j / τ₁),   a_j the smoothed improvement of point j

The fraction in p decays as a power, not as an exponential: a sample that is far from improving still says which way
improvement lies. The smoothed value exceeds the exact one by at most the factor r^τ₁, and by about τ₀; both vanish
with τ₀, τ₁ → 0. Everything is computed on logarithms, so nothing underflows.

Source: Ament, Daulton, Eriksson, Balandat & Bakshy, "Unexpected improvements to expected improvement for Bayesian
optimization", 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logsumexp

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.sampled import Sampled
from knowgrad.acquisition.methods.qei import incumbent
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import LogAverage, candidate_points, maximise
from knowgrad.gp.joint import Joint
from knowgrad.gp.linalg import Array

FAT = 0.1  # weight of the tail that decays as a power


@dataclass(frozen=True)
class QLogEI:
    """Options: Monte Carlo samples (a power of two), and the widths τ₀ and τ₁ of the smoothing."""

    samples: int = 512
    tau_plus: float = 1e-6
    tau_max: float = 1e-2
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        candidates = candidate_points(question, rng)
        Zq = normals(self.samples, len(question.pending) + question.q, rng)
        utility = [LogImprovement(np.array([incumbent(post)]), self.tau_plus, self.tau_max) for post in question.model]

        def build(fixed: Array) -> LogAverage:
            each = zip(question.model, utility, strict=True)
            return LogAverage([Sampled(Joint(post, fixed), Zq, h) for post, h in each])

        return Answer(maximise(question, build, candidates, rng))


@dataclass(frozen=True, eq=False)
class LogImprovement:
    """The log of the average over samples of the smoothed max_j (f* − Y_j)⁺; `best` is f*, one (1,) or per sample."""

    best: Array
    tau_plus: float
    tau_max: float

    def __call__(self, Y: Array) -> tuple[Array, Array]:
        t = (self.best[:, None] - Y) / self.tau_plus
        tail = 1.0 / (1.0 + t * t)
        p = np.logaddexp(0.0, t) + FAT * tail
        slope = expit(t) - 2.0 * FAT * t * tail * tail
        a = np.log(p) / self.tau_max
        highest = logsumexp(a, axis=2, keepdims=True)
        share = np.exp(a - highest)  # of point j in its sample
        each = self.tau_max * highest
        total = logsumexp(each, axis=1, keepdims=True)
        Y_bar = -np.exp(each - total) * share * slope / (p * self.tau_plus)
        return (total[:, 0, 0] - np.log(Y.shape[1]) + np.log(self.tau_plus)), Y_bar
