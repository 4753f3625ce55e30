"""The posterior mean after a batch: μ^(n+q) = μ_A + σ̃ Z_q on A_n, and the way back to z (paper §5.1, §5.2, appendix A).

    symbol        name     shape           meaning
    μ_A, G, C     –        –               of `anchors`: mean on A_n, covariance with W, covariance of W
    D^(n)         D        (S, r, r)       Cholesky factor of C + diag σ²(W)
    σ̃_n           sigma    (S, a+r, r)     G D⁻ᵀ
    Z_q           Zq       (N, r)          standard normals, one row per sample

A bar marks a derivative of the value. Whatever the value is, it depends on z through μ_A and σ̃ alone: its derivatives
μ̄ and σ̄ by these are all that the way back takes. A value that counts how well the target is known, too, adds the
derivative by its variance before the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from knowgrad.acquisition.criteria.anchors import Mapped, Plain, Seen
from knowgrad.acquisition.target import Target
from knowgrad.gp.linalg import Array, cholesky_batch, cholesky_vjp
from knowgrad.gp.posterior import Noise, Posterior


class Forward(NamedTuple):
    """μ_A and σ̃, with what the way back needs."""

    seen: Seen
    noise_slope: Array
    D: Array
    Dinv: Array
    mu: Array
    sigma: Array

    def means(self, Zq: Array) -> Array:
        """μ^(n+q) on A_n for every sample (S, N, a+r); sample j goes on from mean j, where means were drawn."""
        M = Zq @ np.swapaxes(self.sigma, 1, 2)
        if self.seen.drawn is None:
            M += self.mu[:, None, :]  # in place: this is the largest array of a search
            return np.asarray(M)
        stay, move = self.seen.drawn
        M[:, :, : stay.shape[1]] += stay
        M[:, :, stay.shape[1] :] += move
        return np.asarray(M)


@dataclass(frozen=True, eq=False)
class Lookahead:
    """What batches Z do to the mean of the target on A ∪ pending ∪ z; without a target, to that of f.

    `draws` are N means (`crowd`) to go on from, in place of the posterior's own.
    """

    posterior: Posterior
    noise: Noise
    A: Array
    pending: Array
    target: Target | None = None
    draws: Array | None = None
    # (r,): variance on top of the noise at W; beyond all bounds where a point is not to be measured
    unseen: Array | None = None

    @cached_property
    def anchors(self) -> Plain | Mapped:
        if self.target is None:
            return Plain(self.posterior, self.A, self.pending, self.draws)
        return Mapped(self.posterior, self.A, self.pending, self.target, self.draws)

    def forward(self, Z: Array) -> Forward:
        """μ_A and σ̃ for every batch."""
        p, q, post = len(self.pending), Z.shape[1], self.posterior
        seen = self.anchors.forward(Z)
        C, (variance, slope) = seen.C, self.noise(Z)
        C[:, range(p), range(p)] += self.noise(self.pending)[0] + post.nugget
        C[:, range(p, p + q), range(p, p + q)] += variance + post.nugget
        if self.unseen is not None:
            C[:, range(p + q), range(p + q)] += self.unseen
        D = cholesky_batch(C, post.s2)
        Dinv = np.asarray(np.linalg.inv(D), dtype=np.float64)
        return Forward(seen, slope, D, Dinv, seen.mu, seen.G @ np.swapaxes(Dinv, 1, 2))

    @cached_property
    def variance_F(self) -> Array:
        """s² of f on A ∪ pending."""
        return self.posterior.var(np.vstack([self.A, self.pending]))

    def variances(self, fw: Forward) -> Array:
        """s² of f on A_n before the batch (S, a+r); without a target."""
        f, r = len(self.variance_F), fw.D.shape[-1]
        q = fw.mu.shape[1] - f
        own = fw.seen.G[:, range(f, f + q), range(r - q, r)]
        return np.concatenate([np.broadcast_to(self.variance_F, (len(own), f)), own], axis=1)

    def vjp(self, fw: Forward, mu_bar: Array, sigma_bar: Array, variance_bar: Array | None = None) -> Array:
        """∂value/∂z (S, q, D) from ∂value/∂μ (S, a+r), or by drawn means at z (S, N, q), ∂value/∂σ̃ (S, a+r, r), and
        ∂value/∂s² (S, a+r)."""
        G_bar = sigma_bar @ fw.Dinv
        if variance_bar is not None:
            r, q = fw.D.shape[-1], fw.D.shape[-1] - len(self.pending)
            width = G_bar.shape[1]
            G_bar[:, range(width - q, width), range(r - q, r)] += variance_bar[:, width - q :]
        D_bar = -np.swapaxes(fw.Dinv, 1, 2) @ (np.swapaxes(sigma_bar, 1, 2) @ fw.sigma)
        C_bar = cholesky_vjp(fw.D, fw.Dinv, np.tril(D_bar))
        diagonal = np.einsum("sii->si", C_bar)[:, len(self.pending) :]
        return np.asarray(self.anchors.vjp(fw.seen, mu_bar, G_bar, C_bar) + diagonal[..., None] * fw.noise_slope)

    def fantasies(self, z: Array, fw: Forward, Zq: Array) -> tuple[Array, Array]:
        """The mean of f after z (q, D), one for each sample, as m + s² Σ_b w_b k(·, c_b): c (n+r, D) and s² w (N, n+r).

        μ^(n+q)(x) = m + K(x, X) β + K(x, W) δ,   δ = D⁻ᵀ Z_q,   β = α − (K + σ²)⁻¹ K(X, W) δ
        """
        post = self.posterior
        delta = Zq @ fw.Dinv[0]
        before = post.alpha if self.draws is None else self.draws
        weights = post.s2 * np.hstack([before - delta @ self.anchors.weights_of(fw.seen), delta])
        return np.vstack([post.X, self.pending, z]), weights
