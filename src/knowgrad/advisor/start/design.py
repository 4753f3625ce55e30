"""The Latin hypercube start: few points that cover every parameter evenly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import ArgumentError
from knowgrad.space import Space, graded
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


def targets(size: int) -> int:
    """How many points of a start of this size are also tried at the target."""
    return 2


def graded_design(
    size: int, domain: Domain, space: Space, at: Mapping[str, Any], rng: np.random.Generator
) -> FloatArray:
    """A Latin hypercube of cheap evaluations, two thirds of them the cheapest, and some points at the target too.

    `at` are the values of the fidelities and sources at which one decides, and those of the domain. How closely cheap
    evaluations follow the target is seen best where both were made.
    """
    rows = latin_hypercube(size, domain, rng)
    both = rows[np.linspace(0, size - 1, targets(size)).astype(int)].copy()
    kinds = graded({name: space.parameters[name] for name in at})
    for name, kind in kinds.items():
        levels = kind.cheap() or [at[name]]
        order = (
            [levels[0] if i % 3 < 2 else levels[1 + i // 3 % (len(levels) - 1)] for i in range(size)]
            if len(levels) > 1
            else levels * size
        )
        rows[:, space.columns[name]] = np.array([kind.place(kind.position(value)) for value in order])
    return np.vstack([rows, both])


def second_looks(rows: FloatArray, tried: FloatArray, values: FloatArray, at: FloatArray) -> FloatArray:
    """Points of a start at the target (k, D): in the place of those said beforehand, the best that was seen cheaply.

    `tried` (n, D) are all points handed out, `values` (n,) their results, the lowest the best, nan if there is none,
    `at` (D,) the target's values in the columns of fidelities and sources, nan elsewhere. A good result is the one
    worth a second look, and there it matters most what both have in common. Only results of the fidelity that most have
    are compared.
    """
    looks = ~np.isnan(at)
    _, which, counts = np.unique(tried[:, looks], axis=0, return_inverse=True, return_counts=True)
    usual = (which.ravel() == np.argmax(counts)) & ~np.isnan(values)
    best = tried[usual][np.argsort(values[usual], kind="stable")]
    best = np.where(looks, at, best)
    return _new(np.vstack([best, rows]), tried)[: len(rows)]


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
