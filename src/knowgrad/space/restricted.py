"""The domain without the region where trials are likely to fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowgrad.space.domain import Array, Domain
from knowgrad.space.space import Space

TRIES = 16  # samples drawn for each that is asked for, if the first were too few


class Avoiding:
    """`domain` where the `chance` (u, D) -> (u,) of failing is at most `limit`, or what it is at the safest result."""

    is_unconstrained = False

    def __init__(self, domain: Domain, chance: Callable[[Array], Array], limit: float, results: Array) -> None:
        self._domain, self._chance, self._results = domain, chance, results
        self._limit = max(limit, float(chance(results).min()) + 1e-9)  # so the domain does not become empty

    def __getattr__(self, name: str) -> Any:
        return getattr(self._domain, name)

    def _likely(self, U: Array) -> Array:
        """The rows of U that are likely to succeed."""
        return U[self._chance(U) <= self._limit] if len(U) else U

    def contains(self, U: Array) -> NDArray[np.bool_]:
        return np.asarray(self._domain.contains(U) & (self._chance(self._domain.snap(U)) <= self._limit))

    @property
    def listed(self) -> Array | None:
        """The rows likely to succeed, where the domain is a list."""
        return None if self._domain.listed is None else self._likely(self._domain.listed)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Samples of the domain likely to succeed; repeated if they are too few, the results if there are none."""
        found = self._likely(self._domain.sample(n, rng))
        if len(found) < n:
            found = np.vstack([found, self._likely(self._domain.sample(TRIES * n, rng))])[:n]
        found = found if len(found) else self._likely(self._results)[:n]
        return np.vstack([found, found[rng.integers(len(found), size=n - len(found))]])

    def moves(self, u: Array) -> Array:
        return self._likely(self._domain.moves(u))

    def enumerate(self, limit: int) -> Array:
        return self._likely(self._domain.enumerate(limit))


def moved_inside(domain: Domain, results: Array) -> Array:
    """The points of results (n, D), those of other contexts or rows moved to the nearest that can be tried here."""
    found = domain.within(results)
    if isinstance(domain, Space) and domain.listed is None:
        return found
    near = domain.snap(domain.project(found))
    allowed = domain.contains(near)
    return near[allowed] if allowed.any() else near
