"""What is minimised where settings are not held exactly: the average of a target over points around x.

t̄(x) = Σ_k v_k t(S_k x),   S_k x: x, some columns moved by the k-th amount

symbol   name     shape             meaning
S        shift    (u, D) -> …       all moved points (u, k, D) of u points, and each column's slope by itself
v        shares   (k,)              of the amounts
t        inner    –                 a target, None: f
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.target import Field, Target, field_of
from knowgrad.gp.linalg import Array

Shift = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Blurred:
    """The average over shifted points, as a target of recommendations."""

    shift: Shift
    shares: Array
    inner: Target | None = None

    def expand(self, U: Array) -> Array:
        """All rows of the points U (u, D), those of one point side by side."""
        moved = self.shift(U)[0].reshape(-1, U.shape[1])
        return moved if self.inner is None else self.inner.expand(moved)

    @property
    def weights(self) -> Array:
        """Of all rows that belong to one point."""
        return self.shares if self.inner is None else np.outer(self.shares, self.inner.weights).ravel()

    def sum(self, values: Array) -> Array:
        """The weighted sums (…, u) of values at the rows."""
        *batch, rows = values.shape
        weights = self.weights
        return np.asarray(values.reshape(*batch, rows // len(weights), len(weights)) @ weights)

    def of(self, field: Field) -> Field:
        """Averages of the functions, from the functions."""
        inner, k = field_of(self.inner, field), len(self.shares)

        def averaged(U: Array, which: NDArray[np.intp]) -> tuple[Array, Array]:
            moved, slope = self.shift(U)
            value, gradient = inner(moved.reshape(-1, U.shape[1]), np.repeat(which, k))
            return value.reshape(-1, k) @ self.shares, self.shares @ (gradient.reshape(moved.shape) * slope)

        return averaged
