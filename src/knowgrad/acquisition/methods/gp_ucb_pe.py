"""`gp-ucb-pe`: a confidence bound, then pure exploration (Contal et al., 2013), for minimisation.

    z_1 = argmin μ(z) − √β s(z)
    z_j = argmax s^(n+j−1)(z) over R = {z : μ(z) − 2√β s(z) ≤ min (μ + √β s)},   j ≥ 2

R, the relevant region, holds with high probability every minimiser. μ, s and R are those given the results and the
points pending; only s^(n+j−1) moves on within the batch. β = 2 ln(d t² π² / (6 δ)), t = n + p + 1. Every batch begins
with a confidence bound, refills beside pending points too: otherwise a study that refills one by one would only
explore. Bounds and deviations are averaged over the posteriors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.bounds import beta, evaluations, linear, optimism
from knowgrad.acquisition.criteria.pointwise import Pointwise, Term
from knowgrad.acquisition.methods.gp_bucb import GPBUCB
from knowgrad.acquisition.problem import Answer, Question, Rows
from knowgrad.acquisition.search.greedy import Climb, believe, observed
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model


@dataclass(frozen=True)
class GPUCBPE(GPBUCB):
    """The option of `GPBUCB`."""

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        width = beta(evaluations(question) + 1, question.domain.n_params, self.delta) ** 0.5
        climb, taken, noise = Climb.prepare(question, rng), observed(question), question.noise
        first = believe(question.model, noise, question.pending)
        z = climb.best(optimism(first, width), taken)
        # The point with the lowest upper bound is in R: where all else fails there is one place to be.
        pessimism = optimism(first, -width)
        safest = climb.best(pessimism, np.empty((0, z.shape[1])))
        lowest = -float(pessimism.value(safest[None])[0])
        climb = Climb(question, np.vstack([climb.points, safest]), climb.scale, rng)
        model = believe(first, noise, z)
        taken = np.vstack([taken, z])
        for _ in range(1, question.q):
            z = climb.best(Exploration(deviation(model), optimism(first, 2.0 * width), lowest), taken)
            model, taken = believe(model, noise, z), np.vstack([taken, z])
        return Answer(taken[len(taken) - question.q :])


def deviation(model: Model) -> Pointwise:
    """s, averaged over the posteriors."""
    return Pointwise([Term(post, linear(0.0, 1.0)) for post in model])


@dataclass(frozen=True, eq=False)
class Exploration:
    """s inside R. Outside, minus the distance to R in units of f: always worse than inside, and a way back."""

    sd: Pointwise
    bound: Pointwise  # −(μ − 2√β s)
    lowest: float  # min (μ + √β s)

    def value(self, Z: Array) -> Array:
        slack = self.bound.value(Z) + self.lowest
        return np.where(slack >= 0.0, self.sd.value(Z), slack)

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        (bound, bound_slope), (sd, sd_slope) = self.bound(Z, rows), self.sd(Z, rows)
        slack = bound + self.lowest
        inside = slack >= 0.0
        return np.where(inside, sd, slack), np.where(inside[:, None, None], sd_slope, bound_slope)
