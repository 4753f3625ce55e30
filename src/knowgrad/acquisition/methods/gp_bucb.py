"""`gp-bucb`: batches by confidence bounds (Desautels, Krause & Burdick, 2014), for minimisation.

    z_j = argmin μ^(n)(z) − √β_t s^(n+j−1)(z),   β_t = 2 ln(d t² π² / (6 δ)),   t = n + p + j

The mean stays as the results so far make it; the variance is that given the points already in the batch and those
pending, which needs no result. The constant by which the theory widens the bounds inside a batch is left at one. Bounds
are averaged over the posteriors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.bounds import beta, check_delta, evaluations, optimism
from knowgrad.acquisition.criteria.pointwise import Pointwise
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import greedy
from knowgrad.gp.posterior import Model


@dataclass(frozen=True)
class GPBUCB:
    """Option: δ of the schedule."""

    delta: float = 0.1
    fit: str = "map"

    def __post_init__(self) -> None:
        check_delta(self.delta)

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        begun = evaluations(question)

        def step(model: Model, j: int) -> Pointwise:
            return optimism(model, beta(begun + j + 1, question.domain.n_params, self.delta) ** 0.5)

        return Answer(greedy(question, rng, step))
