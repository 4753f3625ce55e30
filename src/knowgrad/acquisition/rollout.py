"""Searches played through under a model: what a sequence of batches is expected to add, before any of it is made.

M functions are drawn from the posterior. On each a search is played: a batch is chosen, its results are those of the
function plus noise, and so on. All of it happens on n points, those where the functions have their minima among them.
Within a batch each point maximises what it would add at its own place, given that those before it return their means:

    value(i) = E[(min t − t_i − σ̃_i Z)⁺],   σ̃_i = cov(t_i, f_i) / √(var f_i + σ²_i)

    symbol   name       shape      meaning
    f        –          (n,)       what is measured at the points
    t        –          (n,)       the target there, which is minimised: f itself, or a sum over contexts
    μ, K     mean, cov  (r,) …     posterior of f, then of t unless it is f: r = n or 2n
    σ²       noise      (n,)       of a measurement
    –        truth      (M, n)     the functions
    –        V          (M, k, r)  rows of L⁻¹ K for the k results so far of each search
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.search.discretize import distinct, downhill, lowest, reach
from knowgrad.acquisition.search.starts import Starts, settle
from knowgrad.acquisition.target import Target, field_of
from knowgrad.gp.linalg import Array
from knowgrad.gp.paths import Paths
from knowgrad.gp.posterior import Noise, Posterior

SPREAD = 64  # points that are spread over the domain
BEST = 16  # points tried before


@dataclass(frozen=True, eq=False)
class Fantasy:
    """Functions drawn from one posterior, on a finite set."""

    mean: Array
    cov: Array
    noise: Array
    truth: Array

    @property
    def targets(self) -> slice:
        """The rows of t."""
        n = len(self.noise)
        return slice(len(self.mean) - n, None)

    def lows(self, batches: Sequence[int], eps: Array) -> Array:
        """The least mean of t before and after each of the batches (M, b + 1); eps (M, k) are standard normals."""
        search = Search(self, sum(batches))
        found = [search.least()]
        for q in batches:
            search.play(q, eps)
            found.append(search.least())
        return np.array(found).T


class Search:
    """One search on each of the functions of a fantasy, all of them played together."""

    def __init__(self, fantasy: Fantasy, most: int) -> None:
        self.fantasy, self.k = fantasy, 0
        M, n = fantasy.truth.shape
        self.each, self.mean = np.arange(M), np.tile(fantasy.mean, (M, 1))
        self.var = np.tile(np.diag(fantasy.cov)[:n], (M, 1))
        self.cross = np.tile(np.diagonal(fantasy.cov[:n, fantasy.targets]), (M, 1))
        self.V = np.zeros((M, most, len(fantasy.mean)))

    def least(self) -> Array:
        """The least mean of t in each search (M,)."""
        return np.asarray(self.mean[:, self.fantasy.targets].min(axis=1))

    def play(self, q: int, eps: Array) -> None:
        """Choose a batch of q, then learn its results."""
        begun = self.k
        batch = [self.choose() for _ in range(q)]
        for j, (i, sd) in enumerate(batch, start=begun):
            result = self.fantasy.truth[self.each, i] + np.sqrt(self.fantasy.noise[i]) * eps[:, j]
            self.mean = self.mean + self.V[:, j] * ((result - self.mean[self.each, i]) / sd)[:, None]

    def choose(self) -> tuple[NDArray[np.intp], Array]:
        """The next point of each search, and the standard deviation of its result."""
        fantasy, each, V, k = self.fantasy, self.each, self.V, self.k
        n, spot = len(fantasy.noise), fantasy.targets
        sd = np.sqrt(np.maximum(self.var, 0.0) + fantasy.noise)
        i = np.argmax(improvement(self.mean[:, spot], self.cross / sd), axis=1)
        known = np.matmul(V[each, :k, i][:, None], V[:, :k])[:, 0]
        V[:, k] = (fantasy.cov[i] - known) / sd[each, i, None]
        self.var = self.var - V[:, k, :n] ** 2
        self.cross = self.cross - V[:, k, :n] * V[:, k, spot]
        self.k += 1
        return i, sd[each, i]


def improvement(mean: Array, sd: Array) -> Array:
    """E[(min mean − mean_i − sd_i Z)⁺] for every i."""
    sd = np.abs(sd) + 1e-300
    u = (mean.min(axis=1, keepdims=True) - mean) / sd
    return np.asarray(sd * (u * ndtr(u) + np.exp(-0.5 * u**2) / np.sqrt(2.0 * np.pi)))


def fantasy(
    question: Question,
    post: Posterior,
    noise: Noise,
    begin: Starts,
    low: Array,
    M: int,
    rng: np.random.Generator,
    wider: float = 1.0,
) -> Fantasy:
    """M functions drawn from the posterior, on their minima and on points spread over the domain.

    All standard deviations are `wider` by a factor.
    """
    domain, target = question.domain, question.target
    paths = Paths.draw(post, M, rng)
    U = np.vstack([begin.spread, low, domain.within(post.X)])
    values = paths.values(U) if target is None else target.sum(paths.values(target.expand(U)))
    start = U[np.argmin(values, axis=1)]
    minima = climb(downhill(field_of(target, paths.value_and_gradient)), start[:, None], domain, reach(post), steps=8)[
        0
    ]
    tried = U[len(begin.spread) + len(low) :]
    A = np.vstack([low, settle(domain, minima[:, 0]), _best(post, tried, target), begin.spread[:SPREAD]])
    A = distinct(A, post.ell)
    rows = A if target is None else np.vstack([A, target.expand(A)])
    mean, cov = post.mean(rows), wider**2 * post.cov(rows, rows)
    truth = mean[: len(A)] + wider * (paths.values(A) - mean[: len(A)])
    if target is not None:
        mean = np.concatenate([mean[: len(A)], target.sum(mean[len(A) :])])
        cov = _folded(_folded(cov, len(A), target).T, len(A), target).T
    return Fantasy(mean, cov, noise(A)[0] + post.nugget, truth)


def _folded(K: Array, n: int, target: Target) -> Array:
    """Columns of f at points and at the target's rows as columns of f and of the target."""
    return np.hstack([K[:, :n], target.sum(K[:, n:])])


def _best(post: Posterior, tried: Array, target: Target | None) -> Array:
    return lowest((post,), tried, BEST, target)
