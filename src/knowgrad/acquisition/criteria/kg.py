"""The q-KG factor on a finite set A: value and gradient (paper §4, §5.1, §5.2, appendix A).

    symbol        name     shape           meaning
    A             A        (a, D)          where the recommendation may lie, besides the candidates; holds x_1:n
    z^(1:q)       Z        (S, q, D)       S batches of candidates
    p points      pending  (p, D)          running; W = pending ∪ z, r = p + q
    A_n           –        a + p + q rows  A ∪ pending ∪ z
    μ^(n)         mu       (S, a+r)        posterior mean on A_n
    K^(n)(A_n,W)  G        (S, a+r, r)
    D^(n)         D        (S, r, r)       Cholesky factor of K^(n)(W, W) + diag σ²(W)
    σ̃_n           sigma    (S, a+r, r)     G D⁻ᵀ
    Z_q           Zq       (N, r)          standard normals, one row per sample

A bar marks a derivative of the value. The winners x* of the samples enter the gradient only through two sets of
weights, μ̄ = ∂value/∂μ and σ̄ = ∂value/∂σ̃, so Monte Carlo and exact (q = 1) gradients share one way back to z.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from knowgrad.acquisition.criteria.piecewise import expected_minimum
from knowgrad.gp.kernel import pull
from knowgrad.gp.linalg import Array, cholesky_batch, cholesky_pullback
from knowgrad.gp.posterior import Noise, Posterior

EXACT = 1e-12  # variance, relative to s², that an exact measurement still has in double precision


class Forward(NamedTuple):
    """Everything that the way back needs."""

    Z: Array
    kappa: Array  # slopes of k(z, [X; F])
    kappa_zz: Array
    U: Array  # K(z, X)(K + σ²)⁻¹
    noise_slope: Array
    D: Array
    Dinv: Array
    mu: Array
    sigma: Array


@dataclass(frozen=True, eq=False)
class Factor:
    """q-KG of batches Z given A and pending points. `Zq=None`: exact, for one point and none pending."""

    posterior: Posterior
    noise: Noise
    A: Array
    pending: Array
    Zq: Array | None

    @cached_property
    def F(self) -> Array:
        """A ∪ pending: the rows of A_n that do not move."""
        return np.vstack([self.A, self.pending])

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
        return self.posterior.mean(self.F)

    @cached_property
    def G_pending(self) -> Array:
        """K^(n)(F, pending)."""
        p, a = self.posterior, len(self.A)
        return np.asarray(p.s2 * p.correlate(self.F, self.pending)[0] - self.V.T @ self.V[:, a:])

    def forward(self, Z: Array) -> Forward:
        """μ^(n) and σ̃_n on A_n for every batch."""
        post, (S, q, D) = self.posterior, Z.shape
        n, f, p = len(post.X), len(self.F), len(self.pending)
        k, kappa = post.correlate(Z.reshape(S * q, D), self.anchors)
        k *= post.s2
        V = k[:, :n] @ post.Linv.T  # (S·q, n)
        k_zz, kappa_zz = post.correlate(Z, Z)
        Vq = V.reshape(S, q, n)
        G = np.empty((S, f + q, p + q))
        G[:, :f, :p] = self.G_pending
        G[:, :f, p:] = np.swapaxes((k[:, n:] - V @ self.V).reshape(S, q, f), 1, 2)
        G[:, f:, :p] = np.swapaxes(G[:, f - p : f, p:], 1, 2)
        G[:, f:, p:] = post.s2 * k_zz - Vq @ np.swapaxes(Vq, 1, 2)
        C = G[:, f - p :].copy()
        variance, slope = self.noise(Z)
        C[:, range(p), range(p)] += self.noise(self.pending)[0] + EXACT * post.s2
        C[:, range(p, p + q), range(p, p + q)] += variance + EXACT * post.s2
        chol = cholesky_batch(C, post.s2)
        Dinv = np.asarray(np.linalg.inv(chol), dtype=np.float64)
        mu = np.empty((S, f + q))
        mu[:, :f] = self.mu_F
        mu[:, f:] = post.m + (k[:, :n] @ post.alpha).reshape(S, q)
        return Forward(Z, kappa, kappa_zz, V @ post.Linv, slope, chol, Dinv, mu, G @ np.swapaxes(Dinv, 1, 2))

    def back(self, fw: Forward, mu_bar: Array, sigma_bar: Array) -> Array:
        """∂value/∂z (S, q, D) from ∂value/∂μ (S, a+r) and ∂value/∂σ̃ (S, a+r, r)."""
        post, (S, q, D) = self.posterior, fw.Z.shape
        n, f, p, a = len(post.X), len(self.F), len(self.pending), len(self.A)
        G_bar = sigma_bar @ fw.Dinv
        D_bar = -np.swapaxes(fw.Dinv, 1, 2) @ (np.swapaxes(sigma_bar, 1, 2) @ fw.sigma)
        C_bar = cholesky_pullback(fw.D, fw.Dinv, np.tril(D_bar))
        G_bar[:, a:] += C_bar
        E = G_bar[:, :f, p:].copy()  # of K^(n)(F, z)
        E[:, a:] += np.swapaxes(G_bar[:, f:, :p], 1, 2)
        E = np.swapaxes(E, 1, 2).reshape(S * q, f)
        T = G_bar[:, f:, p:]
        T = T + np.swapaxes(T, 1, 2)  # of K^(n)(z, z): both arguments move
        weight = np.empty((S * q, n + f))
        weight[:, :n] = mu_bar[:, f:].reshape(-1, 1) * post.alpha - E @ self.B
        weight[:, :n] -= (T @ fw.U.reshape(S, q, n)).reshape(S * q, n)
        weight[:, n:] = E
        weight *= fw.kappa
        moved = pull(weight, fw.Z.reshape(S * q, D), self.anchors, post.ell).reshape(S, q, D)
        moved += pull(T * fw.kappa_zz, fw.Z, fw.Z, post.ell)
        diagonal = np.einsum("sii->si", C_bar)[:, p:]
        return np.asarray(post.s2 * moved + diagonal[..., None] * fw.noise_slope)

    def winners(self, fw: Forward) -> tuple[Array, Array, Array]:
        """Value (S,) and its derivatives μ̄, σ̄: x*(before) and, for each sample, x*(after)."""
        rows = np.arange(len(fw.mu))
        before = np.argmin(fw.mu, axis=1)
        if self.Zq is None:
            after, mu_bar, sigma_bar = expected_minimum(fw.mu, fw.sigma[:, :, 0])
            value, mu_bar, sigma_bar = fw.mu[rows, before] - after, -mu_bar, -sigma_bar[:, :, None]
        else:
            value, mu_bar, sigma_bar = self._sampled(fw, before)
        mu_bar[rows, before] += 1.0
        return value, mu_bar, sigma_bar

    def samples(self, fw: Forward) -> Array:
        """g − its mean-zero part, per sample (S, N): μ^(n+q)(x_before) − min μ^(n+q), which averages to q-KG.

        Measuring both from the same sample removes most of the Monte Carlo error: μ^(n+q)(x_before) averages to μ^(n).
        """
        assert self.Zq is not None
        rows, before = np.arange(len(fw.mu)), np.argmin(fw.mu, axis=1)
        M = fw.mu[:, None, :] + self.Zq @ np.swapaxes(fw.sigma, 1, 2)
        return np.asarray(M[rows, :, before] - M.min(axis=2))

    def _sampled(self, fw: Forward, before: Array) -> tuple[Array, Array, Array]:
        assert self.Zq is not None
        (S, width, r), N, rows = fw.sigma.shape, len(self.Zq), np.arange(len(fw.mu))
        M = fw.mu[:, None, :] + self.Zq @ np.swapaxes(fw.sigma, 1, 2)  # (S, N, a+r)
        after = np.argmin(M, axis=2)
        least = np.take_along_axis(M, after[:, :, None], axis=2)[:, :, 0]
        value = np.mean(M[rows, :, before] - least, axis=1)
        flat = (rows[:, None] * width + after).ravel()
        mu_bar = -np.bincount(flat, minlength=S * width).reshape(S, width) / N
        sigma_bar = np.empty((S, width, r))
        for j in range(r):
            won = np.bincount(flat, np.tile(self.Zq[:, j], S), minlength=S * width)
            sigma_bar[:, :, j] = -won.reshape(S, width) / N
        sigma_bar[rows, before] += self.Zq.mean(axis=0)
        return value, mu_bar, sigma_bar

    def value(self, Z: Array) -> Array:
        return self.winners(self.forward(Z))[0]

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """q-KG (S,) and its unbiased IPA gradient (S, q, D)."""
        fw = self.forward(Z)
        value, mu_bar, sigma_bar = self.winners(fw)
        return value, self.back(fw, mu_bar, sigma_bar)
