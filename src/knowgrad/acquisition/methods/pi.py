"""`pi`: probability of improvement (Kushner, 1964; Törn & Žilinskas, 1989).

    PI(z) = P(f(z) < f* − ξ) = Φ(u),   u = (f* − ξ − μ^(n)(z))/s,   f* = min_i μ^(n)(x_i)

Maximised as log Φ, which does not underflow. Counts how often a point improves, not by how much: without the margin ξ
it would sit next to the incumbent, where a tiny improvement is all but certain.

Sequential. For q > 1 or with points pending, these count as known to be at their posterior mean (the variance falls,
the mean stays) and count in f*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import log_ndtr

from knowgrad.acquisition.criteria.improvement import incumbents, mills
from knowgrad.acquisition.criteria.pointwise import Pointwise, Term
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import condition_exact, greedy
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model


@dataclass(frozen=True)
class PI:
    """Option: the margin ξ, in standard deviations of the observations."""

    margin: float = 0.01
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        return Answer(
            greedy(question, rng, lambda model, _: probability_of_improvement(model, self.margin), condition_exact)
        )


def probability_of_improvement(model: Model, margin: float) -> Pointwise:
    """log of PI averaged over the posteriors."""
    return Pointwise([Term(post, partial(log_pi, incumbents(post) - margin)) for post in model], logarithmic=True)


def log_pi(target: Array, mu: Array, sd: Array) -> tuple[Array, Array, Array]:
    """log PI, ∂/∂μ and ∂/∂s."""
    u = (target - mu) / sd
    ratio = 1.0 / mills(u)  # φ/Φ
    return log_ndtr(u), -ratio / sd, -ratio * u / sd
