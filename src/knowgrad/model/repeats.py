"""What points that were measured more than once say: is what was learned as noise really noise?

A kernel takes detail of f that it cannot follow for noise, of variance τ². Measured again at the same point, noise is
different and detail is not. So let s τ² be noise and the rest detail. Before any point is measured twice,

    P(s = 1) = 3/4,    the rest spread evenly over ln s

and W, the sum of squares within points, has W / (s τ²) ~ χ²(ν), where ν is how many more results than points there are.
Points are measured again because their results were good: where there is luck they had it, so W is larger. Noise is
recognised sooner than detail.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array

Indices = NDArray[np.intp]
SHARES = np.append(np.geomspace(0.003, 0.4, 8), 1.0)  # s
PRIOR = np.append(np.full(8, 0.25 / 8), 0.75)


class Repeats(NamedTuple):
    times: int
    """ν, how many more results than points there are."""
    detail: float
    """The expected share of the learned variance that is detail of f."""
    chance: float
    """That most of it is."""


def repeats(X: Array, y: Array, noise: float) -> Repeats:
    """Of the results y (n,) at X (n, D), from which the variance `noise` was learned."""
    average, which, counts = averages(X, y)
    times, within = len(y) - len(counts), float(np.square(y - average[which]).sum())
    log = np.log(PRIOR) - 0.5 * times * np.log(SHARES) - 0.5 * within / (SHARES * max(noise, 1e-300))
    chances = np.exp(log - log.max())
    chances /= chances.sum()
    return Repeats(times, float(chances @ (1.0 - SHARES)), float(chances[:-1].sum()))


def averages(X: Array, y: Array) -> tuple[Array, Indices, Indices]:
    """The average result of each point (m,), in the order of `np.unique`; which point each result is of (n,); and how
    many results each has (m,)."""
    _, which, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    which = which.ravel()
    return np.bincount(which, y) / counts, which, counts
