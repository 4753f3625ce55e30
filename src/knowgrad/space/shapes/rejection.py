"""Sampling by rejection, from one or more kinds of proposal. Arrays only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


class Chance(NamedTuple):
    """A kind of proposal, and how many may be drawn before the next kind gets its turn."""

    propose: Callable[[int, np.random.Generator], FloatArray]
    tries: int


def gather(
    n: int,
    rng: np.random.Generator,
    chances: Sequence[Chance],
    accept: Callable[[FloatArray], npt.NDArray[np.bool_]],
) -> FloatArray:
    """The first accepted proposals, n or, when all tries are used up, fewer."""
    kept: list[FloatArray] = []
    count = 0
    for propose, tries in chances:
        left = tries
        while left > 0 and count < n:
            # Small chunks at first: the test may be a slow function of the user's.
            rows = propose(min(left, max(64, 2 * (n - count), (tries - left) // 2), 8192), rng)
            left -= len(rows)
            kept.append(rows[accept(rows)])
            count += len(kept[-1])
    return np.concatenate(kept)[:n] if kept else propose(0, rng)
