"""`ei`: expected improvement (Močkus, 1975; Jones, Schonlau & Welch, 1998).

    EI(z) = E(f* − f(z))⁺ = s h(u),   u = (f* − μ^(n)(z))/s,   h(u) = φ(u) + u Φ(u),   f* = min_i μ^(n)(x_i)

The point with the largest log EI, averaged over the posteriors as EI, not as its logarithm. Optimal for one more
measurement if it is exact and the answer must be a measured point.

Sequential. For q > 1 or with points pending, the points already chosen and those pending are taken to return exactly
their posterior mean (the variance falls, the mean stays) and count in f*: the kriging believer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.improvement import expected_improvement
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import condition_exact, greedy


@dataclass(frozen=True)
class EI:
    """No options."""

    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        return Answer(greedy(question, rng, lambda model, _: expected_improvement(model), condition_exact))
