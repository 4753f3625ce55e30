"""`ucb`: the confidence bound (Cox & John, 1992; Srinivas et al., 2010), for minimisation the lower one.

    z = argmin μ^(n)(z) − √β s(z),   β = 2 ln(d t² π² / (6 δ)),   t = n + p + 1

Optimism: try what could be best. The schedule is made for small cumulative regret and explores more than a good final
answer needs. Bounds are averaged over the posteriors.

Sequential. For q > 1 or with points pending, these are believed to return their posterior mean (the variance falls, the
mean stays), with one β for the whole batch; `gp-bucb` moves β on with every point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.bounds import beta, check_delta, evaluations, optimism
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import greedy


@dataclass(frozen=True)
class UCB:
    """Options: δ of the schedule, or a fixed β in its place."""

    delta: float = 0.1
    beta: float | None = None
    fit: str = "map"

    def __post_init__(self) -> None:
        check_delta(self.delta)
        if self.beta is not None and not self.beta >= 0.0:
            raise ValueError(f"beta: expected a number of at least 0 or None, got {self.beta!r}; pass 4.0, say")

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        scheduled = beta(evaluations(question) + 1, question.domain.n_params, self.delta)
        width = (scheduled if self.beta is None else self.beta) ** 0.5
        return Answer(greedy(question, rng, lambda model, _: optimism(model, width)))
