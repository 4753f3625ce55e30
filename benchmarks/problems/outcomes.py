"""Problems of several outcomes: limits that must hold, and objectives that pull apart. All are to be minimised.

Sources: Gramacy et al. (2016); Letham et al. (2019); Coello Coello & Mezura Montes (2002); Belakaria et al. (2019) for
Branin–Currin; Deb et al. (2005); Zitzler et al. (2000).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """`values(X)` (n, k): the objectives, then what is to be at most zero; X (n, d) in the units of `bounds`."""

    name: str
    bounds: tuple[tuple[float, float], ...]
    objectives: int
    limits: int
    values: Callable[[Array], Array]
    optimum: float | None = None
    """Of one objective."""
    reference: tuple[float, ...] = ()
    """Of several: the corner that hypervolumes are measured from."""
    volume: float | None = None
    """Of the true front."""
    choices: tuple[int, ...] = ()
    """How many options a column has, which stand for its whole numbers; 0 for a number. None: all are numbers."""

    @property
    def options(self) -> tuple[int, ...]:
        return self.choices or (0,) * self.dim

    def snapped(self, U: Array) -> Array:
        """Points of the unit cube where each choice is one of its options."""
        columns = [
            np.minimum(np.floor(u * n), n - 1) / (n - 1) if n else u for u, n in zip(U.T, self.options, strict=True)
        ]
        return np.stack(columns, axis=1)

    def with_volume(self, found: float) -> Problem:
        return replace(self, volume=found)

    @property
    def dim(self) -> int:
        return len(self.bounds)

    def real(self, U: Array) -> Array:
        """Points of the unit cube in the units of the bounds."""
        low, high = np.array(self.bounds).T
        return low + U * (high - low)

    def spread(self, n: int = 4096, seed: int = 0) -> Array:
        """The standard deviation of each outcome over the domain, without the worst hundredth."""
        Y = self.values(self.real(self.snapped(np.random.default_rng(seed).random((n, self.dim)))))
        return np.array([np.std(y[y <= np.quantile(y, 0.99)]) for y in Y.T])


def volume(Y: Array, corner: Array) -> float:
    """The hypervolume, by slices along the last objective."""
    Y = Y[(corner > Y).all(axis=1)]
    if not len(Y):
        return 0.0
    if Y.shape[1] == 1:
        return float(corner[0] - Y.min())
    Y = Y[np.argsort(Y[:, -1])]
    heights = np.diff(np.append(Y[:, -1], corner[-1]))
    return float(sum(h * volume(Y[: i + 1, :-1], corner[:-1]) for i, h in enumerate(heights) if h > 0.0))


def gramacy(X: Array) -> Array:
    a, b = X.T
    return np.stack([a + b, 1.5 - a - 2 * b - 0.5 * np.sin(2 * pi * (a**2 - 2 * b)), a**2 + b**2 - 1.5], axis=1)


_ALPHA = np.array([1.0, 1.2, 3.0, 3.2])
_A = np.array(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
)
_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann_norm(X: Array) -> Array:
    inner = (_A * (X[:, None] - _P) ** 2).sum(axis=2)
    return np.stack([-np.exp(-inner) @ _ALPHA, np.linalg.norm(X, axis=1) - 1.0], axis=1)


def pressure_vessel(X: Array) -> Array:
    a, b, c, d = X.T
    shell, head = np.round(a / 0.0625) * 0.0625, np.round(b / 0.0625) * 0.0625
    cost = 0.6224 * shell * c * d + 1.7781 * head * c**2 + 3.1661 * shell**2 * d + 19.84 * shell**2 * c
    volume = 1296000.0 - pi * c**2 * d - 4 / 3 * pi * c**3
    return np.stack([cost, 0.0193 * c - shell, 0.00954 * c - head, volume], axis=1)


def welded_beam(X: Array) -> Array:
    h, length, t, b = X.T
    load, arm, E, G = 6000.0, 14.0, 30e6, 12e6
    cost = 1.10471 * h**2 * length + 0.04811 * t * b * (14.0 + length)
    moment, radius = load * (arm + length / 2), np.sqrt(0.25 * (length**2 + (h + t) ** 2))
    polar = 2 * sqrt(2) * h * length * (length**2 / 12 + 0.25 * (h + t) ** 2)
    first, second = load / (sqrt(2) * h * length), moment * radius / polar
    shear = np.sqrt(first**2 + first * second * length / radius + second**2)
    bending, deflection = 6 * load * arm / (b * t**2), 4 * load * arm**3 / (E * t**3 * b)
    buckling = 4.013 * E * t * b**3 / 6 / arm**2 * (1 - 0.25 * t * sqrt(E / G) / arm)
    return np.stack([cost, shear - 13600.0, bending - 30000.0, h - b, deflection - 0.25, load - buckling], axis=1)


def branin_currin(X: Array) -> Array:
    a, b = X.T
    u, v = 15 * a - 5, 15 * b
    branin = (v - 5.1 / (4 * pi**2) * u**2 + 5 / pi * u - 6) ** 2 + 10 * (1 - 1 / (8 * pi)) * np.cos(u) + 10
    with np.errstate(divide="ignore"):
        damped = 1 - np.exp(-1 / (2 * b))
    ratio = (2300 * a**3 + 1900 * a**2 + 2092 * a + 60) / (100 * a**3 + 500 * a**2 + 4 * a + 20)
    return np.stack([branin, damped * ratio], axis=1)


def dtlz2(m: int) -> Callable[[Array], Array]:
    def values(X: Array) -> Array:
        g = ((X[:, m - 1 :] - 0.5) ** 2).sum(axis=1)
        angles, found = X[:, : m - 1] * pi / 2, []
        for k in range(m):
            f = (1 + g) * np.prod(np.cos(angles[:, : m - 1 - k]), axis=1)
            found.append(f * np.sin(angles[:, m - 1 - k]) if k else f)
        return np.stack(found, axis=1)

    return values


def zdt2(X: Array) -> Array:
    g = 1 + 9 * X[:, 1:].mean(axis=1)
    return np.stack([X[:, 0], g * (1 - (X[:, 0] / g) ** 2)], axis=1)


UNIT = (0.0, 1.0)
VESSEL = ((0.0, 10.0), (0.0, 10.0), (10.0, 50.0), (150.0, 200.0))
BEAM = ((0.125, 10.0), (0.1, 10.0), (0.1, 10.0), (0.1, 10.0))
LIMITS = (
    Problem("gramacy", (UNIT,) * 2, 1, 2, gramacy, optimum=0.5997880),
    Problem("hartmann6-norm", (UNIT,) * 6, 1, 1, hartmann_norm, optimum=-3.3223680),
    Problem(
        "pressure-vessel", ((0.0, 10.0), (0.0, 10.0), (10.0, 50.0), (150.0, 200.0)), 1, 3, pressure_vessel, 6059.714
    ),
    Problem("welded-beam", BEAM, 1, 5, welded_beam, optimum=1.724852309),
)
FRONTS = (
    Problem("branin-currin", (UNIT,) * 2, 2, 0, branin_currin, reference=(18.0, 6.0), volume=59.36011874),
    Problem("dtlz2-2", (UNIT,) * 6, 2, 0, dtlz2(2), reference=(1.1, 1.1), volume=1.21 - pi / 4),
    Problem("dtlz2-3", (UNIT,) * 6, 3, 0, dtlz2(3), reference=(1.1, 1.1, 1.1), volume=1.331 - pi / 6),
    Problem("zdt2", (UNIT,) * 6, 2, 0, zdt2, reference=(11.0, 11.0), volume=121.0 - 2.0 / 3.0),
)
