"""Problems for comparing models, none of them chosen by a result: dimensions 1 to 12, of many shapes.

Each is a function on the unit cube with its minimum, found to about 1e-9 by `python -m benchmarks.problems.functions`.
Noise is in standard deviations of the function over the cube.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowgrad.problems import PROBLEMS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """f on [0, 1]^d, vectorised over rows, its minimum, and its standard deviation over the cube."""

    name: str
    d: int
    f: Callable[[Array], Array]
    optimum: float

    @property
    def sd(self) -> float:
        return float(np.std(self.f(np.random.default_rng(0).random((4096, self.d)))))

    def regret(self, u: Array) -> float:
        """log10 of what is lost at u."""
        return float(np.log10(max(self.f(u[None])[0] - self.optimum, 1e-10)))


def stretched(low: float, high: float, f: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda U: f(low + (high - low) * U)


def _levy(X: Array) -> Array:
    w = 1 + (X - 1) / 4
    head = np.sin(np.pi * w[:, 0]) ** 2
    body = ((w[:, :-1] - 1) ** 2 * (1 + 10 * np.sin(np.pi * w[:, :-1] + 1) ** 2)).sum(axis=1)
    return np.asarray(head + body + (w[:, -1] - 1) ** 2 * (1 + np.sin(2 * np.pi * w[:, -1]) ** 2))


def _camel(X: Array) -> Array:
    x, y = X.T
    return np.asarray((4 - 2.1 * x**2 + x**4 / 3) * x**2 + x * y + (-4 + 4 * y**2) * y**2)


def _bowl(centre: list[float], weight: list[float]) -> Callable[[Array], Array]:
    return lambda U: ((U - np.array(centre)) ** 2 @ np.array(weight)).astype(float)


def _ridge(U: Array) -> Array:
    return np.asarray(3 * np.abs(U @ np.array([1, -1, 0.5, 0.5]) - 0.3) + ((U - 0.5) ** 2).sum(axis=1))


def _steps(U: Array) -> Array:
    return np.asarray(np.floor(8 * np.abs(U - np.array([0.3, 0.6, 0.45]))).sum(axis=1))


def _few(U: Array) -> Array:
    return np.asarray(3 * np.sin(5 * U[:, 1]) + 12 * (U[:, 4] - 0.3) ** 2 + U[:, 1] * U[:, 4])


def _rastrigin(X: Array) -> Array:
    return np.asarray((X**2 - 2 * np.cos(2 * np.pi * X) + 2).sum(axis=1))


def _paper(name: str) -> Problem:
    problem = PROBLEMS[name]
    low, high = np.array(list(problem.space.values())).T
    return Problem(name, len(low), lambda U: problem.values(low + (high - low) * U), problem.optimum)


_SHIFT12 = np.linspace(0.2, 0.8, 12)

LIST = (
    Problem("forrester1", 1, lambda U: (6 * U[:, 0] - 2) ** 2 * np.sin(12 * U[:, 0] - 4), -6.020740055766083),
    _paper("branin"),
    Problem("camel2", 2, stretched(-2, 2, _camel), -1.0316284534898774),
    Problem("rastrigin2", 2, stretched(-1.7, 2.3, _rastrigin), 0.0),
    Problem("steps3", 3, _steps, 0.0),
    Problem("cone3", 3, lambda U: np.expm1(6 * np.linalg.norm(U - 0.4, axis=1)), 0.0),
    _paper("rosenbrock3"),
    Problem("styblinski3", 3, stretched(-5, 5, lambda X: (X**4 - 16 * X**2 + 5 * X).sum(axis=1) / 2), -117.4984971113),
    Problem("levy4", 4, stretched(-5, 5, _levy), 0.0),
    Problem("ridge4", 4, _ridge, 0.016),
    _paper("ackley5"),
    Problem("bowl6", 6, _bowl([0.37, 0.61, 0.22, 0.81, 0.45, 0.7], [10, 20, 40, 5, 10, 30]), 0.0),
    Problem("stiff6", 6, _bowl([0.1, 0.9, 0.4, 0.7, 0.5, 0.3], [1, 3, 10, 30, 100, 300]), 0.0),
    _paper("hartmann6"),
    Problem("few8", 8, _few, -2.736215634),
    Problem("bowl12", 12, lambda U: ((U - _SHIFT12) ** 2).sum(axis=1), 0.0),
)
ALL = {problem.name: problem for problem in LIST}
NOISES: dict[str, Callable[[Array, float, np.random.Generator], Array]] = {
    "exact": lambda f, sd, rng: f,
    "low": lambda f, sd, rng: f + 0.05 * sd * rng.standard_normal(len(f)),
    "high": lambda f, sd, rng: f + 0.5 * sd * rng.standard_normal(len(f)),
    "multiplicative": lambda f, sd, rng: f * np.exp(0.5 * rng.standard_normal(len(f))),
    "heavy": lambda f, sd, rng: f + 0.1 * sd * rng.standard_t(2, len(f)),
}


def told(noise: str, n: int) -> Array:
    """The noise variances of n results that a model is told: all but exact ones are to be learned."""
    return np.full(n, 0.0 if noise == "exact" else np.nan)


def minimum(problem: Problem) -> float:
    """The lowest value that a long search finds."""
    from scipy.optimize import minimize

    U = np.random.default_rng(1).random((200_000, problem.d))
    starts = U[np.argsort(problem.f(U))[:40]]
    bounds = [(0.0, 1.0)] * problem.d
    tight = {"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20_000, "maxfev": 40_000}
    runs = [
        minimize(lambda x: float(problem.f(x[None])[0]), x, method="Nelder-Mead", bounds=bounds, options=tight)
        for x in starts[:8]
    ]
    return float(min(run.fun for run in runs))


if __name__ == "__main__":
    for each in LIST:
        print(f"{each.name:12s} sd {each.sd:9.3f}  stated {each.optimum:+.10f}  found {minimum(each):+.10f}")
