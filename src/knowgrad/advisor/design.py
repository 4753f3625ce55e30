"""The Latin hypercube start: few points that cover every parameter evenly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from knowgrad.errors import ArgumentError
from knowgrad.space.domain import Domain

FloatArray = npt.NDArray[np.float64]

LISTABLE = 10_000
ROUNDS = 10  # of fresh candidates before points are repeated


def latin_hypercube(n: int, space: Domain, rng: np.random.Generator) -> FloatArray:
    """n feasible points (n, dim): each parameter cut into n cells, one point in each.

    Rows that are infeasible or repeat another give way to points of the domain far from those already there. Points
    are repeated only where the space has no others, or none that sampling finds.
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise ArgumentError(f"the number of points must be a whole number, at least 0, got {n!r}")
    chosen = np.empty((0, space.dim))
    if n == 0:
        return chosen
    cells = rng.permuted(np.tile(np.arange(n), (space.n_params, 1)), axis=1).T
    rows = space.from_uniform(space.stratified((cells + rng.random(cells.shape)) / n))
    if not space.is_unconstrained:
        rows = rows[space.contains(rows)]
    chosen = _new(rows, chosen)
    for _ in range(ROUNDS):
        if len(chosen) < n:
            chosen = _spread(n, chosen, _new(_candidates(n - len(chosen), space, rng), chosen))
    return np.concatenate([chosen, chosen[np.arange(n - len(chosen)) % len(chosen)]])


def _candidates(missing: int, space: Domain, rng: np.random.Generator) -> FloatArray:
    if space.size <= LISTABLE:
        points = space.enumerate(LISTABLE)
        if len(points):
            return rng.permutation(points)
    return space.sample(min(max(20 * missing, 200), 2000), rng)


def _new(rows: FloatArray, known: FloatArray) -> FloatArray:
    """The rows, in their order, without those that are known or come a second time."""
    fresh: dict[bytes, FloatArray] = {}
    for row in rows:
        fresh.setdefault(row.tobytes(), row)
    for row in known:
        fresh.pop(row.tobytes(), None)
    return np.array(list(fresh.values())).reshape(-1, known.shape[1])


def _spread(n: int, chosen: FloatArray, pool: FloatArray) -> FloatArray:
    """Add from the pool, always the point farthest from all chosen ones, up to n in all."""
    distance = np.full(len(pool), np.inf)
    for row in chosen:
        distance = np.minimum(distance, np.square(pool - row).sum(axis=1))
    picked: list[int] = []
    while len(chosen) + len(picked) < n and len(picked) < len(pool):
        best = int(np.argmax(distance))
        picked.append(best)
        distance = np.minimum(distance, np.square(pool - pool[best]).sum(axis=1))
        distance[picked] = -1.0
    return np.concatenate([chosen, pool[picked]])
