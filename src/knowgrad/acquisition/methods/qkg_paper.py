"""`qkg-paper`: q-KG as Wu & Frazier (NIPS 2016) compute it, for comparison with the faster default.

A_n = M sampled optima of the posterior ∪ x_1:n ∪ z (§5.3), multi-start stochastic gradient ascent on the IPA gradient
(§5.2) with steps γ_t = γ_0 / (1 + t)^0.7, so that γ_t → 0, Σ γ_t = ∞ and Σ γ_t² < ∞ (appendix D), and hyperparameters
by maximum likelihood (§6).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.methods.qkg import factors, fresh, true_value
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.discretize import sampled_optima
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.starts import common_scale, settle
from knowgrad.gp.linalg import Array


@dataclass(frozen=True)
class PaperQKG:
    """Options: M sampled optima, normals per gradient, starts and steps of the ascent, first step in length scales."""

    M: int = 1000
    samples: int = 32
    starts: int = 8
    steps: int = 100
    first_step: float = 0.3
    fit: str = "mle"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        domain, model, q = question.domain, question.model, question.q
        spread = domain.sample(256, rng)
        optima = [sampled_optima(post, domain, spread, self.M, rng, question.target) for post in model]
        sets = [np.vstack([settle(domain, x), post.X]) for x, post in zip(optima, model, strict=True)]
        Z = domain.sample(self.starts * q, rng).reshape(self.starts, q, -1)
        Z = self._ascend(question, sets, Z, rng)
        finalists = Average(factors(question, sets, question.pending, self._normals(question, 256, rng)))
        z = Z[np.argmax(finalists.value(Z))]
        z = exchange(finalists.value, z, domain, common_scale(model), rng)
        return Answer(z, *true_value(question, sets, z, fresh(question, 128, rng)))

    def _ascend(self, question: Question, sets: list[Array], Z: Array, rng: np.random.Generator) -> Array:
        """Z_{t+1} = Π(Z_t + γ_t G(Z_t)), G an unbiased gradient from fresh normals; infeasible moves are not made."""
        domain, (S, q, D) = question.domain, Z.shape
        scale = common_scale(question.model)
        unit = np.zeros((S, 1, 1))
        for t in range(self.steps):
            Zq = self._normals(question, self.samples, rng)
            _, G = Average(factors(question, sets, question.pending, Zq))(Z, np.arange(S))
            G = G * domain.free * scale  # in units of length scales
            norm = np.max(np.abs(G), axis=(1, 2), keepdims=True)
            unit = np.maximum(unit, norm)  # γ_0 per start: the largest gradient it has met moves it by `first_step`
            step = self.first_step / (1.0 + t) ** 0.7 * G / np.maximum(unit, 1e-300)
            moved = domain.project(Z + scale * step)
            if not domain.is_unconstrained:
                inside = domain.contains(moved.reshape(-1, D)).reshape(S, q, 1)
                moved = np.where(inside, moved, Z)
            Z = moved
        return Z

    @staticmethod
    def _normals(question: Question, N: int, rng: np.random.Generator) -> Array:
        return rng.standard_normal((N, len(question.pending) + question.q))
