"""`qlognei`: noisy parallel expected improvement, on the logarithm and smoothed as in `qlogei`.

    q-logNEI(z) = log E[max_j (min_i f(x_i) − f(W_j))⁺],   W = pending ∪ z

Where measurements are noisy the best point so far is not known: f(x_1:n) is drawn with f(W), from their joint
posterior. Given f at the observed points, the noisy measurements of them say nothing more about f elsewhere, so a
sample of f(x_1:n) is data without noise, with weights w_k = K(X, X)⁻¹ (f_k − m) for its mean; the covariance is the
same for all samples. Exact measurements get back `qlogei`.

    symbol   name       shape    meaning
    f_k      values     (N, n)   samples of f at the distinct observed points
    w_k      weights    (N, n)

Source: Letham, Karrer, Ottoni & Bakshy, "Constrained Bayesian optimization with noisy experiments", 2019; Ament et al.,
2023 (as `qlogei`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.sampled import Sampled
from knowgrad.acquisition.methods.qlogei import LogImprovement, QLogEI
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import LogAverage, candidate_points, maximise
from knowgrad.gp.joint import Joint
from knowgrad.gp.linalg import SAMPLE_NUGGET, Array, cholesky
from knowgrad.gp.posterior import Posterior


@dataclass(frozen=True, eq=False)
class Integrated:
    """Samples of f(x_1:n) as data: the posterior given f(X), weights per sample, min_i f(x_i), and normals for f(W)."""

    exact: Posterior
    weights: Array
    best: Array
    Zq: Array


@dataclass(frozen=True)
class QLogNEI(QLogEI):
    """The options of `QLogEI`."""

    samples: int = 256

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        candidates, r = candidate_points(question, rng), len(question.pending) + question.q
        each = [integrated(post, self.samples, r, rng) for post in question.model]

        def sampled(one: Integrated, fixed: Array) -> Sampled:
            utility = LogImprovement(one.best, self.tau_plus, self.tau_max)
            return Sampled(Joint(one.exact, fixed, one.weights), one.Zq, utility)

        def build(fixed: Array) -> LogAverage:
            return LogAverage([sampled(one, fixed) for one in each])

        return Answer(maximise(question, build, candidates, rng))


def integrated(posterior: Posterior, N: int, r: int, rng: np.random.Generator) -> Integrated:
    """N samples of f at the observed points, with normals (N, r) for r further points."""
    X = np.unique(posterior.X, axis=0)
    Z = normals(N, r + len(X), rng)
    nugget = np.full(len(X), SAMPLE_NUGGET * posterior.s2)
    L, _ = cholesky(posterior.cov(X, X) + np.diag(nugget))
    values = posterior.mean(X) + Z[:, r:] @ L.T
    exact = Posterior.build(
        X, values[0], nugget, posterior.ell, posterior.s2, posterior.m, posterior.noise, posterior.kernel
    )
    weights = (values - posterior.m) @ exact.Linv.T @ exact.Linv
    return Integrated(exact, weights, values.min(axis=1), Z[:, :r])
