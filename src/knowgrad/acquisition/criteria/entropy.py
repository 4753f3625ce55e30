"""How much measuring a batch would say about where the minimum is: the acquisition of `pes` and `ppes`.

    I(z) = H[y(W)] − E_{x*} H[y(W) | x*],   W = pending ∪ z,   H of a normal: ½ log det(covariance + σ²(W)) + constant

x* is drawn from its posterior, as the minimisers of sample paths. What is approximated, given one x*:

1. "x* minimises f" becomes f(b) ≥ f(x*) at the points b of a finite set B: the other sampled minimisers, the minima of
   the mean, and the observed points that may be lowest; and f(w) ≥ f(x*) at the points of W themselves. No condition
   is put on derivatives at x*.
2. The distribution of f given the conditions on B is replaced by a normal one, by expectation propagation, once for all
   W. It counts twice what two conditions say alike, so of such conditions only one is used.
3. So is, then, that of f(W) given the conditions on W, taken in one after the other.

    symbol   name      shape        meaning
    B        B         (b, D)       holds every x*
    –        star      (M,)         which rows of B are the x*
    –        share     (M,)         how often each was drawn
    d        –         (M, b)       f(B) − f(x*), conditioned to be ≥ 0
    u        –         1 + r        (f(x*), f(W)) for one x*
    A        A         (S, r, b)    K^(n)(W, B)
    –        w         (M, b)       E f(x) = μ^(n)(x) + K^(n)(x, B) w     }
    –        Q         (M, b, b)    Cov f(x) = K^(n) − K^(n)(x, B) Q K^(n)(B, x)   }  given the conditions on B
    –        t         (M, b)       Cov(f(x*), f(x)) = K^(n)(x, B) t      }
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.ep import Step, believe, filtered, filtered_vjp
from knowgrad.gp.joint import Joint, Moments
from knowgrad.gp.linalg import ENTROPY_NUGGET, NUGGET, Array, cholesky_batch
from knowgrad.gp.posterior import Noise, Posterior

ALIKE = 0.7  # correlation


@dataclass(frozen=True, eq=False)
class Minimisers:
    """f given each of M places of the minimum, as normal distributions."""

    posterior: Posterior
    B: Array
    share: Array
    w: Array
    Q: Array
    t: Array
    mean: Array  # of f(x*) (M,)
    variance: Array

    @classmethod
    def learn(cls, posterior: Posterior, B: Array, star: NDArray[np.intp], share: Array) -> Minimisers:
        M, b = len(star), len(B)
        mu, C = posterior.mean(B), posterior.cov(B, B)
        J = np.broadcast_to(np.eye(b), (M, b, b)).copy()  # f(B) ↦ f(B) − f(x*)
        J[np.arange(M), :, star] -= 1.0
        a, cov = mu - mu[star, None], J @ C @ np.swapaxes(J, 1, 2)
        W, h = believe(a, cov, competitors(a, cov))
        Q = np.swapaxes(J, 1, 2) @ W @ J
        w = np.einsum("mij,mi->mj", J, h)
        t = np.eye(b)[star] - np.einsum("mij,jm->mi", Q, C[:, star])
        mean = mu[star] + np.einsum("mb,bm->m", w, C[:, star])
        variance = np.maximum(np.einsum("mb,bm->m", t, C[:, star]), 0.0)
        return cls(posterior, B, share, w, Q, t, mean, variance)


def competitors(a: Array, cov: Array) -> NDArray[np.bool_]:
    """Which of the conditions d ≥ 0 to use, for d ~ N(a, cov) and each x* (M, b).

    Those most likely to be violated first, without any that is correlated by more than ALIKE with one taken before.
    """
    variance, rows = np.einsum("mbb->mb", cov), np.arange(len(a))
    left = variance > NUGGET * variance.max(axis=1, keepdims=True)  # x* is not its own competitor
    sd = np.sqrt(np.where(left, variance, 1.0))
    alike = cov > ALIKE * sd[:, :, None] * sd[:, None, :]
    taken: NDArray[np.bool_] = np.zeros(left.shape, bool)
    while left.any():
        first = np.argmin(np.where(left, a / sd, np.inf), axis=1)
        taken[rows, first] |= left.any(axis=1)
        left &= ~alike[rows, first]
        left[rows, first] = False
    return taken


class Given(NamedTuple):
    """f(W) before and after, for every batch and every x*."""

    seen: Moments
    A: Array
    P: Array  # A Q for the rows of z (S, M, q, b)
    C: Array
    before: Array  # (C + σ²)⁻¹
    after: Array  # of the conditioned distribution
    steps: list[Step]
    noise_slope: Array


@dataclass(frozen=True, eq=False)
class Information:
    """I(z) under one posterior, given f at fixed points too."""

    minimisers: Minimisers
    noise: Noise
    fixed: Array

    @cached_property
    def joint(self) -> Joint:
        return Joint(self.minimisers.posterior, np.vstack([self.minimisers.B, self.fixed]))

    @cached_property
    def P_fixed(self) -> Array:
        """K^(n)(fixed, B) Q (M, f, b)."""
        b = len(self.minimisers.B)
        return np.asarray(self.joint.C_F[b:, :b] @ self.minimisers.Q)

    @property
    def floor(self) -> float:
        return ENTROPY_NUGGET * self.minimisers.posterior.s2

    def value(self, Z: Array) -> Array:
        return self._forward(Z)[0]

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        value, given = self._forward(Z)
        return value, self._vjp(given)

    def _forward(self, Z: Array) -> tuple[Array, Given]:
        known, (S, q, _), f = self.minimisers, Z.shape, len(self.fixed)
        b, M = len(known.B), len(known.share)
        seen = self.joint.forward(Z)
        mu, C = self.joint.whole(seen)
        mu, A, C = mu[:, 0, b:], C[:, b:, :b], C[:, b:, b:]
        P = A[:, None, f:] @ known.Q  # (S, M, q, b)
        mean, V = np.empty((S, M, 1 + f + q)), np.empty((S, M, 1 + f + q, 1 + f + q))
        mean[..., 0], V[..., 0, 0] = known.mean, known.variance
        mean[..., 1:] = mu[:, None] + np.einsum("srb,mb->smr", A, known.w)
        V[..., 0, 1:] = V[..., 1:, 0] = np.einsum("srb,mb->smr", A, known.t)
        V[..., 1:, 1:] = C[:, None]
        V[..., 1 : 1 + f, 1 : 1 + f] -= self.P_fixed @ self.joint.C_F[:b, b:]
        cross = P @ self.joint.C_F[:b, b:]
        V[..., 1 + f :, 1 : 1 + f] -= cross
        V[..., 1 : 1 + f, 1 + f :] -= np.swapaxes(cross, 2, 3)
        V[..., 1 + f :, 1 + f :] -= P @ np.swapaxes(A[:, None, f:], 2, 3)
        after, steps = filtered(mean, V, self.floor)
        variance, slope = self.noise(Z)
        noise = np.concatenate([np.broadcast_to(self.noise(self.fixed)[0], (S, f)), variance], axis=1) + self.floor
        left, before = self._entropy(C, noise)
        right, inverse = self._entropy(after[..., 1:, 1:], noise[:, None])
        return left - right @ known.share, Given(seen, A, P, C, before, inverse, steps, slope)

    def _entropy(self, C: Array, noise: Array) -> tuple[Array, Array]:
        """½ log det(C + diag noise), and the inverse of that matrix; leading axes are kept."""
        r = C.shape[-1]
        C = C + noise[..., None] * np.eye(r)
        D = cholesky_batch(C.reshape(-1, r, r), self.minimisers.posterior.s2).reshape(C.shape)
        Dinv = np.asarray(np.linalg.inv(D), dtype=np.float64)
        return np.log(np.einsum("...ii->...i", D)).sum(axis=-1), np.swapaxes(Dinv, -1, -2) @ Dinv

    def _vjp(self, given: Given) -> Array:
        known, f = self.minimisers, len(self.fixed)
        weight = known.share[:, None, None]
        V_bar = np.zeros(given.after.shape[:2] + (given.after.shape[2] + 1,) * 2)
        V_bar[..., 1:, 1:] = -0.5 * weight * given.after
        noise_bar = np.einsum("sii->si", 0.5 * given.before + V_bar[..., 1:, 1:].sum(axis=1))[:, f:]
        mean_bar, V_bar = filtered_vjp(given.steps, V_bar, self.floor)
        mu_bar, R = mean_bar[..., 1 + f :], V_bar[..., 1 + f :, 1:]
        A_bar = np.einsum("smq,mb->sqb", mu_bar, known.w) + 2.0 * np.einsum(
            "smq,mb->sqb", V_bar[..., 1 + f :, 0], known.t
        )
        A_bar -= 2.0 * np.einsum("smqf,mfb->sqb", R[..., :f], self.P_fixed)
        A_bar -= 2.0 * (R[..., f:] @ given.P).sum(axis=1)
        C_bar = 0.5 * given.before[:, f:] + R.sum(axis=1)
        E_bar = np.concatenate([A_bar, 2.0 * C_bar[..., :f]], axis=2)
        gradient = self.joint.vjp(given.seen, mu_bar.sum(axis=1)[:, None], E_bar, C_bar[..., f:])
        return np.asarray(gradient + noise_bar[..., None] * given.noise_slope)
