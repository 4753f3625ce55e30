"""`mc-ei`: greedy EI averaged over fantasies (Snoek, Larochelle & Adams, NIPS 2012: Spearmint).

    z_j = argmax E[EI(z | f(W))],   f(W) ~ the posterior of f at W = pending ∪ {z_i, i < j}

The mean over fantasies is one over (say 100) joint draws of f at W, free of noise, made anew for each posterior of the
model and kept while the batch grows. All fantasies share one variance; each has its own mean and its own f*. A fantasy
is D ε on top of the mean, ε ~ N(0, I), so in the coordinates whitened by the Cholesky factor of [X; W] it is ε itself:

    α = L⁻ᵀ [L_n⁻¹ (y − m); ε]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from knowgrad.acquisition.criteria.improvement import expected_improvement, incumbents, log_ei
from knowgrad.acquisition.criteria.pointwise import Pointwise, Term
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import condition_exact, greedy
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model, Posterior


@dataclass(frozen=True)
class MCEI:
    """Option: fantasies per posterior."""

    fantasies: int = 100
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        p, q = len(question.pending), question.q
        normals = rng.standard_normal((len(question.model), p + q, self.fantasies))

        def step(model: Model, j: int) -> Pointwise:
            return fantasised_ei(model, normals[:, : p + j])

        return Answer(greedy(question, rng, step, condition_exact))


def fantasised_ei(model: Model, normals: Array) -> Pointwise:
    """log of EI averaged over posteriors and fantasies; normals (posteriors, r, N) for the last r points of each."""
    if not normals.shape[1]:
        return expected_improvement(model)
    terms = []
    for post, epsilon in zip(model, normals, strict=True):
        alpha = fantasies(post, epsilon)
        terms.append(Term(post, partial(log_ei, incumbents(post, alpha)), alpha))
    return Pointwise(terms, logarithmic=True)


def fantasies(posterior: Posterior, epsilon: Array) -> Array:
    """The weights α (n + r, N) of the means if the results at the last r points are drawn by ε (r, N)."""
    white = np.repeat((posterior.Linv @ (posterior.y - posterior.m))[:, None], epsilon.shape[1], axis=1)
    white[-len(epsilon) :] = epsilon
    return np.asarray(posterior.Linv.T @ white)
