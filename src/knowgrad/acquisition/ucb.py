"""`ucb`: the confidence bound (Cox & John, 1992; Srinivas et al., 2010), for minimisation the lower one.

    z = argmin μ^(n)(z) − √β s(z),   β = 2 ln(d t² π² / (6 δ)),   t = n + p + 1

Optimism: try what could be best. The schedule is made for small cumulative regret with certainty 1 − δ; it explores
more than a good final answer needs. Bounds are averaged over the posteriors.

Sequential. For q > 1 or with points pending, these are believed to return their posterior mean (the variance falls, the
mean stays), with one β for the whole batch; `gp-bucb` moves β on with every point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.base import Answer, Question
from knowgrad.acquisition.bounds import beta, evaluations, optimism
from knowgrad.acquisition.greedy import greedy


@dataclass(frozen=True)
class UCB:
    """Options: δ of the schedule, or a fixed β in its place."""

    delta: float = 0.1
    beta: float | None = None
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        width = self.beta if self.beta is not None else beta(evaluations(question) + 1, question.domain.dim, self.delta)
        return Answer(greedy(question, rng, lambda model, _: optimism(model, width**0.5)))
