"""Problems where part of the domain, or a share of all tries, fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.problems import BRANIN

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Problem:
    """A function of which a part of the domain, or a share of all tries, comes to nothing."""

    space: dict[str, tuple[float, float]]
    value: Callable[[Params], float]
    fails: Callable[[Params], bool]
    optimum: float
    chance: float = 0.0
    sd: float = 0.0

    def points(self, n: int = 4000) -> list[dict[str, float]]:
        low, high = np.array(list(self.space.values())).T
        rows = low + (high - low) * np.random.default_rng(0).random((n, len(low)))
        return [dict(zip(self.space, row, strict=True)) for row in rows.tolist()]


CUBE = dict.fromkeys("xyz", (0.0, 1.0))


def bowl(centre: float) -> Callable[[Params], float]:
    """A tilted bowl with ripples, so that one parabola does not explain it."""

    def value(p: Params) -> float:
        u = np.array(list(p.values())) - centre
        return float(u @ u + 0.5 * (u[0] * u[1]) + 0.02 * (1.0 - np.cos(9.0 * u)).sum())

    return value


def discs(p: Params) -> bool:
    """Around two of Branin's three minima."""
    return any(np.hypot(p["x1"] - a, p["x2"] - b) < 3.0 for a, b in ((np.pi, 2.275), (-np.pi, 12.275)))


PROBLEMS = {
    "discs": Problem(BRANIN.space, BRANIN, discs, BRANIN.optimum),
    "noisy discs": Problem(BRANIN.space, BRANIN, discs, BRANIN.optimum, sd=2.0),
    "half-space": Problem(CUBE, bowl(0.6), lambda p: p["x"] + p["y"] + p["z"] > 1.5, 0.05743910),
    "cliff": Problem(CUBE, bowl(0.5), lambda p: p["x"] > 0.52, 0.0),
    "chance": Problem(BRANIN.space, BRANIN, lambda p: False, BRANIN.optimum, chance=0.2),
    "noisy chance": Problem(CUBE, bowl(0.5), lambda p: False, 0.0, chance=0.2, sd=0.05),
}
