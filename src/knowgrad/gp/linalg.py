"""Linear algebra that does not raise: Cholesky with a jitter ladder, and the Cholesky factor differentiated.

Symbols: C = D Dᵀ with D lower triangular; a bar marks the derivative of a scalar with respect to what it covers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

Array = NDArray[np.float64]

# Relative to the unit of a covariance. The last rung makes any matrix that only rounding spoilt positive definite.
LADDER = (0.0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1.0)

LARGE, WORTH = 256, 4096  # rows of a triangular matrix, and numbers in a result, from which zeros are left out

# Least variances, relative to the signal variance s²: what "exact" means in double precision.
NUGGET = 1e-12  # of a measurement without noise, and of f at a point that was measured
SAMPLE_NUGGET = 1e-10  # of sampled values of f that serve as data: these may be many, and close together
ENTROPY_NUGGET = 1e-8  # of a measurement whose entropy is needed: it must be finite
PSEUDO_NUGGET = 1e-8  # of a pseudo-observation that stands for a failed trial, where f is known already


def cholesky(K: Array, unit: float | None = None) -> tuple[Array, float]:
    """Lower L with L Lᵀ = K + jitter·I, and the jitter: the first rung of the ladder that works.

    `unit` is the size of a variance without rounding, by default the mean of the diagonal.
    """
    for rung in LADDER:
        jitter = rung * (unit or float(np.mean(np.diagonal(K)))) if rung else 0.0
        # Transposed, a symmetric matrix in rows is one in columns, as LAPACK wants it: no copy turned around.
        L, info = lapack.dpotrf((K + jitter * np.eye(len(K)) if jitter else K).T, lower=1, clean=1)
        if info == 0 and np.isfinite(L[-1, -1]):
            return L, jitter
    raise FloatingPointError("covariance matrix with entries that are not finite")


def inverse_triangular(L: Array) -> Array:
    """L⁻¹ for lower triangular L."""
    Linv, _ = lapack.dtrtri(L, lower=1)
    return np.asarray(Linv)


def lower_times(L: Array, B: Array) -> Array:
    """L B (n, u) for lower triangular L; where that is large, without the half of the products that is zero."""
    return L @ B if _is_small(L, B) else np.asarray(blas.dtrmm(1.0, L, B, lower=1))


def times_lower(B: Array, L: Array) -> Array:
    """B L (u, n), likewise."""
    return B @ L if _is_small(L, B) else np.asarray(blas.dtrmm(1.0, L, B.T, lower=1, trans_a=1).T)


def times_lower_transposed(B: Array, L: Array) -> Array:
    """B Lᵀ (u, n), likewise."""
    return B @ L.T if _is_small(L, B) else np.asarray(blas.dtrmm(1.0, L, B.T, lower=1).T)


def _is_small(L: Array, B: Array) -> bool:
    return len(L) < LARGE or B.size < WORTH


def extended_inverse(Linv: Array, V: Array, D: Array) -> Array:
    """The inverse of [[L, 0], [Vᵀ, D]] from L⁻¹ (n, n), V (n, u) and lower triangular D (u, u)."""
    n, u = V.shape
    inverse = np.zeros((n + u, n + u), order="F")
    Dinv = inverse_triangular(D)
    inverse[:n, :n], inverse[n:, n:] = Linv, Dinv
    inverse[n:, :n] = -lower_times(Dinv, times_lower(V.T, Linv))
    return inverse


def cholesky_batch(C: Array, unit: float) -> Array:
    """D of shape (S, r, r) for a stack of small matrices; jitter, relative to `unit`, only where it is needed."""
    try:
        return np.asarray(np.linalg.cholesky(C), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.stack([cholesky(c, unit)[0] for c in C])


def cholesky_vjp(D: Array, Dinv: Array, D_bar: Array) -> Array:
    """C̄ (symmetric) from D̄, for C = D Dᵀ: the reverse of dD = D Φ(D⁻¹ dC D⁻ᵀ), Φ = lower half with half diagonal."""
    P = np.tril(np.swapaxes(D, -1, -2) @ D_bar)
    index = np.arange(D.shape[-1])
    P[..., index, index] *= 0.5
    M = np.swapaxes(Dinv, -1, -2) @ P @ Dinv
    return np.asarray(0.5 * (M + np.swapaxes(M, -1, -2)))
