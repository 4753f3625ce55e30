"""Data as an optimization in progress would have them."""

from __future__ import annotations

import numpy as np
from scipy.stats import qmc

from benchmarks.speed.cases import Case
from benchmarks.speed.true_value import Array
from knowgrad.problems import PROBLEMS, Problem


def data(case: Case, noise: float, seed: int) -> tuple[Array, Array, Array]:
    """Observed points `(n, d)` and pending points `(p, d)` in the unit cube, and the values `(n,)` in user units."""
    problem = PROBLEMS[case.problem]
    rng = np.random.default_rng([seed, case.n, case.q, case.p])
    d = len(problem.space)
    start = qmc.LatinHypercube(d, seed=rng).random(min(2 * d + 2, case.n))
    later = search(problem, case.n - len(start) + case.p, rng)
    U = np.concatenate([start, later])
    U, pending = U[: case.n], U[case.n :]
    low, high = np.array(list(problem.space.values())).T
    y = problem.values(low + U * (high - low)) + noise * rng.normal(size=case.n)
    return U, pending, y


def search(problem: Problem, n: int, rng: np.random.Generator) -> Array:
    """Points as a search would leave them: half of them anywhere, half closing in on a minimum, `(n, d)`."""
    low, high = np.array(list(problem.space.values())).T
    minima = (np.array([list(params.values()) for params in problem.optimizers]) - low) / (high - low)
    goals = minima[rng.integers(len(minima), size=n)]
    spread = np.geomspace(0.3, 0.03, n)[:, None]
    near = np.clip(goals + spread * rng.normal(size=goals.shape), 0, 1)
    return np.asarray(np.where(rng.random((n, 1)) < 0.5, near, rng.random(goals.shape)))
