"""What a measurement costs, as a function of where it is made: the user's function, or learned from what was paid.

    c(x) = b(x) exp(a + e g(x)),   g ~ a Gaussian process on (ln(cost / b) − a) / e of what was paid

    symbol   name    shape         meaning
    b        base    (…, D) -> …   the cost as it would be without any: that of the fidelities, or 1
    a, e     –       ()            mean and standard deviation of ln(cost / b) over all that was paid
    μ, v     –       (u,)          posterior mean and variance of g
    σ²       noise   ()            variance of g between measurements at one point

A search spends its budget on many measurements, so it is their total that counts: value is divided by the expected cost

    E[c] = b exp(a + e μ + ½ e² (v + σ²))

which is larger where less is known, with v no more than one: nothing is less known than before anything was paid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.checked import called, price
from knowgrad.gp.fit import fit
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior
from knowgrad.model.slopes import slopes
from knowgrad.space import Space, graded

COST = "cost(params)"

MOST = 48  # results that a cost is learned from: of more, the latest
LEAST = 1e-3  # standard deviation of ln cost: less is rounding
SAME = 1e-12  # relative difference of costs that are the same


@dataclass(frozen=True, eq=False)
class PriceFunction:
    """The user's c(x), with a gradient by central differences along the columns that a gradient may move."""

    space: Space
    cost: Callable[[dict[str, Any]], float]

    def value(self, U: Array) -> Array:
        rows = U.reshape(-1, U.shape[-1])
        different, where = np.unique(rows, axis=0, return_inverse=True)
        found = [price(called(self.cost, self.space.decode(row), COST), COST) for row in different]
        return np.array(found)[where.ravel()].reshape(U.shape[:-1])

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        return self.value(U), slopes(self.value, U, np.flatnonzero(self.space.free))


@dataclass(frozen=True, eq=False)
class Flat:
    """The same everywhere."""

    cost: float = 1.0

    def value(self, U: Array) -> Array:
        return np.full(U.shape[:-1], self.cost)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        return self.value(U), np.zeros(U.shape)


@dataclass(frozen=True, eq=False)
class GradedPrice:
    """What fidelities and sources cost, if nobody says so: the product over them, 1 at the target."""

    space: Space

    def value(self, U: Array) -> Array:
        found = np.ones(U.shape[:-1])
        for name, kind in graded(self.space.parameters).items():
            found = found * kind.prices(U[..., self.space.columns[name]])
        return found

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        columns = [self.space.columns[name].start for name in graded(self.space.parameters)]
        return self.value(U), slopes(self.value, U, [column for column in columns if self.space.free[column]])


Price = PriceFunction | GradedPrice | Flat


@dataclass(frozen=True, eq=False)
class LearnedPrice:
    """E[c] from a posterior of ln(cost / base)."""

    posterior: Posterior
    base: Price
    a: float
    e: float

    @classmethod
    def of(cls, X: Array, paid: Array, groups: Groups, base: Price, due: Array | None = None) -> LearnedPrice | Flat:
        """From costs (n,) that were paid at X (n, D); where they are all the same share of the base, that share.

        `due` (n,) is what the base says of each, where it was not paid for all of it.
        """
        share = (paid / (base.value(X) if due is None else due))[-MOST:]
        X = X[-MOST:]
        if isinstance(base, Flat) and np.ptp(share) <= SAME * share.max():
            return Flat(base.cost * float(share[0]))
        y = np.log(share)
        a, e = float(y.mean()), max(float(y.std()), LEAST)
        return cls(fit(X, (y - a) / e, np.full(len(y), np.nan), groups, Prior()), base, a, e)

    def value(self, U: Array) -> Array:
        rows = U.reshape(-1, U.shape[-1])
        post = self.posterior
        factor = self._factor(post.mean(rows), post.var(rows))
        return np.asarray(self.base.value(U) * factor.reshape(U.shape[:-1]))

    def _factor(self, mean: Array, variance: Array) -> Array:
        spread = np.minimum(variance, 1.0) + self.posterior.noise
        return np.asarray(np.exp(self.a + self.e * mean + 0.5 * self.e**2 * spread))

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        rows, post = U.reshape(-1, U.shape[-1]), self.posterior
        V = post.whiten(rows)
        mean, slope = post.mean_and_gradient(rows)
        variance = np.maximum(post.s2 - np.einsum("nu,nu->u", V, V), 0.0)
        # v = s² − k(x)ᵀ(K + σ²)⁻¹k(x), so that ½ ∂v = −Σ_b [(K + σ²)⁻¹k(x)]_b ∂k_b
        curve = np.where(variance < 1.0, self.e**2, 0.0)[:, None]
        slope = self.e * slope - curve * post.kernel_sum(rows, post.X, post.s2 * (V.T @ post.Linv))[1]
        factor = self._factor(mean, variance)
        base, base_slope = self.base.value_and_gradient(rows)
        value, gradient = base * factor, (base_slope + base[:, None] * slope) * factor[:, None]
        return value.reshape(U.shape[:-1]), gradient.reshape(U.shape)
