"""log EI of a normal, exact where EI itself underflows (Ament et al., 2023), and what every EI method shares.

    EI = E(f* − f)⁺ = s h(u),   u = (f* − μ)/s,   h(u) = φ(u) + u Φ(u)

Far below zero φ and uΦ cancel. There h = φ w with w(u) = 1 + u Φ(u)/φ(u), a ratio that erfcx gives without underflow,
and farther still w = u⁻² (1 − 3u⁻² + 15u⁻⁴ − 105u⁻⁶ + …). The derivatives h'/h = Φ/h and φ/h use the same w.

f* is the lowest posterior mean at the points observed (or believed to be): the lowest observation would, under noise,
be the luckiest one.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import erfcx, ndtr

from knowgrad.acquisition.criteria.pointwise import Pointwise, Term
from knowgrad.gp.joint import Joint
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model, Posterior

LOG_ROOT_2PI = 0.5 * np.log(2.0 * np.pi)
DIRECT, FAR = -1.0, -100.0  # where the plain formula ends, and where the series begins


def log_h(u: Array) -> tuple[Array, Array, Array]:
    """log h(u), Φ(u)/h(u) and φ(u)/h(u), for any finite u."""
    log_phi = -0.5 * u * u - LOG_ROOT_2PI
    near = np.maximum(u, DIRECT)
    phi, Phi = np.exp(-0.5 * near * near - LOG_ROOT_2PI), ndtr(near)
    h = phi + near * Phi
    below = np.clip(u, FAR, DIRECT)
    ratio = mills(below)
    w = 1.0 + below * ratio
    v = np.minimum(u, FAR) ** -2.0
    series = v * (1.0 - v * (3.0 - v * (15.0 - 105.0 * v)))
    far = u < FAR
    w = np.where(far, series, w)
    ratio = np.where(far, (w - 1.0) / np.minimum(u, FAR), ratio)
    plain = u > DIRECT
    return (
        np.where(plain, np.log(h), log_phi + np.log(w)),
        np.where(plain, Phi / h, ratio / w),
        np.where(plain, phi / h, 1.0 / w),
    )


def mills(u: Array) -> Array:
    """Φ(u)/φ(u): finite far below zero, infinite far above."""
    return np.asarray(np.sqrt(0.5 * np.pi) * erfcx(-u / np.sqrt(2.0)))


def log_ei(best: Array, mu: Array, sd: Array) -> tuple[Array, Array, Array]:
    """log EI, ∂/∂μ and ∂/∂s."""
    value, by_u, by_sd = log_h((best - mu) / sd)
    return np.log(sd) + value, -by_u / sd, by_sd / sd


def incumbents(posterior: Posterior, alpha: Array | None = None) -> Array:
    """f* for each mean (N,): the lowest posterior mean at the points the posterior is conditioned on."""
    if alpha is None:
        return np.asarray(posterior.mean(posterior.X).min(keepdims=True))
    return np.asarray(Joint(posterior, posterior.X, alpha.T).mu_F.min(axis=1))


def expected_improvement(model: Model) -> Pointwise:
    """log of EI averaged over the posteriors."""
    return Pointwise([Term(post, partial(log_ei, incumbents(post))) for post in model], logarithmic=True)
