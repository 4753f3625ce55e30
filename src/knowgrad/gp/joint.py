"""f at a batch, jointly with f at points that stay: mean and covariance, and the one way back from them to the batch.

    symbol        name     shape         meaning
    F             F        (f, D)        points that stay
    z^(1:q)       Z        (S, q, D)     S batches
    μ^(n)(z)      mu       (S, M, q)     mean; M rows where it is wanted under M weights, else one
    K^(n)(z, F)   E        (S, q, f)
    K^(n)(z, z)   T        (S, q, q)

A bar marks a derivative of a value: `back` takes μ̄, Ē and T̄, and gives z̄. Whoever needs a gradient through the
posterior says only how its value depends on μ, E and T.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from knowgrad.gp.kernel import vjp
from knowgrad.gp.linalg import Array, times_lower, times_lower_transposed
from knowgrad.gp.posterior import Posterior


class Moments(NamedTuple):
    """Mean and covariance of f(z), its covariance with f(F), and what the way back needs."""

    Z: Array
    kappa: Array  # slopes of k(z, [X; F])
    kappa_zz: Array
    V: Array  # K(z, X) L⁻ᵀ (S·q, n)
    mu: Array
    E: Array
    T: Array


@dataclass(frozen=True, eq=False)
class Joint:
    """f(F ∪ z) under one posterior."""

    posterior: Posterior
    F: Array
    # (M, n): M means m + K(·, X) w in place of the posterior's own
    weights: Array | None = None

    @cached_property
    def w(self) -> Array:
        return self.posterior.alpha[None] if self.weights is None else self.weights

    @cached_property
    def anchors(self) -> Array:
        """[X; F]: every kernel value needed is k(z, ·) on these."""
        return np.vstack([self.posterior.X, self.F])

    @cached_property
    def V(self) -> Array:
        return self.posterior.whiten(self.F)

    @cached_property
    def B(self) -> Array:
        """K(F, X)(K + σ²)⁻¹."""
        return times_lower(self.V.T, self.posterior.Linv)

    @cached_property
    def mu_F(self) -> Array:
        """(M, f)."""
        p = self.posterior
        return np.asarray(p.m + self.w @ (p.s2 * p.correlate(p.X, self.F)[0]))

    @cached_property
    def C_F(self) -> Array:
        """K^(n)(F, F)."""
        return self.cov_with(slice(None))

    def cov_with(self, rows: slice) -> Array:
        """K^(n)(F, F[rows])."""
        p = self.posterior
        return np.asarray(p.s2 * p.correlate(self.F, self.F[rows])[0] - self.V.T @ self.V[:, rows])

    def forward(self, Z: Array) -> Moments:
        post, (S, q, D), n = self.posterior, Z.shape, len(self.posterior.X)
        k, kappa = post.correlate(Z.reshape(S * q, D), self.anchors)
        k *= post.s2
        V = times_lower_transposed(k[:, :n], post.Linv)
        k_zz, kappa_zz = post.correlate(Z, Z)
        Vq = V.reshape(S, q, n)
        mu = np.swapaxes((post.m + k[:, :n] @ self.w.T).reshape(S, q, len(self.w)), 1, 2)
        E = (k[:, n:] - V @ self.V).reshape(S, q, len(self.F))
        return Moments(Z, kappa, kappa_zz, V, mu, E, post.s2 * k_zz - Vq @ np.swapaxes(Vq, 1, 2))

    def weights_of(self, seen: Moments) -> Array:
        """K(z, X)(K + σ²)⁻¹ (S·q, n)."""
        return times_lower(seen.V, self.posterior.Linv)

    def vjp(self, seen: Moments, mu_bar: Array, E_bar: Array, T_bar: Array) -> Array:
        """∂value/∂z (S, q, D) from d value = Σ μ̄ dμ + Σ Ē dE + Σ T̄ dT, all entries of T counted apart."""
        post, (S, q, D), n = self.posterior, seen.Z.shape, len(self.posterior.X)
        E = E_bar.reshape(S * q, -1)
        T = T_bar + np.swapaxes(T_bar, 1, 2)  # both arguments of K^(n)(z, z) move
        weight = np.empty((S * q, n + len(self.F)))
        weight[:, :n] = np.swapaxes(mu_bar, 1, 2).reshape(S * q, -1) @ self.w - E @ self.B
        weight[:, :n] -= (T @ self.weights_of(seen).reshape(S, q, n)).reshape(S * q, n)
        weight[:, n:] = E
        weight *= seen.kappa
        moved = vjp(weight, seen.Z.reshape(S * q, D), self.anchors, post.ell).reshape(S, q, D)
        moved += vjp(T * seen.kappa_zz, seen.Z, seen.Z, post.ell)
        return np.asarray(post.s2 * moved)

    def whole(self, seen: Moments) -> tuple[Array, Array]:
        """Mean (S, M, f+q) and covariance (S, f+q, f+q) of f(F ∪ z)."""
        (S, M, q), f = seen.mu.shape, len(self.F)
        mu = np.concatenate([np.broadcast_to(self.mu_F, (S, M, f)), seen.mu], axis=2)
        C = np.empty((S, f + q, f + q))
        C[:, :f, :f] = self.C_F
        C[:, f:, :f], C[:, f:, f:] = seen.E, seen.T
        C[:, :f, f:] = np.swapaxes(seen.E, 1, 2)
        return mu, C

    def whole_vjp(self, seen: Moments, mu_bar: Array, C_bar: Array) -> Array:
        """∂value/∂z from the derivatives with respect to what `whole` returns; C̄ symmetric."""
        f = len(self.F)
        return self.vjp(seen, mu_bar[:, :, f:], 2.0 * C_bar[:, f:, :f], C_bar[:, f:, f:])
