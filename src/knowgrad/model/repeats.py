"""What points that were measured more than once say: is what was learned as noise really noise?

A kernel takes detail that it cannot follow for noise, of variance τ². Measured again at the same point, detail is the
same and noise is not. So let s τ² be noise, and the rest detail. Before any point was measured twice,

    P(s = 1) = 3/4,    the rest spread evenly over ln s down to LEAST

and W, the sum of squares within points, has W / (s τ²) ~ χ²(ν), ν results more than points. Results that are repeated
because they are good are the luckier ones, which makes W larger where they are luck: that errs on the side of noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knowgrad.gp.linalg import Array

LEAST = 0.003  # share of the learned variance that is noise at least
SHARES = np.append(np.geomspace(LEAST, 0.4, 8), 1.0)
PRIOR = np.append(np.full(8, 0.25 / 8), 0.75)


class Repeats(NamedTuple):
    """`times`: results more than points. `detail`: the expected share of the learned variance that is detail of f.
    `chance`: that most of it is."""

    times: int
    detail: float
    chance: float


def repeats(X: Array, y: Array, noise: float) -> Repeats:
    """Of results y (n,) at X (n, D), of which `noise` was learned as the variance of noise."""
    _, which, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    times = len(y) - len(counts)
    if times == 0 or noise == 0.0:
        return Repeats(times, float(PRIOR @ (1.0 - SHARES)), float(PRIOR[:-1].sum()))
    centred = y - (np.bincount(which.ravel(), y) / counts)[which.ravel()]
    log = -0.5 * times * np.log(SHARES) - 0.5 * float(centred @ centred) / (SHARES * noise)
    weight = PRIOR * np.exp(log - log.max())
    weight /= weight.sum()
    return Repeats(times, float(weight @ (1.0 - SHARES)), float(weight[:-1].sum()))
