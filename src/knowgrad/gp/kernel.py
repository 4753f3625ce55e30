"""The ARD Matérn 5/2 correlation.

    k(x, x') = (1 + r + r²/3) exp(−r),          r² = 5 Σ_c (x_c − x'_c)² / ℓ_c²
    ∂k/∂x_c  = −κ(x, x') (x_c − x'_c) / ℓ_c²,   κ = (5/3) (1 + r) exp(−r)

κ is finite everywhere, so no gradient below ever divides by a distance.
"""

from __future__ import annotations

import numpy as np

from knowgrad.gp.linalg import Array


def squared_distance(X1: Array, X2: Array) -> Array:
    """Σ_c (x1_c − x2_c)², rows of X1 (…, a, D) against rows of X2 (…, b, D)."""
    r2 = X1 @ np.swapaxes(X2, -1, -2)
    r2 *= -2.0
    r2 += np.einsum("...c,...c->...", X1, X1)[..., :, None]
    r2 += np.einsum("...c,...c->...", X2, X2)[..., None, :]
    return np.maximum(r2, 0.0, out=r2)


def matern52(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = squared_distance(X1 / ell, X2 / ell)
    r *= 5.0
    np.sqrt(r, out=r)
    e = np.exp(-r)
    kappa = 1.0 + r
    r *= r
    r *= 1.0 / 3.0
    r += kappa
    r *= e
    kappa *= e
    kappa *= 5.0 / 3.0
    return r, kappa


def pull(weight: Array, X1: Array, X2: Array, ell: Array) -> Array:
    """Σ_b w_ab ∂k(x1_a, x2_b)/∂x1_a for w already multiplied by κ: shape (…, a, D)."""
    return np.asarray((weight @ X2 - np.sum(weight, axis=-1, keepdims=True) * X1) / (ell * ell))
