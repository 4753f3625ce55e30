"""The domain where some columns keep to a few combinations of values: those that a batch shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowgrad.space.domain import Array, Domain
from knowgrad.space.lists.rows import around, nearest

TRIES = 16  # samples drawn for each that is asked for


def hold(domain: Domain, columns: NDArray[np.bool_], rows: Array) -> Held:
    """`domain` with these columns as in one of the rows."""
    return Held(domain, columns, rows) if domain.listed is None else HeldList(domain, columns, rows)


class Held:
    """`domain` whose `columns` (D,) are, at every point, those of one of the `rows` (k, D), which lie in the domain.

    A gradient does not move them, a move may take a point from one row's values to another's.
    """

    def __init__(self, domain: Domain, columns: NDArray[np.bool_], rows: Array) -> None:
        self._domain, self.columns, self.rows = domain, columns, rows
        self.free, self.continuous = domain.free & ~columns, domain.continuous & ~columns

    def __getattr__(self, name: str) -> Any:
        return getattr(self._domain, name)

    def project(self, U: Array) -> Array:
        return np.where(self.columns, U, self._domain.project(U))

    def every(self, U: Array) -> Array:
        """The points U (u, D), as far as they are allowed, with the values of each row: at most k·u of them."""
        V = np.vstack([np.where(self.columns, row, U) for row in self.rows])
        return V if self._domain.is_unconstrained else V[self._domain.contains(V)]

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """Samples of the domain with the values of the rows; where there are too few, repeated, or the rows."""
        found = self.every(self._domain.sample(n, rng))
        if not len(found):
            found = self.every(self._domain.sample(TRIES * n, rng))
        found = rng.permutation(found)[:n] if len(found) else self.rows
        return np.vstack([found, found[rng.integers(len(found), size=n - len(found))]]) if len(found) < n else found

    def moves(self, u: Array) -> Array:
        moved = self._domain.moves(u)
        kept = moved[(moved[:, self.columns] == u[self.columns]).all(axis=1)]
        switched = self.every(u[None])
        return np.vstack([kept, switched[(switched != u).any(axis=1)]])

    def enumerate(self, limit: int) -> Array:
        listed = self._domain.enumerate(limit)
        like = (listed[:, None, self.columns] == self.rows[:, self.columns]).all(axis=2).any(axis=1)
        return np.asarray(listed[like])


class HeldList(Held):
    """The same of a domain that is a list: its rows with these values."""

    def __init__(self, domain: Domain, columns: NDArray[np.bool_], rows: Array) -> None:
        super().__init__(domain, columns, rows)
        listed = domain.listed
        assert listed is not None
        like = (listed[:, None, columns] == rows[:, columns]).all(axis=2).any(axis=1)
        self.listed = np.asarray(listed[like]) if like.any() else rows
        self.size = len(self.listed)

    def snap(self, U: Array) -> Array:
        found = self.listed[nearest(self.listed, U.reshape(-1, U.shape[-1]))]
        return np.asarray(found.reshape(U.shape))

    def every(self, U: Array) -> Array:
        """The rows nearest to the points U (u, D) with the values of each of the combinations."""
        V = np.vstack([np.where(self.columns, row, U) for row in self.rows])
        return np.asarray(self.listed[np.unique(nearest(self.listed, V))])

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """n different rows at random; some twice if there are no more."""
        m = len(self.listed)
        found = rng.permutation(m)[:n]
        return np.asarray(self.listed[np.append(found, rng.integers(m, size=n - len(found)))])

    def moves(self, u: Array) -> Array:
        alike = self.listed[(self.listed[:, self.columns] == u[self.columns]).all(axis=1)]
        switched = self.every(u[None])
        return np.vstack([around(alike, u), switched[(switched != u).any(axis=1)]])

    def enumerate(self, limit: int) -> Array:
        return self.listed.copy()
