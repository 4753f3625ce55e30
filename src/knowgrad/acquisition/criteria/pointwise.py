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

import numpy as np
from scipy.special import logsumexp

from knowgrad.acquisition.search.ascent import Rows
from knowgrad.gp.kernel import vjp
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior

# (μ, s) -> value, ∂value/∂μ, ∂value/∂s, all (u, N)
Score = Callable[[Array, Array], tuple[Array, Array, Array]]
LEAST = 1e-12  # variance, relative to s², below which double precision sees none


@dataclass(frozen=True, eq=False)
class Term:
    """One posterior, how its (μ, s) is scored, and the weights of its means where these are not its own."""

    posterior: Posterior
    score: Score
    alpha: Array | None = None

    def forward(self, U: Array) -> tuple[Array, Array, Array, Array]:
        """μ, s, and what the way back needs: κ(U, X) and V = L⁻¹ K(X, U)."""
        post = self.posterior
        k, kappa = post.correlate(U, post.X)
        V = post.Linv @ (post.s2 * k.T)
        mu = post.m + post.s2 * (k @ self.weights)
        variance = np.maximum(post.s2 - np.einsum("nu,nu->u", V, V), LEAST * post.s2)
        return mu, np.sqrt(variance)[:, None], kappa, V

    @property
    def weights(self) -> Array:
        return self.posterior.alpha[:, None] if self.alpha is None else self.alpha

    def back(self, U: Array, sd: Array, kappa: Array, V: Array, mu_bar: Array, sd_bar: Array) -> Array:
        """∂value/∂U (u, D) from ∂value/∂μ and ∂value/∂s; s has no slope where it is at its least."""
        post = self.posterior
        moves = sd * sd > LEAST * post.s2
        variance_bar = np.where(moves, sd_bar.sum(axis=1, keepdims=True) / (2.0 * sd), 0.0)
        weight = mu_bar @ self.weights.T - 2.0 * variance_bar * (V.T @ post.Linv)
        return vjp(post.s2 * kappa * weight, U, post.X, post.ell)


@dataclass(frozen=True, eq=False)
class Pointwise:
    """The average of the terms over posteriors and fantasies, in the form that `search` takes."""

    terms: Sequence[Term]
    logarithmic: bool = False

    def value(self, Z: Array) -> Array:
        scores = []
        for term in self.terms:
            mu, sd, _, _ = term.forward(Z[:, 0])
            scores.append(term.score(mu, sd)[0])
        return self._average(np.hstack(scores))

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        U = Z[:, 0]
        seen = [term.forward(U) for term in self.terms]
        scored = [term.score(mu, sd) for term, (mu, sd, _, _) in zip(self.terms, seen, strict=True)]
        scores = np.hstack([value for value, _, _ in scored])
        average = self._average(scores)
        # Of a log-average the derivative is the average under the weights that the terms have in it.
        weight = np.exp(scores - average[:, None]) if self.logarithmic else np.ones_like(scores)
        parts = np.split(weight / scores.shape[1], np.cumsum([v.shape[1] for v, _, _ in scored])[:-1], axis=1)
        gradient = np.zeros_like(U)
        for term, (_, sd, kappa, V), (_, mu_bar, sd_bar), w in zip(self.terms, seen, scored, parts, strict=True):
            gradient += term.back(U, sd, kappa, V, w * mu_bar, w * sd_bar)
        return average, gradient[:, None]

    def _average(self, scores: Array) -> Array:
        if not self.logarithmic:
            return np.asarray(scores.mean(axis=1))
        return np.asarray(logsumexp(scores, axis=1) - np.log(scores.shape[1]))
