"""`sobol`: a scrambled Sobol sequence over the parameters (Sobol', 1967; Matoušek, 1998). The other floor: no model,
but even cover.

The scramble depends on `scramble` alone, so that successive batches continue one sequence: a question with n results
and p points pending takes the feasible points number n + p, n + p + 1, … of it. Infeasible points are left out, and so
are points measured or running, while there are others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import observed
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

LONGEST = 13  # 2^13 points are tried before the domain is sampled at random
SAME = 1e-18  # squared distance of a point to itself, sent to user units and back


@dataclass(frozen=True)
class Sobol:
    """Option: the number of the scramble."""

    scramble: int = 0
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        domain, taken = question.domain, observed(question)
        for m in range((len(taken) + question.q).bit_length(), LONGEST + 1):
            points = self.sequence(domain, m)[len(taken) :]
            fresh = new(points, taken)
            if len(fresh) >= question.q:
                return Answer(fresh[: question.q])
        return Answer(np.vstack([fresh, points, domain.sample(question.q, rng)])[: question.q])

    def sequence(self, domain: Domain, m: int) -> Array:
        """The feasible ones among the first 2^m points."""
        V = qmc.Sobol(domain.n_params, scramble=True, rng=np.random.default_rng(self.scramble)).random_base2(m)
        U = domain.from_uniform(V)
        return U if domain.is_unconstrained else U[domain.contains(U)]


def new(points: Array, taken: Array) -> Array:
    """The points that are not taken and do not repeat an earlier one."""
    points = points[squared_distance(points, taken).min(axis=1) > SAME]
    return points[np.sort(np.unique(points, axis=0, return_index=True)[1])]
