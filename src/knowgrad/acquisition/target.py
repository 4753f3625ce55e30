"""What is minimised, where that is not f itself: a weighted sum of f at rows that belong to a point.

    t(x) = Σ_j w_j f(P_j x),   P_j x: x, its pinned columns set to those of row j

    symbol   name      shape    meaning
    –        pinned    (D,)     columns that the target fixes
    –        rows      (m, D)   what they are fixed to; other columns are not read
    w        weights   (m,)     of the rows
    P, Ω     –         –        all rows of several points, and the sums over them: Ω f(P U)

One row of weight one is f at a given fidelity or context; several are an average over contexts. A point is measured
where it is, and decided upon through the target: of the same x these are different rows of f.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior

# Functions on the domain: points (u, D), and which function is meant at each (u,) -> values (u,), gradients (u, D).
Field = Callable[[Array, NDArray[np.intp]], tuple[Array, Array]]


class Averaged(Protocol):
    """What can be decided upon: a weighted sum of f at rows that belong to a point."""

    @property
    def weights(self) -> Array: ...
    def expand(self, U: Array) -> Array: ...
    def sum(self, values: Array) -> Array: ...
    def of(self, field: Field) -> Field: ...


@dataclass(frozen=True, eq=False)
class Target:
    """A linear target; `None` stands for f itself, which needs no rows of its own."""

    pinned: NDArray[np.bool_]
    rows: Array
    weights: Array

    @classmethod
    def at(cls, pinned: NDArray[np.bool_], row: Array) -> Target:
        """f with the pinned columns as in `row` (D,)."""
        return cls(pinned, row[None], np.ones(1))

    def is_at(self, U: Array) -> NDArray[np.bool_]:
        """Which points (u, D) lie in one of the rows: f is measured there as it is decided upon."""
        return np.asarray((U[:, None, self.pinned] == self.rows[:, self.pinned]).all(axis=2).any(axis=1))

    def expand(self, U: Array) -> Array:
        """P_j x for every x of U (…, u, D), the rows of one x side by side: (…, u·m, D)."""
        *batch, u, D = U.shape
        rows = np.where(self.pinned, self.rows, U[..., None, :])
        return rows.reshape(*batch, u * len(self.rows), D)

    def expand_vjp(self, bar: Array) -> Array:
        """∂value/∂x (…, u, D) from the derivatives by the rows (…, u·m, D): pinned columns do not move."""
        *batch, um, D = bar.shape
        m = len(self.rows)
        return np.where(self.pinned, 0.0, bar.reshape(*batch, um // m, m, D).sum(axis=-2))

    def sum(self, values: Array) -> Array:
        """Ω v: the weighted sums (…, u) of values at the rows (…, u·m)."""
        *batch, um = values.shape
        m = len(self.weights)
        return np.asarray(values.reshape(*batch, um // m, m) @ self.weights)

    def sum_vjp(self, bar: Array) -> Array:
        """Ωᵀ v̄: the derivatives by the values at the rows (…, u·m) from those by the sums (…, u)."""
        *batch, u = bar.shape
        return (bar[..., None] * self.weights).reshape(*batch, u * len(self.weights))

    def of(self, field: Field) -> Field:
        """Sums of the functions at the rows, from the functions."""
        m = len(self.rows)

        def summed(U: Array, which: NDArray[np.intp]) -> tuple[Array, Array]:
            value, gradient = field(self.expand(U), np.repeat(which, m))
            return self.sum(value), self.expand_vjp(np.tile(self.weights, len(U))[:, None] * gradient)

        return summed


def field_of(target: Averaged | None, field: Field) -> Field:
    """What is to be minimised where f is `field`."""
    return field if target is None else target.of(field)


def mean_of(target: Averaged | None, posterior: Posterior, U: Array) -> Array:
    """Its posterior mean at the rows of U (u,)."""
    return posterior.mean(U) if target is None else target.sum(posterior.mean(target.expand(U)))


def variance_of(target: Averaged | None, posterior: Posterior, U: Array) -> Array:
    """Its posterior variance at the rows of U (u,), never negative."""
    if target is None:
        return posterior.var(U)
    rows = target.expand(U)
    apart = rows.reshape(len(U), len(target.weights), -1)
    prior = posterior.s2 * (posterior.correlate(apart, apart)[0] @ target.weights @ target.weights)
    V = target.sum(posterior.whiten(rows))
    return np.asarray(np.maximum(prior - np.einsum("nu,nu->u", V, V), 0.0))
