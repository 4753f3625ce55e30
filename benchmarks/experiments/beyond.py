"""Functions that are not in the paper, exact or with noise of several kinds."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.idle_problems import IDLE
from benchmarks.model_problems import ALL, NOISES
from benchmarks.tasks import Parameter, Params
from benchmarks.unseen_problems import UNSEEN


class Beyond:
    """Evaluation k of a seed gets the same luck whichever method asked for it."""

    def __init__(self, problem: str, noise: str, seed: int) -> None:
        self._problem, self._noise, self._seed = {**ALL, **UNSEEN, **IDLE}[problem], NOISES[noise], seed
        self._sd = self._problem.sd
        self.parameters = tuple(Parameter(f"x{i + 1}") for i in range(self._problem.d))
        self.noisy = noise != "exact"
        self.optimum: float | None = self._problem.optimum

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        true = self.truth(params)
        observed = self._noise(np.array([true]), self._sd, np.random.default_rng([self._seed, 1, k]))
        return float(observed[0]), true

    def truth(self, params: Params) -> float:
        return float(self._problem.f(np.array([[params[p.name] for p in self.parameters]]))[0])


def make(problem: str, noise: str, seed: int, data: Path | None, scale: str) -> Beyond:
    return Beyond(problem, noise, seed)
