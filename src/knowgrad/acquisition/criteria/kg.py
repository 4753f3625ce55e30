"""The q-KG factor on a finite set A_n: value and gradient (paper §4, §5.1, §5.2).

    q-KG(z) = min μ^(n) − E[min (μ^(n) + σ̃ Z_q)],   the minima over the rows of A_n

For a single measurement, with none pending, the expectation has a closed form: `ExactKG`. For more it is an average
over fixed normals: `SampledKG`. The winners x* enter the gradient only through two sets of weights, μ̄ = ∂value/∂μ and
σ̄ = ∂value/∂σ̃; the way from these back to z (`lookahead`) is the same for both.

    symbol        name     shape           meaning
    μ^(n), σ̃      fw       –               of `lookahead`
    Z_q           Zq       (N, r)          standard normals, one row per sample
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.lookahead import Forward, Lookahead
from knowgrad.acquisition.criteria.piecewise import expected_minimum
from knowgrad.acquisition.problem import Rows
from knowgrad.gp.linalg import Array


@dataclass(frozen=True, eq=False)
class Factor(ABC):
    """q-KG of batches, from where the minima lie."""

    ahead: Lookahead

    @abstractmethod
    def winners(self, fw: Forward) -> tuple[Array, Array, Array]:
        """Value (S,) and its derivatives μ̄ (S, a+r) and σ̄ (S, a+r, r)."""

    def value(self, Z: Array) -> Array:
        return self.winners(self.ahead.forward(Z))[0]

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """q-KG (S,) and its gradient (S, q, D)."""
        fw = self.ahead.forward(Z)
        value, mu_bar, sigma_bar = self.winners(fw)
        return value, self.ahead.vjp(fw, mu_bar, sigma_bar)


@dataclass(frozen=True, eq=False)
class ExactKG(Factor):
    """q-KG of one point (q = 1), none pending, without sampling."""

    def winners(self, fw: Forward) -> tuple[Array, Array, Array]:
        """From x*(before), and the chance of each row to be x*(after)."""
        rows, before = np.arange(len(fw.mu)), np.argmin(fw.mu, axis=1)
        after, share, slope = expected_minimum(fw.mu, fw.sigma[:, :, 0])
        mu_bar = -share
        mu_bar[rows, before] += 1.0
        return fw.mu[rows, before] - after, mu_bar, -slope[:, :, None]


@dataclass(frozen=True, eq=False)
class SampledKG(Factor):
    """q-KG on samples, the same for every batch; its gradient is the unbiased one of IPA.

    Both minima are taken on the sample: μ^(n+q)(x_before) averages to μ^(n)(x_before), and measuring from it removes
    most of the Monte Carlo error.
    """

    Zq: Array

    def value(self, Z: Array) -> Array:
        fw = self.ahead.forward(Z)
        M = fw.means(self.Zq)
        return np.asarray(np.mean(M[np.arange(len(M)), :, np.argmin(fw.mu, axis=1)] - M.min(axis=2), axis=1))

    def winners(self, fw: Forward) -> tuple[Array, Array, Array]:
        """From x*(before) and, for each sample, x*(after)."""
        (S, width, r), N, rows = fw.sigma.shape, len(self.Zq), np.arange(len(fw.mu))
        before, M = np.argmin(fw.mu, axis=1), fw.means(self.Zq)
        after = np.argmin(M, axis=2)
        if fw.seen.drawn is not None:
            return self._by_sample(M, before, after, fw.seen.drawn[0].shape[1])
        least = np.take_along_axis(M, after[:, :, None], axis=2)[:, :, 0]
        value = np.mean(M[rows, :, before] - least, axis=1)
        flat = (rows[:, None] * width + after).ravel()
        mu_bar = -np.bincount(flat, minlength=S * width).reshape(S, width) / N
        sigma_bar = np.empty((S, width, r))
        for j in range(r):
            won = np.bincount(flat, np.tile(self.Zq[:, j], S), minlength=S * width)
            sigma_bar[:, :, j] = -won.reshape(S, width) / N
        mu_bar[rows, before] += 1.0
        sigma_bar[rows, before] += self.Zq.mean(axis=0)
        return value, mu_bar, sigma_bar

    def _by_sample(self, M: Array, before: Rows, after: Rows, f: int) -> tuple[Array, Array, Array]:
        """The same where every sample has a mean of its own: μ̄ by these, at the rows of z that move (S, N, q)."""
        S, N, _ = M.shape
        at, each = np.arange(S)[:, None], np.arange(N)
        value = np.mean(M[at, each, before[:, None]] - M[at, each, after], axis=1)
        M_bar = np.zeros_like(M)
        M_bar[at, each, after] -= 1.0 / N
        M_bar[at, each, before[:, None]] += 1.0 / N
        return value, M_bar[:, :, f:], np.swapaxes(M_bar, 1, 2) @ self.Zq
