"""P(X ≤ 0) for normal vectors of few dimensions, many at a time: about ten digits, five where R is nearly singular.

Up to two dimensions in closed form (Owen's T). Beyond, the correlations of the first coordinate with the others are
switched on from t = 0, where it is independent of them, to t = 1, and Plackett's identity gives the rate of change:

    P_m(b; R) = Φ(b_1) P_{m−1}(b_2:m) + ∫₀¹ Σ_j ρ_1j φ₂(b_1, b_j; tρ_1j) P_{m−2}(b_rest | b_1, b_j; R(t)) dt

    symbol   name   shape     meaning
    b        b      (…, m)    limits of standardised coordinates: P(X ≤ b)
    R        R      (…, m, m) correlations
    t, w     T, W   (G,)      nodes of the rule: Gauss-Legendre in s, t = sin(πs/2), dense near t = 1

Source: Plackett, "A reduction formula for normal multivariate integrals", 1954; Genz, "Numerical computation of
rectangular bivariate and trivariate normal and t probabilities", 2004.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, owens_t

from knowgrad.gp.linalg import Array

_s, _w = np.polynomial.legendre.leggauss(20)
T = np.sin(0.25 * np.pi * (_s + 1.0))
W = 0.25 * np.pi * np.cos(0.25 * np.pi * (_s + 1.0)) * _w
TINY = 1e-14


def orthant(mean: Array, cov: Array) -> Array:
    """P(X ≤ 0) for X ~ N(mean (…, m), cov (…, m, m)); 1 where m = 0."""
    sd = np.sqrt(np.maximum(np.einsum("...ii->...i", cov), 1e-300))
    return np.clip(_below(-mean / sd, cov / (sd[..., :, None] * sd[..., None, :])), 0.0, 1.0)


def _below(b: Array, R: Array) -> Array:
    match b.shape[-1]:
        case 0:
            return np.ones(b.shape[:-1])
        case 1:
            return np.asarray(ndtr(b[..., 0]))
        case 2:
            return _two(b[..., 0], b[..., 1], R[..., 0, 1])
    m = b.shape[-1]
    value = ndtr(b[..., 0]) * _below(b[..., 1:], R[..., 1:, 1:])
    for j in range(1, m):
        rest = [i for i in range(1, m) if i != j]
        value = value + R[..., 0, j] * _switched_on(b, R, j, rest)
    return np.asarray(value)


def _two(x: Array, y: Array, rho: Array) -> Array:
    """Φ₂(x, y; ρ) by Owen's T function."""
    rho = np.clip(rho, -1.0 + TINY, 1.0 - TINY)
    root = np.sqrt((1.0 - rho) * (1.0 + rho))
    # Owen's formula divides by x and by y: a zero is nudged, which changes the result by less than rounding.
    x, y = (np.where(np.abs(v) < 1e-100, 1e-100, v) for v in (x, y))
    with np.errstate(over="ignore"):
        value = 0.5 * (ndtr(x) + ndtr(y)) - owens_t(x, (y / x - rho) / root) - owens_t(y, (x / y - rho) / root)
    return np.asarray(value - np.where((x > 0.0) == (y > 0.0), 0.0, 0.5))


def _switched_on(b: Array, R: Array, j: int, rest: list[int]) -> Array:
    """∫₀¹ φ₂(b_1, b_j; tρ_1j) P(b_rest | b_1, b_j; R(t)) dt."""
    x, y, rho = b[..., 0, None], b[..., j, None], T * R[..., 0, j, None]
    gap = np.maximum((1.0 - rho) * (1.0 + rho), TINY)
    density = np.exp(-0.5 * ((x - y) ** 2 / gap + 2.0 * x * y / (1.0 + rho))) / (2.0 * np.pi * np.sqrt(gap))
    cx = T[:, None] * R[..., 0, rest][..., None, :]  # (…, G, m − 2): correlations of the rest with 1 and with j
    cy = R[..., j, rest][..., None, :]
    ax = (cx - rho[..., None] * cy) / gap[..., None]
    ay = (cy - rho[..., None] * cx) / gap[..., None]
    mean = ax * x[..., None] + ay * y[..., None] - b[..., rest][..., None, :]
    block = R[..., rest, :][..., rest][..., None, :, :]
    cov = block - ax[..., :, None] * cx[..., None, :] - ay[..., :, None] * cy[..., None, :]
    index = np.arange(len(rest))
    cov[..., index, index] = np.maximum(cov[..., index, index], TINY)
    return np.asarray((density * orthant(mean, cov)) @ W)
