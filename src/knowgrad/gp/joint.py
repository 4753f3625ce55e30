"""f at a batch, jointly with f at points that stay: mean and covariance, and their derivatives brought back to z.

    symbol        name     shape         meaning
    F             F        (f, D)        points that stay: pending ones, and those already chosen
    z^(1:q)       Z        (S, q, D)     S batches
    μ^(n)(z)      mu       (S, M, q)     mean; M rows where it is wanted under M weights, else one
    K^(n)(z, F)   E        (S, q, f)
    K^(n)(z, z)   T        (S, q, q)

A bar marks a derivative of the value, as in `factor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from knowgrad.gp.kernel import pull
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior


class Law(NamedTuple):
    """The law of f(z) and its covariance with f(F), with what the way back needs."""

    Z: Array
    kappa: Array  # slopes of k(z, [X; F])
    kappa_zz: Array
    U: Array  # K(z, X)(K + σ²)⁻¹
    mu: Array
    E: Array
    T: Array


@dataclass(frozen=True, eq=False)
class Latent:
    """f(F ∪ z) under one posterior. `weights` (M, n) gives M means m + K(·, X) w in place of the posterior's own."""

    posterior: Posterior
    F: Array
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
        return np.asarray(self.V.T @ self.posterior.Linv)

    @cached_property
    def mu_F(self) -> Array:
        """(M, f)."""
        p = self.posterior
        return np.asarray(p.m + self.w @ (p.s2 * p.correlate(p.X, self.F)[0]))

    @cached_property
    def C_F(self) -> Array:
        """K^(n)(F, F)."""
        p = self.posterior
        return np.asarray(p.s2 * p.correlate(self.F, self.F)[0] - self.V.T @ self.V)

    def forward(self, Z: Array) -> Law:
        post, (S, q, D), n = self.posterior, Z.shape, len(self.posterior.X)
        k, kappa = post.correlate(Z.reshape(S * q, D), self.anchors)
        k *= post.s2
        V = k[:, :n] @ post.Linv.T
        k_zz, kappa_zz = post.correlate(Z, Z)
        Vq = V.reshape(S, q, n)
        mu = np.swapaxes((post.m + k[:, :n] @ self.w.T).reshape(S, q, -1), 1, 2)
        E = (k[:, n:] - V @ self.V).reshape(S, q, -1)
        return Law(Z, kappa, kappa_zz, V @ post.Linv, mu, E, post.s2 * k_zz - Vq @ np.swapaxes(Vq, 1, 2))

    def back(self, law: Law, mu_bar: Array, E_bar: Array, T_bar: Array) -> Array:
        """∂value/∂z (S, q, D); T̄ symmetric, so that d value = Σ T̄ dT."""
        post, (S, q, D), n = self.posterior, law.Z.shape, len(self.posterior.X)
        E = E_bar.reshape(S * q, -1)
        weight = np.empty((S * q, n + len(self.F)))
        weight[:, :n] = np.swapaxes(mu_bar, 1, 2).reshape(S * q, -1) @ self.w - E @ self.B
        weight[:, :n] -= (2.0 * T_bar @ law.U.reshape(S, q, n)).reshape(S * q, n)
        weight[:, n:] = E
        weight *= law.kappa
        moved = pull(weight, law.Z.reshape(S * q, D), self.anchors, post.ell).reshape(S, q, D)
        moved += pull(2.0 * T_bar * law.kappa_zz, law.Z, law.Z, post.ell)
        return np.asarray(post.s2 * moved)

    def joint(self, law: Law) -> tuple[Array, Array]:
        """Mean (S, M, f+q) and covariance (S, f+q, f+q) of f(F ∪ z)."""
        (S, M, q), f = law.mu.shape, len(self.F)
        mu = np.concatenate([np.broadcast_to(self.mu_F, (S, M, f)), law.mu], axis=2)
        C = np.empty((S, f + q, f + q))
        C[:, :f, :f] = self.C_F
        C[:, f:, :f], C[:, f:, f:] = law.E, law.T
        C[:, :f, f:] = np.swapaxes(law.E, 1, 2)
        return mu, C

    def joint_back(self, law: Law, mu_bar: Array, C_bar: Array) -> Array:
        """∂value/∂z from the derivatives with respect to what `joint` returns; C̄ symmetric."""
        f = len(self.F)
        return self.back(law, mu_bar[:, :, f:], 2.0 * C_bar[:, f:, :f], C_bar[:, f:, f:])
