"""The posterior mean after a batch: μ^(n+q) = μ_A + σ̃ Z_q on A_n, and the way back to z (paper §5.1, §5.2, appendix A).

    symbol        name     shape           meaning
    μ_A, G, C     –        –               of `anchors`: mean on A_n, covariance with W, covariance of W
    D^(n)         D        (S, r, r)       Cholesky factor of C + diag σ²(W)
    σ̃_n           sigma    (S, a+r, r)     G D⁻ᵀ
    Z_q           Zq       (N, r)          standard normals, one row per sample

A bar marks a derivative of the value. Whatever the value is, it depends on z through μ_A and σ̃ alone: its derivatives
μ̄ and σ̄ by these are all that the way back takes.
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


@dataclass(frozen=True, eq=False)
class Lookahead:
    """What batches Z do to the mean of the target on A ∪ pending ∪ z; without a target, to that of f."""

    posterior: Posterior
    noise: Noise
    A: Array
    pending: Array
    target: Target | None = None

    @cached_property
    def anchors(self) -> Plain | Mapped:
        if self.target is None:
            return Plain(self.posterior, self.A, self.pending)
        return Mapped(self.posterior, self.A, self.pending, self.target)

    def forward(self, Z: Array) -> Forward:
        """μ_A and σ̃ for every batch."""
        p, q, post = len(self.pending), Z.shape[1], self.posterior
        seen = self.anchors.forward(Z)
        C, (variance, slope) = seen.C, self.noise(Z)
        C[:, range(p), range(p)] += self.noise(self.pending)[0] + post.nugget
        C[:, range(p, p + q), range(p, p + q)] += variance + post.nugget
        D = cholesky_batch(C, post.s2)
        Dinv = np.asarray(np.linalg.inv(D), dtype=np.float64)
        return Forward(seen, slope, D, Dinv, seen.mu, seen.G @ np.swapaxes(Dinv, 1, 2))

    def vjp(self, fw: Forward, mu_bar: Array, sigma_bar: Array) -> Array:
        """∂value/∂z (S, q, D) from ∂value/∂μ (S, a+r) and ∂value/∂σ̃ (S, a+r, r)."""
        G_bar = sigma_bar @ fw.Dinv
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
        weights = post.s2 * np.hstack([post.alpha - delta @ self.anchors.weights_of(fw.seen), delta])
        return np.vstack([post.X, self.pending, z]), weights
