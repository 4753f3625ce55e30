"""The negative log likelihood of the hyperparameters, or log posterior, and its gradient.

    symbol      name     meaning
    θ           theta    (ln ℓ_1 … ln ℓ_d, ln s², [ln σ²]); σ² only where some noise is to be learned
    W           W        K⁻¹ − α αᵀ in quadratic forms, so that ∂(−log likelihood)/∂θ_i = ½ tr(W ∂K/∂θ_i)

The constant mean is profiled out: it takes its best value for every θ, which leaves the gradient as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from scipy.optimize import minimize

from knowgrad.gp.kernel import Kernel, matern52
from knowgrad.gp.linalg import NUGGET, Array, cholesky, inverse_triangular
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior

LOW = {"ell": 5e-3, "s2": 1e-3, "noise": 1e-9}
HIGH = {"ell": 5e2, "s2": 1e4, "noise": 1e1}
CATEGORIES = math.log(2.0)  # added to ln ℓ of a choice: two categories are more alike than the two ends of a range
Groups = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Likelihood:
    """−log p(y | θ) [− log p(θ)] and its gradient. `known` is each observation's noise variance, nan where learned."""

    X: Array
    y: Array
    known: Array
    groups: Groups
    prior: Prior | None
    kernel: Kernel = matern52

    @cached_property
    def unknown(self) -> NDArray[np.bool_]:
        return np.isnan(self.known)

    @cached_property
    def learned(self) -> bool:
        return bool(self.unknown.any())

    @cached_property
    def d(self) -> int:
        return int(self.groups.max()) + 1

    @cached_property
    def prior_moments(self) -> tuple[Array, Array]:
        """The mean of θ and the factor of its covariance; without a prior, where the search starts."""
        centre, root = (self.prior or Prior()).moments(self.d, self.learned)
        centre[: self.d][np.bincount(self.groups) > 1] += CATEGORIES
        return centre, root

    @cached_property
    def precision(self) -> Array:
        """Of the prior; nothing for maximum likelihood."""
        inverse = inverse_triangular(self.prior_moments[1])
        return inverse.T @ inverse if self.prior else np.zeros_like(inverse)

    def unpack(self, theta: Array) -> tuple[Array, float, float]:
        """ℓ per column, s² and σ² (the mean known noise where nothing is learned)."""
        p = np.exp(theta)
        noise = float(p[-1]) if self.learned else float(np.mean(self.known))
        return p[: self.d][self.groups], float(p[self.d]), noise

    def sigma2(self, s2: float, noise: float) -> Array:
        return np.maximum(np.where(self.unknown, noise, self.known), NUGGET * s2)

    def __call__(self, theta: Array) -> tuple[float, Array]:
        ell, s2, noise = self.unpack(theta)
        R, kappa = self.kernel(self.X, self.X, ell)
        K = s2 * R
        K.flat[:: len(K) + 1] = s2 + self.sigma2(s2, noise)
        L, _ = cholesky(K)
        solved, _ = lapack.dpotrs(L, np.stack([self.y, np.ones_like(self.y)], axis=1), lower=1)
        alpha = solved[:, 0] - solved[:, 1] * (solved[:, 0].sum() / solved[:, 1].sum())
        value = 0.5 * float(self.y @ alpha) + float(np.log(np.diagonal(L)).sum())
        # One half of K⁻¹, twice: all it meets below is symmetric. Transposed, it lies in memory as R and κ do.
        W = lapack.dpotri(L, lower=1, overwrite_c=1)[0].T
        W *= 2.0
        W.flat[:: len(W) + 1] *= 0.5
        W -= np.multiply(alpha[:, None], alpha, out=K)
        M = np.multiply(W, kappa, out=kappa)
        M *= 0.5 * s2
        sums = M.sum(axis=0) + M.sum(axis=1)
        by_column = (sums @ self.X**2 - 2.0 * np.einsum("ac,ac->c", self.X, M @ self.X)) / ell**2
        by_signal = 0.5 * s2 * float(np.vdot(W, R))
        by_noise = [0.5 * noise * float(np.diagonal(W)[self.unknown].sum())] * self.learned
        gradient = np.array([*np.bincount(self.groups, by_column, self.d), by_signal, *by_noise])
        gap = theta - self.prior_moments[0]
        slope = self.precision @ gap
        return value + 0.5 * float(gap @ slope), gradient + slope

    def log_likelihood(self, theta: Array) -> float:
        """log p(y | θ) without the prior, up to a constant; −∞ outside the bounds."""
        if not np.all((theta >= self.limits[0]) & (theta <= self.limits[1])):
            return -math.inf
        ell, s2, noise = self.unpack(theta)
        K = s2 * self.kernel(self.X, self.X, ell)[0]
        K.flat[:: len(K) + 1] = s2 + self.sigma2(s2, noise)
        L, _ = cholesky(K)
        white, _ = lapack.dtrtrs(L, np.stack([self.y, np.ones_like(self.y)], axis=1), lower=1)
        y, one = white.T
        y = y - one * (one @ y) / (one @ one)
        return -0.5 * float(y @ y) - float(np.log(np.diagonal(L)).sum())

    @cached_property
    def limits(self) -> Array:
        return np.array(self.bounds()).T

    def bounds(self) -> list[tuple[float, float]]:
        names = ["ell"] * self.d + ["s2"] + ["noise"] * self.learned
        return [(math.log(LOW[name]), math.log(HIGH[name])) for name in names]

    def starts(self) -> Array:
        """One start that explains y by signal and one that explains it by noise (or by shorter length scales)."""
        signal = self.prior_moments[0].copy()
        other = signal.copy()
        if self.learned:
            signal[-1], other[-1] = math.log(1e-3), math.log(0.5)
            other[self.d] = math.log(0.5)
        else:
            other[: self.d] += math.log(0.3)
        return np.stack([signal, other])

    def theta(self, posterior: Posterior) -> Array:
        """The θ of a posterior of the same parameters, which may see other units or smoothness."""
        _, first = np.unique(self.groups, return_index=True)
        rest = [posterior.s2, posterior.noise][: 1 + self.learned]
        return np.asarray(np.log(np.clip([*posterior.ell[first], *rest], *np.exp(self.limits))))

    def optimum(self, starts: Array, max_iter: int) -> Array:
        """The best local optimum found from the starts."""
        options = {"maxiter": max_iter, "maxcor": 12, "ftol": 1e-5, "gtol": 1e-2}
        runs = [minimize(self, t, jac=True, method="L-BFGS-B", bounds=self.bounds(), options=options) for t in starts]
        return np.asarray(min(runs, key=lambda run: run.fun).x)

    def reweighted(self, theta: Array) -> Likelihood:
        """The same, with the prior's variances as expected given θ."""
        return (
            replace(self, prior=self.prior.reweighted((theta - self.prior_moments[0])[: self.d]))
            if self.prior
            else self
        )

    def part(self, keep: NDArray[np.intp]) -> Likelihood:
        """Of some of the observations, if they too have noise to be learned where the others have."""
        part = Likelihood(self.X[keep], self.y[keep], self.known[keep], self.groups, self.prior, self.kernel)
        return part if part.learned == self.learned else self

    def posterior(self, theta: Array) -> Posterior:
        ell, s2, noise = self.unpack(theta)
        return Posterior.build(self.X, self.y, self.sigma2(s2, noise), ell, s2, noise=noise, kernel=self.kernel)
