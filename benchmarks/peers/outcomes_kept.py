"""What contenders without a memory of several outcomes share: all points and results, and the best of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems.outcomes import Problem

Array = NDArray[np.float64]
CHANCE = 0.95


class Kept:
    """What a contender without a memory is given: all points and results."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.U, self.Y = np.empty((0, problem.dim)), np.empty((0, problem.objectives + problem.limits))

    def add(self, U: Array, Y: Array) -> None:
        self.U, self.Y = np.vstack([self.U, U]), np.vstack([self.Y, Y])

    def best(self, mean: Array, chance: Array) -> Array:
        """Of the tried points: the front of these means, or the best that keep the limits, or the likeliest to."""
        likely = chance >= min(CHANCE, float(chance.max()))
        objectives = mean[:, : self.problem.objectives]
        if self.problem.objectives == 1:
            return self.U[[np.argmin(np.where(likely, objectives[:, 0], np.inf))]]
        worse = (objectives[:, None] >= objectives[None]).all(2) & (objectives[:, None] > objectives[None]).any(2)
        return self.U[~worse.any(axis=1)]
