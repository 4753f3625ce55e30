"""The posterior of a Gaussian process with constant mean, an ARD Matérn kernel and independent noise (paper eq. 3.1).

symbol          name       shape     meaning
x^(1:n)         X          (n, D)    observed points, unit cube
y^(1:n)         y          (n,)      observations, standardised
σ²(x^(i))       sigma2     (n,)      noise variance of each observation
ℓ, s²           ell, s2    (D,), ()  length scales per column, signal variance
μ               m          ()        prior mean
L Lᵀ            L          (n, n)    K + diag σ²
L⁻¹             Linv       (n, n)
(LLᵀ)⁻¹(y − μ)  alpha      (n,)
μ⁽ⁿ⁾, K⁽ⁿ⁾      mean, cov            posterior mean and covariance
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from knowgrad.gp.kernel import Kernel, matern52, vjp
from knowgrad.gp.linalg import LARGE, NUGGET, Array, cholesky, extended_inverse, inverse_triangular, lower_times

EXACT = 1e-8  # noise variance, relative to that of all results, below which a second measurement tells nothing
# σ²(x) for candidates: (…, D) -> variance (…) and its gradient (…, D).
Noise = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Posterior:
    """f given y = f(X) + noise. Conditioning returns a new object; nothing here is ever changed."""

    X: Array
    y: Array
    sigma2: Array
    ell: Array
    s2: float
    m: float
    L: Array
    noise: float  # variance of a future observation, where no function σ²(x) is known
    kernel: Kernel = matern52

    @classmethod
    def build(
        cls,
        X: Array,
        y: Array,
        sigma2: Array,
        ell: Array,
        s2: float,
        m: float | None = None,
        noise: float = 0.0,
        kernel: Kernel = matern52,
    ) -> Posterior:
        """Condition on data. `m=None` takes the generalised least squares mean, which maximises the likelihood."""
        K = s2 * kernel(X, X, ell)[0]
        K.flat[:: len(K) + 1] = s2 + sigma2
        L, jitter = cholesky(K)
        if m is not None:
            return cls(X, y, sigma2 + jitter, ell, float(s2), float(m), L, float(noise), kernel)
        Linv = inverse_triangular(L)
        made = cls(X, y, sigma2 + jitter, ell, float(s2), gls_mean(Linv, y), L, float(noise), kernel)
        return made._with_inverse(Linv)

    def _with_inverse(self, Linv: Array) -> Posterior:
        """The same, of which L⁻¹ is known already."""
        self.__dict__["Linv"] = Linv  # where `cached_property` keeps it
        return self

    @cached_property
    def Linv(self) -> Array:
        return inverse_triangular(self.L)

    @cached_property
    def alpha(self) -> Array:
        return np.asarray(self.Linv.T @ (self.Linv @ (self.y - self.m)))

    def correlate(self, U1: Array, U2: Array) -> tuple[Array, Array]:
        """k and κ of the rows of U1 (…, a, D) and U2 (…, b, D): (…, a, b) both."""
        return self.kernel(U1, U2, self.ell)

    def whiten(self, U: Array) -> Array:
        """V = L⁻¹ K(X, U), shape (n, u), so that K⁽ⁿ⁾(U, U') = K(U, U') − VᵀV'."""
        return lower_times(self.Linv, self.s2 * self.correlate(self.X, U)[0])

    def mean(self, U: Array) -> Array:
        """μ⁽ⁿ⁾ at the rows of U (…, u, D)."""
        return np.asarray(self.m + self.s2 * (self.correlate(U, self.X)[0] @ self.alpha))

    def mean_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """μ⁽ⁿ⁾ (u,) and ∂μ⁽ⁿ⁾/∂x (u, D)."""
        value, gradient = self.kernel_sum(U, self.X, self.s2 * self.alpha)
        return self.m + value, gradient

    def kernel_sum(self, U: Array, centers: Array, weights: Array) -> tuple[Array, Array]:
        """Σ_b w_b k(x, c_b) (u,) and its gradient (u, D), for one w (b,) or one for each row of U (u, b).

        Means, sample paths and fantasised means are all such sums, of correlations k: s² is in the weights.
        """
        k, kappa = self.correlate(U, centers)
        value = k @ weights if weights.ndim == 1 else np.einsum("ub,ub->u", k, weights)
        return value, vjp(kappa * weights, U, centers, self.ell)

    def var(self, U: Array) -> Array:
        """K⁽ⁿ⁾(x, x) of the latent f, never negative."""
        V = self.whiten(U)
        return np.asarray(np.maximum(self.s2 - np.einsum("nu,nu->u", V, V), 0.0))

    def cov(self, U1: Array, U2: Array) -> Array:
        """K⁽ⁿ⁾(U1, U2), shape (u1, u2)."""
        return np.asarray(self.s2 * self.correlate(U1, U2)[0] - self.whiten(U1).T @ self.whiten(U2))

    def condition(self, U: Array, sigma2: Array, y: Array | None = None) -> Posterior:
        """The posterior after observing y at U too, by appending rows to L. Without y: the mean stays as it is."""
        values = self.mean(U) if y is None else y
        V = self.whiten(U)
        C = self.s2 * self.correlate(U, U)[0] - V.T @ V + np.diag(sigma2)
        D, jitter = cholesky(C, self.s2)
        n = len(self.X)
        L = np.zeros((n + len(U), n + len(U)), order="F")
        L[:n, :n], L[n:, :n], L[n:, n:] = self.L, V.T, D
        made = Posterior(
            np.vstack([self.X, U]),
            np.append(self.y, values),
            np.append(self.sigma2, sigma2 + jitter),
            self.ell,
            self.s2,
            self.m,
            L,
            self.noise,
            self.kernel,
        )
        return made._with_inverse(extended_inverse(self.Linv, V, D)) if len(L) >= LARGE else made

    @property
    def nugget(self) -> float:
        """The least variance of f, or of a measurement without noise, that double precision can tell from none."""
        return NUGGET * self.s2

    def constant_noise(self, U: Array) -> tuple[Array, Array]:
        """σ²(x) when it is one number, in the form that q-KG takes."""
        return np.full(U.shape[:-1], self.noise), np.zeros(U.shape)


def gls_mean(Linv: Array, y: Array) -> float:
    """The constant that maximises the likelihood: (1ᵀK⁻¹y) / (1ᵀK⁻¹1)."""
    one = Linv.sum(axis=1)
    return float(one @ (Linv @ y) / (one @ one))


def is_exact(noise: Sequence[Noise], U: Array) -> bool:
    """Would a second measurement at the rows of U tell nothing, whichever the posterior?"""
    return all(sigma2(U)[0].max() <= EXACT for sigma2 in noise)


Model = Sequence[Posterior]  # one per hyperparameter sample; what is asked of it is averaged over them
