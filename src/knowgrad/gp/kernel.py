"""The ARD Matérn correlations of order ν = 5/2 (the paper's), and 7/2 and 3/2: a derivative more or less for the paths.

    ∂k/∂x_c = −κ(x, x') (x_c − x'_c) / ℓ_c²,    r² = 2ν Σ_c (x_c − x'_c)² / ℓ_c²

    ν      k                                 κ
    3/2    (1 + r) exp(−r)                   3 exp(−r)
    5/2    (1 + r + r²/3) exp(−r)            (5/3) (1 + r) exp(−r)
    7/2    (1 + r + 2r²/5 + r³/15) exp(−r)   (7/5) (1 + r + r²/3) exp(−r)

κ is finite everywhere, so no gradient below ever divides by a distance.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from knowgrad.gp.linalg import Array


def squared_distance(X1: Array, X2: Array) -> Array:
    """Σ_c (x1_c − x2_c)², rows of X1 (…, a, D) against rows of X2 (…, b, D)."""
    r2 = X1 @ np.swapaxes(X2, -1, -2)
    r2 *= -2.0
    r2 += np.einsum("...c,...c->...", X1, X1)[..., :, None]
    r2 += np.einsum("...c,...c->...", X2, X2)[..., None, :]
    return np.maximum(r2, 0.0, out=r2)


def _distance(X1: Array, X2: Array, ell: Array, factor: float) -> Array:
    """The root of `factor` times the squared distance in length scales."""
    r = squared_distance(X1 / ell, X2 / ell)
    r *= factor
    return np.sqrt(r, out=r)


def matern32(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = _distance(X1, X2, ell, 3.0)
    kappa = np.exp(-r)
    r += 1.0
    r *= kappa
    kappa *= 3.0
    return r, kappa


def matern52(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = _distance(X1, X2, ell, 5.0)
    e = np.exp(-r)
    kappa = 1.0 + r
    r *= r
    r *= 1.0 / 3.0
    r += kappa
    r *= e
    kappa *= e
    kappa *= 5.0 / 3.0
    return r, kappa


def matern72(X1: Array, X2: Array, ell: Array) -> tuple[Array, Array]:
    """k and κ, both of shape (…, a, b)."""
    r = _distance(X1, X2, ell, 7.0)
    e = np.exp(-r)
    square = r * r
    kappa = 1.0 + r + square / 3.0
    k = kappa + square * (1.0 + r) / 15.0
    k *= e
    kappa *= e
    kappa *= 7.0 / 5.0
    return k, kappa


Kernel = Callable[[Array, Array, Array], tuple[Array, Array]]
TWICE_ORDER: dict[Kernel, int] = {matern32: 3, matern52: 5, matern72: 7}  # 2ν: degrees of freedom of the frequencies


def vjp(weight: Array, X1: Array, X2: Array, ell: Array) -> Array:
    """Σ_b w_ab ∂k(x1_a, x2_b)/∂x1_a for w already multiplied by κ: shape (…, a, D)."""
    return np.asarray((weight @ X2 - np.sum(weight, axis=-1, keepdims=True) * X1) / (ell * ell))
