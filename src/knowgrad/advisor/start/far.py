"""Points far from all that were tried: where there is no model, and in the place of exact results asked for twice."""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.ties import Tie
from knowgrad.advisor.tying import alike
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

LISTABLE = 10_000  # points of a space that is searched through for those not yet tried


def far(space: Domain, taken: Array, q: int, rng: np.random.Generator) -> Array:
    """q feasible points, one after the other the farthest of many samples from all that is taken."""
    for _ in range(q):
        samples = space.sample(128, rng)
        gaps = _gaps(samples, taken)
        if gaps.max() == 0.0 and len(left := _untried(space, taken)):
            samples = rng.permutation(left)[:128]
            gaps = _gaps(samples, taken)
        taken = np.vstack([taken, samples[np.argmax(gaps)]])
    return taken[len(taken) - q :]


def _gaps(samples: Array, taken: Array) -> Array:
    """Squared distances to the nearest taken point; a sample at a time, for there may be very many of these."""
    return np.array([((sample - taken) ** 2).sum(axis=1).min(initial=np.inf) for sample in samples])


def _untried(space: Domain, taken: Array) -> Array:
    """The points of a small finite space that are not taken."""
    if space.size > LISTABLE:
        return np.empty((0, space.dim))
    seen = {row.tobytes() for row in taken}
    return np.array([row for row in space.enumerate(LISTABLE) if row.tobytes() not in seen]).reshape(-1, space.dim)


def unrepeated(space: Domain, taken: Array, Z: Array, rng: np.random.Generator, ties: tuple[Tie, ...] = ()) -> Array:
    """Exact results need no second look: a point tried before gives way to one that was not, while there is one."""
    for i in range(len(Z)):
        others = np.vstack([taken, Z[:i]])
        if (np.abs(others - Z[i]).max(axis=1) == 0.0).any():
            where = alike(space, ties, Z[i])
            Z = np.vstack([Z[:i], far(where, others, 1, rng), Z[i + 1 :]])
    return Z
