"""A normal vector that is known to be nonnegative in places, as a normal vector again: by matching moments.

For d ~ N(a, s) given d ≥ 0, with α = a/√s and λ = φ(α)/Φ(α):   mean a + λ√s,   variance s (1 − g),   g = λ(λ + α).

`believe` is expectation propagation, all conditions at once and each refined against the others until they agree.
`filtered` takes the conditions one after the other, once (assumed density filtering): the same for one condition, less
exact for several, but an explicit formula that can be differentiated.

    symbol   name      shape       meaning
    a        a         (M, b)      mean of the vector before, of M vectors at a time
    Σ        cov       (M, b, b)   its covariance
    τ, ν     tau, nu   (M, b)      site i stands for its condition as exp(ν_i d_i − τ_i d_i² / 2)
    W        W         (M, b, b)   (Σ + τ⁻¹)⁻¹: after, the covariance is Σ − ΣWΣ and the mean a + Σh
    h        h         (M, b)      ν − WΣν − Wa
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import erfcx

from knowgrad.gp.linalg import Array

LOWEST = -1e4  # of α: beyond, λ + α drowns in rounding


def hazard(alpha: Array) -> tuple[Array, Array]:
    """λ and g = λ(λ + α), for any α; 0 < g < 1."""
    alpha = np.maximum(alpha, LOWEST)
    lam = np.sqrt(2.0 / np.pi) / erfcx(-alpha / np.sqrt(2.0))
    return lam, np.clip(lam * (lam + alpha), 0.0, 1.0 - 1e-9)


def believe(
    a: Array, cov: Array, active: NDArray[np.bool_], sweeps: int = 16, damping: float = 0.7
) -> tuple[Array, Array]:
    """W and h for d ~ N(a, cov) given d_i ≥ 0 wherever `active`."""
    tau, nu = np.zeros_like(a), np.zeros_like(a)
    diagonal = np.einsum("mii->mi", cov)
    floor = 1e-12 * diagonal.max(axis=1, keepdims=True) + 1e-300
    for _ in range(sweeps):
        W, h = _sites(a, cov, tau, nu)
        G = cov @ W
        v = np.maximum(diagonal - np.einsum("mij,mji->mi", G, cov), floor)
        mean = a + np.einsum("mij,mj->mi", cov, h)
        precision = np.maximum(1.0 / v - tau, 1e-6 / v)  # of the cavity: all that is believed without site i
        centre = (mean / v - nu) / precision
        lam, g = hazard(centre * np.sqrt(precision))
        tau_new = precision * g / (1.0 - g)
        nu_new = (centre + lam / np.sqrt(precision)) * (precision + tau_new) - centre * precision
        tau += damping * np.where(active, tau_new - tau, 0.0)
        nu += damping * np.where(active, nu_new - nu, 0.0)
    return _sites(a, cov, tau, nu)


def _sites(a: Array, cov: Array, tau: Array, nu: Array) -> tuple[Array, Array]:
    root = np.sqrt(tau)
    inner = np.eye(a.shape[1]) + root[:, :, None] * cov * root[:, None, :]
    W = root[:, :, None] * np.linalg.inv(inner) * root[:, None, :]
    shifted = a + np.einsum("mij,mj->mi", cov, nu)
    return W, nu - np.einsum("mij,mj->mi", W, shifted)


class Step(NamedTuple):
    """One condition d = u_j − u_0 ≥ 0 taken in, and what the way back needs."""

    j: int
    k: Array
    s: Array
    alpha: Array
    lam: Array
    g: Array


def filtered(mean: Array, V: Array, floor: float) -> tuple[Array, list[Step]]:
    """The covariance of u ~ N(mean (…, 1+r), V) given u_j ≥ u_0 for all j, taken in one after the other."""
    steps = []
    for j in range(1, mean.shape[-1]):
        k = V[..., j] - V[..., 0]
        s = np.maximum(k[..., j] - k[..., 0], floor)
        alpha = (mean[..., j] - mean[..., 0]) / np.sqrt(s)
        lam, g = hazard(alpha)
        mean = mean + k * (lam / np.sqrt(s))[..., None]
        V = V - k[..., :, None] * k[..., None, :] * (g / s)[..., None, None]
        steps.append(Step(j, k, s, alpha, lam, g))
    return V, steps


def filtered_vjp(steps: list[Step], V_bar: Array, floor: float) -> tuple[Array, Array]:
    """The derivatives by `mean` and `V`, both before, from that by the covariance after (symmetric)."""
    mean_bar = np.zeros(V_bar.shape[:-1])
    for j, k, s, alpha, lam, g in reversed(steps):
        root = np.sqrt(s)
        Vk = np.einsum("...ij,...j->...i", V_bar, k)
        by_shift = np.einsum("...i,...i->...", mean_bar, k)  # by λ/√s
        by_shrink = -np.einsum("...i,...i->...", Vk, k)  # by g/s
        k_bar = mean_bar * (lam / root)[..., None] - 2.0 * Vk * (g / s)[..., None]
        alpha_bar = np.where(
            alpha > LOWEST, -by_shift * g / root + by_shrink * (lam - g * (2.0 * lam + alpha)) / s, 0.0
        )
        s_bar = -0.5 * by_shift * lam / (s * root) - by_shrink * g / s**2 - 0.5 * alpha_bar * alpha / s
        s_bar = np.where(s > floor, s_bar, 0.0)
        k_bar[..., j] += s_bar
        k_bar[..., 0] -= s_bar
        mean_bar = mean_bar.copy()
        mean_bar[..., j] += alpha_bar / root
        mean_bar[..., 0] -= alpha_bar / root
        V_bar = V_bar.copy()
        V_bar[..., j] += 0.5 * k_bar
        V_bar[..., j, :] += 0.5 * k_bar
        V_bar[..., 0] -= 0.5 * k_bar
        V_bar[..., 0, :] -= 0.5 * k_bar
    return mean_bar, V_bar
