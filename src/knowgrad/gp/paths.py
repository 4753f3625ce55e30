"""Posterior sample paths by pathwise conditioning (Wilson et al., 2020): differentiable functions, cheap anywhere.

    f(x) = φ(x)ᵀw + K(x, X) v,   v = (K + diag σ²)⁻¹ (y − φ(X)ᵀw − ε),   w ~ N(0, I),  ε_i ~ N(0, σ²_i)

φ are random Fourier features of the prior; the data enter exactly, so no variance is lost as n grows.
A Matérn kernel has frequencies ω = g √(2ν/c) / ℓ with g ~ N(0, I) and c ~ χ²(2ν): a multivariate t with 2ν degrees.

    symbol   name      shape     meaning
    ω        omega     (F, D)    frequencies, shared by all paths
    w        wc, ws    (M, F)    weights of the cosines and of the sines
    v        v         (M, n)    weights of K(·, X)
             we        (M, P)    weights of the effects of options, where there are choices
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.kernel import TWICE_ORDER, Effects, base_of
from knowgrad.gp.linalg import Array, times_lower, times_lower_transposed
from knowgrad.gp.posterior import Posterior


@dataclass(frozen=True, eq=False)
class Paths:
    """M sample paths of one posterior."""

    posterior: Posterior
    omega: Array
    wc: Array
    ws: Array
    v: Array
    we: Array

    @classmethod
    def draw(cls, posterior: Posterior, M: int, rng: np.random.Generator, F: int = 256) -> Paths:
        """M paths on F random frequencies."""
        p = posterior
        degrees = TWICE_ORDER[base_of(p.kernel)]
        stretch = np.sqrt(degrees / rng.chisquare(degrees, size=(F, 1)))
        omega = rng.standard_normal((F, p.X.shape[1])) * stretch / p.ell
        features = _features(p, p.X)
        share = p.kernel.rest if isinstance(p.kernel, Effects) else 1.0
        wc, ws = np.sqrt(p.s2 * share / F) * rng.standard_normal((2, M, F))
        we = np.sqrt(p.s2) * rng.standard_normal((M, features.shape[1]))
        angle = p.X @ omega.T
        prior = wc @ np.cos(angle).T + ws @ np.sin(angle).T + we @ features.T
        residual = p.y - p.m - prior - np.sqrt(p.sigma2) * rng.standard_normal((M, len(p.X)))
        v = times_lower(times_lower_transposed(residual, p.Linv), p.Linv)
        return cls(p, omega, wc, ws, v, we)

    def values(self, U: Array) -> Array:
        """Every path at every row of U: (M, u)."""
        p, angle = self.posterior, U @ self.omega.T
        prior = self.wc @ np.cos(angle).T + self.ws @ np.sin(angle).T + self.we @ _features(p, U).T
        return np.asarray(p.m + prior + self.v @ (p.s2 * p.correlate(p.X, U)[0]))

    def value_and_gradient(self, U: Array, rows: NDArray[np.intp]) -> tuple[Array, Array]:
        """Path rows[i] at U[i], and its gradient: (u,), (u, D)."""
        p, angle = self.posterior, U @ self.omega.T
        cos, sin, wc, ws = np.cos(angle), np.sin(angle), self.wc[rows], self.ws[rows]
        data, slope = p.kernel_sum(U, p.X, p.s2 * self.v[rows])
        prior = p.m + np.einsum("uf,uf->u", cos, wc) + np.einsum("uf,uf->u", sin, ws)
        prior += np.einsum("uf,uf->u", _features(p, U), self.we[rows])
        return prior + data, (cos * ws - sin * wc) @ self.omega + slope


def _features(p: Posterior, U: Array) -> Array:
    """Of the effects of options (u, P); none where there are no choices."""
    return p.kernel.features(U) if isinstance(p.kernel, Effects) else np.empty((len(U), 0))
