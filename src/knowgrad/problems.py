"""The test functions of Wu & Frazier (NIPS 2016), with the domains used there and their known minima.

Every problem is to be minimized. `Problem` is callable with a dict of parameters, as an objective is; `values` is the
same function for many points at once, in user units. `noisy` adds the Gaussian noise of a measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Problem:
    """A function to minimize on a box, with its answer.

    Args:
        name: Its key in `PROBLEMS`.
        space: Parameter names to `(low, high)`, in the order of the columns of `values`.
        optimum: The lowest value in the box.
        optimizers: Every point of the box that attains it.
        formula: The function of rows, `(n, d) -> (n,)`.
    """

    name: str
    space: dict[str, tuple[float, float]]
    optimum: float
    optimizers: tuple[dict[str, float], ...]
    formula: Callable[[Array], Array]

    def __call__(self, params: Mapping[str, Any]) -> float:
        return float(self.values([[params[name] for name in self.space]])[0])

    def values(self, X: ArrayLike) -> Array:
        """The function at the rows of X `(n, d)`, in user units."""
        rows = np.asarray(X, dtype=float)
        if rows.ndim != 2 or rows.shape[1] != len(self.space):
            raise ValueError(f"{self.name} takes rows of {len(self.space)} numbers, an array (n, d); got {rows.shape}")
        return self.formula(rows)

    def noisy(self, sd: float, seed: int | None = None) -> Noisy:
        """This function plus N(0, sd²), drawn anew at every call."""
        return Noisy(self, sd, seed)


class Noisy:
    """A problem seen through Gaussian noise; it pickles, so it can be sent to worker processes.

    A seed makes the sequence of calls in this process repeatable. A copy that was pickled draws from the operating
    system's entropy instead: workers that shared the seed would all add the same errors.
    """

    def __init__(self, problem: Problem, sd: float, seed: int | None = None) -> None:
        if not 0 <= sd < np.inf:
            raise ValueError(f"sd is a standard deviation, finite and not negative; got {sd!r}")
        self.problem, self.sd = problem, sd
        self._rng = np.random.default_rng(seed)

    def __call__(self, params: Mapping[str, Any]) -> float:
        return self.problem(params) + self.sd * float(self._rng.standard_normal())

    def __reduce__(self) -> tuple[type[Noisy], tuple[Problem, float]]:
        return Noisy, (self.problem, self.sd)


def _branin(X: Array) -> Array:
    x1, x2 = X.T
    valley = x2 - 5.1 / (4 * pi**2) * x1**2 + 5 / pi * x1 - 6
    f: Array = valley**2 + 10 * (1 - 1 / (8 * pi)) * np.cos(x1) + 10
    return f


def _rosenbrock(X: Array) -> Array:
    a, b = X[:, :-1], X[:, 1:]
    f: Array = np.sum(100 * (b - a**2) ** 2 + (1 - a) ** 2, axis=1)
    return f


def _ackley(X: Array) -> Array:
    radius = np.sqrt(np.mean(X**2, axis=1))
    ripple = np.mean(np.cos(2 * pi * X), axis=1)
    # expm1: both terms vanish at the origin, where 20 + e − 20 − e would leave rounding errors of either sign.
    f: Array = -20 * np.expm1(-0.2 * radius) - np.e * np.expm1(ripple - 1)
    return f


_HARTMANN_WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN_SCALES = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
_HARTMANN_CENTERS = 1e-4 * np.array(
    [
        [1312.0, 1696.0, 5569.0, 124.0, 8283.0, 5886.0],
        [2329.0, 4135.0, 8307.0, 3736.0, 1004.0, 9991.0],
        [2348.0, 1451.0, 3522.0, 2883.0, 3047.0, 6650.0],
        [4047.0, 8828.0, 8732.0, 5743.0, 1091.0, 381.0],
    ]
)


def _hartmann(X: Array) -> Array:
    squares = (X[:, None, :] - _HARTMANN_CENTERS) ** 2
    f: Array = -np.exp(-np.einsum("nkd,kd->nk", squares, _HARTMANN_SCALES)) @ _HARTMANN_WEIGHTS
    return f


def _box(d: int, low: float, high: float) -> dict[str, tuple[float, float]]:
    return {f"x{i}": (low, high) for i in range(1, d + 1)}


def _point(*coordinates: float) -> dict[str, float]:
    return {f"x{i}": x for i, x in enumerate(coordinates, 1)}


BRANIN = Problem(
    "branin",
    _box(2, -15.0, 15.0),
    optimum=10 / (8 * pi),
    # cos x1 = −1 on the valley's floor; the next such floors, at x1 = −3π and 5π, lie outside the box.
    optimizers=(_point(-pi, 12.275), _point(pi, 2.275), _point(3 * pi, 2.475)),
    formula=_branin,
)
ROSENBROCK3 = Problem(
    "rosenbrock3", _box(3, -2.0, 2.0), optimum=0.0, optimizers=(_point(1.0, 1.0, 1.0),), formula=_rosenbrock
)
ACKLEY5 = Problem(
    "ackley5", _box(5, -2.0, 2.0), optimum=0.0, optimizers=(_point(0.0, 0.0, 0.0, 0.0, 0.0),), formula=_ackley
)
HARTMANN6 = Problem(
    "hartmann6",
    _box(6, 0.0, 1.0),
    optimum=-3.3223680114155147,
    optimizers=(_point(0.20168951, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730053),),
    formula=_hartmann,
)

PROBLEMS: Mapping[str, Problem] = MappingProxyType(
    {problem.name: problem for problem in (BRANIN, ROSENBROCK3, ACKLEY5, HARTMANN6)}
)
