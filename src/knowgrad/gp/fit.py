"""Hyperparameters by maximum likelihood (the paper's) or maximum a posteriori, with the analytic gradient.

    symbol      name     meaning
    θ           theta    (ln ℓ_1 … ln ℓ_d, ln s², [ln σ²]); σ² only where some noise is to be learned
    W           W        K⁻¹ − α αᵀ in quadratic forms, so that ∂(−log likelihood)/∂θ_i = ½ tr(W ∂K/∂θ_i)

The constant mean is profiled out: it takes its best value for every θ, which leaves the gradient as it is.

A parameter may matter much less than the others, so the prior of length scales has tails: Student's, which is a normal
law of unknown variance. `settled` finds the maximum with these variances in turns, each time at their expectation.
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

LOW = {"ell": 5e-3, "s2": 1e-3, "noise": 1e-9}
HIGH = {"ell": 5e2, "s2": 1e4, "noise": 1e1}
SUBSET = 256  # above twice this many observations, most of the fitting is done on a subset
OPTIONS = math.log(2.0)  # added to ln ℓ of a choice: two options are less unlike than the two ends of a range
ROUNDS = 3  # of the search for the maximum, each under tails as the last one found them
Groups = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Prior:
    """A normal law of θ, by centres and standard deviations; the centre of ln ℓ is in units of ½√d.

    Length scales share a common part, ln ℓ_j = common + own_j: before anything is known of a problem its parameters are
    alike, so what one of them shows says something of the others. The own parts have Student's law with `tail` degrees
    of freedom, here as a normal law whose standard deviations are `stretch` times as large (`tailed`). Wide on noise,
    because data with less signal than noise otherwise settle on all noise or on none.
    """

    ell: float = 0.0
    common: float = 1.0
    own: float = 0.5
    tail: float = 4.0
    stretch: float | Array = 1.0
    s2: tuple[float, float] = (0.0, 2.0)
    noise: tuple[float, float] = (math.log(0.1), 2.0)

    def law(self, d: int, learned: bool) -> tuple[Array, Array]:
        """Centre of θ, and the Cholesky factor of its covariance."""
        rest = [self.s2, self.noise][: 1 + learned]
        centre = [self.ell + math.log(0.5 * math.sqrt(d))] * d + [r[0] for r in rest]
        cov = np.diag(np.append((self.own * self.stretch * np.ones(d)) ** 2, [r[1] ** 2 for r in rest]))
        cov[:d, :d] += self.common**2
        return np.array(centre), np.linalg.cholesky(cov)

    def tailed(self, gap: Array) -> Prior:
        """The normal law that Student's looks like where ln ℓ is `gap` from its centre (d,).

        A step of expectation maximisation: an own part of t scales has the variance (tail + t²)/(tail + 1).
        """
        variance = (self.own * self.stretch * np.ones(len(gap))) ** 2
        own = variance * np.linalg.solve(np.diag(variance) + self.common**2, gap)
        return replace(self, stretch=np.sqrt((self.tail + (own / self.own) ** 2) / (self.tail + 1.0)))


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
    def law(self) -> tuple[Array, Array]:
        """Centre of θ and the factor of its covariance; without a prior, where the search starts."""
        centre, root = (self.prior or Prior()).law(self.d, self.learned)
        centre[: self.d][np.bincount(self.groups) > 1] += OPTIONS
        return centre, root

    @cached_property
    def precision(self) -> Array:
        """Of the prior; nothing for maximum likelihood."""
        inverse = inverse_triangular(self.law[1])
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
        W = lapack.dpotri(L, lower=1)[0].T
        W *= 2.0
        W.flat[:: len(W) + 1] *= 0.5
        W -= alpha[:, None] * alpha
        M = np.multiply(W, kappa, out=kappa)
        M *= 0.5 * s2
        sums = M.sum(axis=0) + M.sum(axis=1)
        by_column = (sums @ self.X**2 - 2.0 * np.einsum("ac,ac->c", self.X, M @ self.X)) / ell**2
        by_signal = 0.5 * s2 * float(np.vdot(W, R))
        by_noise = [0.5 * noise * float(np.diagonal(W)[self.unknown].sum())] * self.learned
        gradient = np.array([*np.bincount(self.groups, by_column, self.d), by_signal, *by_noise])
        gap = theta - self.law[0]
        pull = self.precision @ gap
        return value + 0.5 * float(gap @ pull), gradient + pull

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
        signal = self.law[0].copy()
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

    def tailed(self, theta: Array) -> Likelihood:
        """The same under the tails of the prior as they are seen from θ."""
        return replace(self, prior=self.prior.tailed((theta - self.law[0])[: self.d])) if self.prior else self

    def part(self, keep: NDArray[np.intp]) -> Likelihood:
        """Of some of the observations, if they too have noise to be learned where the others have."""
        part = Likelihood(self.X[keep], self.y[keep], self.known[keep], self.groups, self.prior, self.kernel)
        return part if part.learned == self.learned else self

    def posterior(self, theta: Array) -> Posterior:
        ell, s2, noise = self.unpack(theta)
        return Posterior.build(self.X, self.y, self.sigma2(s2, noise), ell, s2, noise=noise, kernel=self.kernel)


def fit(
    X: Array,
    y: Array,
    known: Array,
    groups: Groups,
    prior: Prior | None = None,
    kernel: Kernel = matern52,
    near: Posterior | None = None,
) -> Posterior:
    """The posterior at the best θ: MAP with a prior, the paper's MLE without one.

    X (n, D), y (n,) standardised, known (n,) noise variances or nan, groups (D,) the length scale of each column;
    `near` is a posterior whose θ will be close.
    """
    likelihood = Likelihood(X, y, known, groups, prior, kernel)
    if len(X) <= 2 * SUBSET:
        return likelihood.posterior(settled(likelihood, near)[1])
    # The likelihood costs n³: find θ on a few, then correct it on many more.
    theta = settled(likelihood.part(few(y)))[1] if near is None else likelihood.theta(near)
    return likelihood.posterior(likelihood.part(many(len(X))).tailed(theta).optimum(theta[None], 6))


def settled(likelihood: Likelihood, near: Posterior | None = None) -> tuple[Likelihood, Array]:
    """The best θ, and the likelihood under the tails that it has; from the usual starts, or from a θ that is close."""
    if near is None:
        theta, rounds = likelihood.optimum(likelihood.starts(), 50), ROUNDS if likelihood.prior else 0
    else:
        theta, rounds = likelihood.theta(near), ROUNDS - 1 if likelihood.prior else 1
    for _ in range(rounds):
        likelihood = likelihood.tailed(theta)
        theta = likelihood.optimum(theta[None], 50)
    return likelihood, theta


def many(n: int) -> NDArray[np.intp]:
    """The indices of all of n observations or, of very many, of some spread evenly over the order of arrival."""
    return np.unique(np.linspace(0, n - 1, 4 * SUBSET).astype(int))


def few(y: Array) -> NDArray[np.intp]:
    """The indices of all observations or, of very many, of the best and an even spread of the others."""
    order, n = np.argsort(y, kind="stable"), len(y)
    if n <= 2 * SUBSET:
        return np.arange(n)
    others = np.linspace(SUBSET // 4, n - 1, SUBSET - SUBSET // 4).astype(int)
    return np.sort(np.r_[order[: SUBSET // 4], order[others]])
