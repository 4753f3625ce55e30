"""E h(f(W)) on fixed quasi-random normals, with its gradient by infinitesimal perturbation analysis.

    symbol   name     shape         meaning
    W        –        r = f + q     pending ∪ chosen ∪ z
    D        D        (S, r, r)     Cholesky factor of K^(n)(W, W)
    Z_q      Zq       (N, r)        standard normals, the same for every batch
    Y        Y        (S, N, r)     μ^(n)(W) + D Z_q: samples of f(W)

Only h knows what is wanted of the samples; the way from Ȳ back to z, through the Cholesky factor, is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from knowgrad.gp.joint import Joint, Moments
from knowgrad.gp.linalg import Array, cholesky_batch, cholesky_vjp

# Y (S, N, r) -> the acquisition (S,) and its derivative Ȳ (S, N, r).
Utility = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Sampled:
    """The acquisition under one posterior. With M > 1 means in `joint`, M = N: each sample has its own."""

    joint: Joint
    Zq: Array
    utility: Utility

    def _draw(self, Z: Array) -> tuple[Moments, Array, Array]:
        seen = self.joint.forward(Z)
        mu, C = self.joint.whole(seen)
        r, post = C.shape[-1], self.joint.posterior
        C[:, range(r), range(r)] += post.nugget
        D = cholesky_batch(C, post.s2)
        return seen, D, mu + self.Zq[:, :r] @ np.swapaxes(D, 1, 2)

    def value(self, Z: Array) -> Array:
        return self.utility(self._draw(Z)[2])[0]

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        seen, D, Y = self._draw(Z)
        value, Y_bar = self.utility(Y)
        D_bar = np.swapaxes(Y_bar, 1, 2) @ self.Zq[:, : D.shape[-1]]
        C_bar = cholesky_vjp(D, np.asarray(np.linalg.inv(D), dtype=np.float64), np.tril(D_bar))
        mu_bar = Y_bar if seen.mu.shape[1] > 1 else Y_bar.sum(axis=1, keepdims=True)
        return value, self.joint.whole_vjp(seen, mu_bar, C_bar)
