"""q-KG where several outcomes count: the expected gain of the best utility by a batch, with its gradient.

    q-KG(z) = E[max_x u_λ(μ', s')(x) − u_λ(μ', s')(x_λ)],   both over A_n, x_λ = argmax u_λ(μ, s)

    symbol   name    shape            meaning
    K        –       –                outcomes: independent processes, a look-ahead each
    μ'       –       (S, N, a+r)      μ + σ̃ Z_q of one outcome: its mean after the batch
    s'²      –       (S, 1, a+r)      s² − ‖σ̃‖²: its variance after the batch, the same for every sample
    Z_q      Zq      (K, N, r)        standard normals, one row per sample
    λ        lam     (N, L, m)        directions, L for each sample

What is expected is over the results of all outcomes and over directions at once. The utility of one objective with
limits is a martingale: u(x_λ) on the samples averages to what it is now. So of one objective without limits this is
q-KG itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.lookahead import Forward, Lookahead
from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.gp.linalg import Array


@dataclass(frozen=True, eq=False)
class SeveralKG:
    """q-KG of batches under one posterior of every outcome."""

    aheads: Sequence[Lookahead]
    utility: Utility
    Zq: Array
    lam: Array

    def value(self, Z: Array) -> Array:
        return np.asarray(self.per_sample(Z).mean(axis=1))

    def per_sample(self, Z: Array) -> Array:
        """What a batch gains on each sample (S, N)."""
        forwards = [ahead.forward(Z) for ahead in self.aheads]
        M, s = self._after(forwards)
        best, _ = self._best(M, s)
        return np.asarray((best - self._at(M, s, self._kept(forwards))).mean(axis=2))

    def winners(self, z: Array) -> NDArray[np.intp]:
        """The rows of A_n that are best after z (q, D), for every sample and direction (N, L)."""
        M, s = self._after([ahead.forward(z[None]) for ahead in self.aheads])
        return np.asarray(self._best(M, s)[1][0])

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        forwards = [ahead.forward(Z) for ahead in self.aheads]
        M, s = self._after(forwards)
        (S, N, R), L = M[0].shape, self.lam.shape[1]
        _, after = self._best(M, s)
        rows = np.concatenate([after, self._kept(forwards)], axis=2)
        sign = np.repeat([1.0, -1.0], L) / (N * L)
        lam = np.broadcast_to(np.concatenate([self.lam, self.lam], axis=1), (*rows.shape, self.utility.m))
        mu = [np.take_along_axis(each, rows, axis=2) for each in M]
        sd = [None if each is None else np.take_along_axis(each[:, None], rows, axis=2) for each in s]
        worth = self.utility.worth(mu, sd, lam)
        value = (worth.value * sign).sum(axis=(1, 2))
        flat = (np.arange(S)[:, None, None] * R + rows).ravel()
        gradient = np.zeros_like(Z)
        for k, (ahead, fw) in enumerate(zip(self.aheads, forwards, strict=True)):
            gradient += self._back(k, ahead, fw, flat, sign, worth.by_mean[k], worth.by_sd[k], s[k])
        return np.asarray(value), gradient

    def _back(
        self,
        k: int,
        ahead: Lookahead,
        fw: Forward,
        flat: NDArray[np.intp],
        sign: Array,
        by_mean: Array | None,
        by_sd: Array | None,
        sd: Array | None,
    ) -> Array:
        """∂value/∂z through one outcome."""
        (S, R, r), width = fw.sigma.shape, len(fw.sigma) * fw.sigma.shape[1]
        mu_bar, sigma_bar = np.zeros((S, R)), np.zeros((S, R, r))
        if by_mean is not None:
            weight = by_mean * sign
            mu_bar[:] = np.bincount(flat, weight.ravel(), width).reshape(S, R)
            for j in range(r):
                moved = (weight * self.Zq[k, :, j, None]).ravel()
                sigma_bar[:, :, j] = np.bincount(flat, moved, width).reshape(S, R)
        variance_bar = None
        if by_sd is not None and sd is not None:
            moves = sd * sd > ahead.posterior.nugget  # at its least, a variance has no slope
            total = np.bincount(flat, (by_sd * sign).ravel(), width).reshape(S, R)
            variance_bar = np.where(moves, total / (2.0 * sd), 0.0)
            sigma_bar -= 2.0 * variance_bar[:, :, None] * fw.sigma
        return ahead.vjp(fw, mu_bar, sigma_bar, variance_bar)

    @cached_property
    def _stays(self) -> tuple[Array, NDArray[np.intp]]:
        """The largest utility now on A ∪ pending, for every sample and direction, and its row: (N, L) both."""
        mu = [ahead.anchors.mu_F[None, None] for ahead in self.aheads]
        best, rows = self._best(mu, [self._sd(k, ahead.variance_F[None]) for k, ahead in enumerate(self.aheads)])
        return best[0], rows[0]

    def _kept(self, forwards: Sequence[Forward]) -> NDArray[np.intp]:
        """x_λ of every sample and direction, as rows of A_n (S, N, L): one that stays, or a candidate."""
        best, rows = self._stays
        f = len(self.aheads[0].variance_F)
        mu = [fw.mu[:, None, f:] for fw in forwards]
        both = zip(self.aheads, forwards, strict=True)
        sd = [self._sd(k, ahead.variances(fw)[:, f:]) for k, (ahead, fw) in enumerate(both)]
        moved, which = self._best(mu, sd)
        return np.where(moved > best, f + which, rows)

    def _sd(self, k: int, variance: Array) -> Array:
        return np.asarray(np.sqrt(np.maximum(variance, self.aheads[k].posterior.nugget)))

    def _after(self, forwards: Sequence[Forward]) -> tuple[list[Array], list[Array | None]]:
        """μ' (S, N, a+r) and s' (S, a+r) of every outcome; s' where a limit asks for it."""
        M, s = [], []
        for k, (ahead, fw) in enumerate(zip(self.aheads, forwards, strict=True)):
            means = self.Zq[k] @ np.swapaxes(fw.sigma, 1, 2)
            means += fw.mu[:, None, :]
            M.append(means)
            left = None
            if k in self.utility.limited:
                left = self._sd(k, ahead.variances(fw) - np.einsum("sij,sij->si", fw.sigma, fw.sigma))
            s.append(left)
        return M, s

    def _utilities(self, M: Sequence[Array], s: Sequence[Array | None]) -> tuple[list[Array], Array | float]:
        gains = self.utility.gains(M)
        return gains, self.utility.chance(M, [None if each is None else each[:, None] for each in s])

    def _best(self, M: Sequence[Array], s: Sequence[Array | None]) -> tuple[Array, NDArray[np.intp]]:
        """The largest utility of every sample and direction, and its row: (S, N, L) both."""
        gains, chance = self._utilities(M, s)
        (N, L, m), S = self.lam.shape, len(gains[0])
        best, rows = np.empty((S, N, L)), np.empty((S, N, L), dtype=np.intp)
        for j in range(L):
            least = gains[0] / self.lam[:, j, :1]
            for k in range(1, m):
                np.minimum(least, gains[k] / self.lam[:, j, k : k + 1], out=least)
            u = self.utility.raised(least) * chance
            rows[:, :, j] = np.argmax(u, axis=2)
            best[:, :, j] = np.take_along_axis(u, rows[:, :, j, None], axis=2)[:, :, 0]
        return best, rows

    def _at(self, M: Sequence[Array], s: Sequence[Array | None], rows: NDArray[np.intp]) -> Array:
        """u' at rows (S, N, L)."""
        mu = [np.take_along_axis(each, rows, axis=2) for each in M]
        sd = [None if each is None else np.take_along_axis(each[:, None], rows, axis=2) for each in s]
        shares = np.stack(self.utility.gains(mu), axis=-1) / self.lam
        return np.asarray(self.utility.raised(shares.min(axis=-1)) * self.utility.chance(mu, sd))
