"""The paper's four test functions, exact or with Gaussian noise."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.tasks import Parameter, Params
from knowgrad.problems import PROBLEMS


class Synthetic:
    """Evaluation k of a seed gets the same noise whichever method asked for it."""

    def __init__(self, problem: str, noise: float, seed: int) -> None:
        self._function, self._noise, self._seed = PROBLEMS[problem], noise, seed
        self.parameters = tuple(Parameter(name, *bounds) for name, bounds in self._function.space.items())
        self.noisy = noise > 0
        self.optimum: float | None = self._function.optimum

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        true = self.truth(params)
        return true + self._noise * np.random.default_rng([self._seed, 1, k]).standard_normal(), true

    def truth(self, params: Params) -> float:
        return self._function(params)


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Synthetic:
    return Synthetic(problem, noise, seed)
