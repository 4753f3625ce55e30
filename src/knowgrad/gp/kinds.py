"""Noise that is learned for each kind of observation: those of one source may be noisier than those of another.

    symbol   name    shape   meaning
    ψ_k      psi     (m,)    ln σ_k², the noise variance of kind k; the first is that of a future observation
    W        –       (n, n)  K⁻¹ − α αᵀ, so that ∂(−log likelihood)/∂ψ_k = ½ σ_k² Σ_{i in k} W_ii

Before anything is known the kinds are alike: ψ_k = common + own_k, both normal. Given ψ, the other hyperparameters are
fitted as ever, and the other way round. More than one noise is kept only where the likelihood rises by a margin for
each, so that where the noises are the same nothing changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from knowgrad.gp.fit import fit
from knowgrad.gp.likelihood import HIGH, LOW, Groups, Likelihood
from knowgrad.gp.linalg import NUGGET, Array, cholesky, inverse_triangular
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior

MARGIN = 3.0  # in log likelihood, for each noise besides the first
COMMON, OWN = 2.0, 1.5  # standard deviations of the parts of ψ
SMALL = 1e-2  # a noise to begin with where results were taken for exact
TURNS = 2  # of noises and the other hyperparameters
STEPS = 20  # of an ascent in ψ

Kinds = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Noises:
    """−log p(y, ψ) at the length scales and the signal of a posterior, as a function of ψ."""

    posterior: Posterior
    known: Array
    kinds: Kinds

    @property
    def precision(self) -> Array:
        m = int(self.kinds.max()) + 1
        return np.asarray(np.linalg.inv(OWN**2 * np.eye(m) + COMMON**2))

    def variances(self, psi: Array) -> Array:
        """Of each observation (n,)."""
        return np.where(np.isnan(self.known), np.exp(psi)[self.kinds], self.known)

    def __call__(self, psi: Array) -> tuple[float, Array]:
        post = self.posterior
        K = post.s2 * post.kernel(post.X, post.X, post.ell)[0]
        variances = self.variances(psi)
        K.flat[:: len(K) + 1] = post.s2 + np.maximum(variances, NUGGET * post.s2)
        L, _ = cholesky(K)
        Linv = inverse_triangular(L)
        white, one = Linv @ post.y, Linv.sum(axis=1)
        white = white - one * (one @ white) / (one @ one)
        value = 0.5 * float(white @ white) + float(np.log(np.diagonal(L)).sum())
        W = np.einsum("ji,ji->i", Linv, Linv) - (Linv.T @ white) ** 2
        each = np.where(np.isnan(self.known), 0.5 * variances * W, 0.0)
        gap = psi - Prior().noise[0]
        slope = self.precision @ gap
        return value + 0.5 * float(gap @ slope), np.bincount(self.kinds, each, len(psi)) + slope

    def best(self, psi: Array) -> Array:
        """The ψ of a local optimum near this one."""
        bounds = [(math.log(LOW["noise"]), math.log(HIGH["noise"]))] * len(psi)
        found = minimize(self, psi, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": STEPS})
        return np.asarray(found.x)


def fit_kinds(post: Posterior, known: Array, kinds: Kinds, groups: Groups) -> tuple[Posterior, Array] | None:
    """The posterior with a noise for each kind, and their variances (m,); None where one noise will do.

    `known` (n,) are noise variances, nan where learned; `kinds` (n,) from 0 to m − 1. Where the posterior takes results
    for exact, the first noise has to be worth its margin, too.
    """
    m = int(kinds.max()) + 1
    if m < 2 or not np.isnan(known).any():
        return None
    before = known if post.noise > 0.0 else np.where(np.isnan(known), 0.0, known)
    psi, found = np.full(m, math.log(post.noise or SMALL)), post
    for _ in range(TURNS):
        psi = Noises(found, known, kinds).best(psi)
        found = fit(post.X, post.y, held(known, kinds, psi), groups, Prior(), post.kernel, near=found)
        psi[0] = math.log(max(found.noise, LOW["noise"])) if np.isnan(known[kinds == 0]).any() else psi[0]
    rise = _likelihood(found, held(known, kinds, psi), groups) - _likelihood(post, before, groups)
    return (found, np.exp(psi)) if rise > MARGIN * (m - 1 + (before is not known)) else None


def held(known: Array, kinds: Kinds, psi: Array) -> Array:
    """The noise variances of observations of all kinds but the first as if they were known."""
    return np.where(np.isnan(known) & (kinds > 0), np.exp(psi)[kinds], known)


def _likelihood(post: Posterior, known: Array, groups: Groups) -> float:
    likelihood = Likelihood(post.X, post.y, known, groups, None, post.kernel)
    return likelihood.log_likelihood(likelihood.theta(post))
