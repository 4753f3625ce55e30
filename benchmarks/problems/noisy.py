"""Functions as tasks: the paper's four in their own units, others in the unit cube; exact, or with noise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.problems.functions import ALL, NOISES
from benchmarks.problems.idle import IDLE
from benchmarks.problems.task import Parameter, Params
from benchmarks.problems.textbook import TEXTBOOK
from knowgrad.problems import PROBLEMS

Disturb = Callable[[float, np.random.Generator], float]


class Noisy:
    """Evaluation k of a seed gets the same noise whichever method asked for it."""

    def __init__(
        self, parameters: tuple[Parameter, ...], function: Callable[[Params], float], optimum: float, seed: int
    ) -> None:
        self.parameters, self.truth, self._seed = parameters, function, seed
        self.optimum: float | None = optimum
        self.noisy = False
        self._disturb: Disturb = lambda true, rng: true

    def disturbed(self, disturb: Disturb) -> Noisy:
        self.noisy, self._disturb = True, disturb
        return self

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        true = self.truth(params)
        return self._disturb(true, np.random.default_rng([self._seed, 1, k])), true


def of_the_paper(name: str, sd: float, seed: int) -> Noisy:
    """With Gaussian noise of this standard deviation."""
    problem = PROBLEMS[name]
    parameters = tuple(Parameter(each, *bounds) for each, bounds in problem.space.items())
    task = Noisy(parameters, problem, problem.optimum, seed)
    return task.disturbed(lambda true, rng: true + sd * rng.standard_normal()) if sd > 0 else task


def on_the_cube(name: str, noise: str, seed: int) -> Noisy:
    """With noise of a kind, in standard deviations of the function."""
    problem = {**ALL, **TEXTBOOK, **IDLE}[name]
    parameters = tuple(Parameter(f"x{i + 1}") for i in range(problem.d))

    def truth(params: Params) -> float:
        return float(problem.f(np.array([[params[p.name] for p in parameters]]))[0])

    task, sd = Noisy(parameters, truth, problem.optimum, seed), problem.sd
    if noise == "exact":
        return task
    return task.disturbed(lambda true, rng: float(NOISES[noise](np.array([true]), sd, rng)[0]))


def make(problem: str, noise: float | str, seed: int, data: Path | None, scale: str) -> Noisy:
    return on_the_cube(problem, noise, seed) if isinstance(noise, str) else of_the_paper(problem, noise, seed)
