"""Acquisitions that depend on a point only through the mean and the standard deviation of f there.

    symbol   name    shape    meaning
    –        N       –        means that share one variance: fantasies; 1 without
    μ        mu      (u, N)   posterior means at u points
    s        sd      (u, 1)   posterior standard deviation
    α        alpha   (n, N)   weights of K(·, X) in each mean

A method says how a (μ, s) is scored, with derivatives; the average over posteriors and fantasies, and the way back to
the point, are here. Scores that are logarithms are averaged as what they are logarithms of, without leaving log space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from knowgrad.acquisition.problem import Rows
from knowgrad.gp.joint import Joint, Moments
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior

# (μ, s) -> value, ∂value/∂μ, ∂value/∂s, all (u, N)
Score = Callable[[Array, Array], tuple[Array, Array, Array]]


@dataclass(frozen=True, eq=False)
class Term:
    """One posterior, how its (μ, s) is scored, and the weights of its means where these are not its own."""

    posterior: Posterior
    score: Score
    alpha: Array | None = None

    @cached_property
    def joint(self) -> Joint:
        none = np.empty((0, self.posterior.X.shape[1]))
        return Joint(self.posterior, none, None if self.alpha is None else self.alpha.T)

    def forward(self, Z: Array) -> tuple[Moments, Array, Array]:
        """Of points Z (u, 1, D): what the way back needs, μ and s."""
        seen = self.joint.forward(Z)
        return seen, seen.mu[:, :, 0], np.sqrt(np.maximum(seen.T[:, :, 0], self.posterior.nugget))

    def vjp(self, seen: Moments, sd: Array, mu_bar: Array, sd_bar: Array) -> Array:
        """∂value/∂Z (u, 1, D) from ∂value/∂μ and ∂value/∂s; s has no slope where it is at its least."""
        moves = sd * sd > self.posterior.nugget
        T_bar = np.where(moves, sd_bar.sum(axis=1, keepdims=True) / (2.0 * sd), 0.0)[:, :, None]
        none = seen.E  # (u, 1, 0): no points stay
        return self.joint.vjp(seen, mu_bar[:, :, None], none, T_bar)


@dataclass(frozen=True, eq=False)
class Pointwise:
    """The average of the terms over posteriors and fantasies, in the form that `search` takes."""

    terms: Sequence[Term]
    logarithmic: bool = False

    def value(self, Z: Array) -> Array:
        scores = []
        for term in self.terms:
            _, mu, sd = term.forward(Z)
            scores.append(term.score(mu, sd)[0])
        return self._average(np.hstack(scores))

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        seen = [term.forward(Z) for term in self.terms]
        scored = [term.score(mu, sd) for term, (_, mu, sd) in zip(self.terms, seen, strict=True)]
        scores = np.hstack([value for value, _, _ in scored])
        average = self._average(scores)
        # Of a log-average the derivative is the average under the weights that the terms have in it.
        weight = np.exp(scores - average[:, None]) if self.logarithmic else np.ones_like(scores)
        parts = np.split(weight / scores.shape[1], np.cumsum([v.shape[1] for v, _, _ in scored])[:-1], axis=1)
        gradient = np.zeros_like(Z)
        for term, (moments, _, sd), (_, mu_bar, sd_bar), w in zip(self.terms, seen, scored, parts, strict=True):
            gradient += term.vjp(moments, sd, w * mu_bar, w * sd_bar)
        return average, gradient

    def _average(self, scores: Array) -> Array:
        if not self.logarithmic:
            return np.asarray(scores.mean(axis=1))
        return np.asarray(logsumexp(scores, axis=1) - np.log(scores.shape[1]))
