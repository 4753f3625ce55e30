"""`pes`: predictive entropy search. The next point is the one that says most about where the minimum is.

    PES(z) = H[y(z)] − E_{x*} H[y(z) | x*]

What is approximated, and how, is said in `entropy`. Against the source: the conditions that x* is a minimum hold on a
finite set of competitors instead of through the gradient and the Hessian at x*, and averages over hyperparameters are
those over the posteriors of the model.

Sequential: the points of a larger batch are chosen one after the other, each for what it adds to the pending points and
to those before it (their results are not known, but that they will be is).

Source: Hernández-Lobato, Hoffman & Ghahramani, "Predictive entropy search for efficient global optimization of
black-box functions", 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowgrad.acquisition.criteria.entropy import Information, Minimisers
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average, maximise
from knowgrad.acquisition.search.discretize import distinct, lowest_lcb, sampled_optima
from knowgrad.acquisition.search.starts import Starts, settle, starts
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior


@dataclass(frozen=True)
class PES:
    """Options per posterior: draws of x*, and observed points among the competitors of x* at most."""

    paths: int = 32
    size: int = 32
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        minimisers, candidates = prepare(question, rng, self.paths, self.size)
        chosen = question.pending
        for _ in range(question.q):
            one = replace(question, pending=chosen, q=1)
            z = maximise(one, lambda fixed: information(question, minimisers, fixed), candidates, rng)
            chosen = np.vstack([chosen, z])
        return Answer(chosen[len(question.pending) :])


def information(question: Question, minimisers: Sequence[Minimisers], fixed: Array) -> Average:
    """What further points beside `fixed` say about x*, the average over the posteriors."""
    each = zip(minimisers, question.noise, strict=True)
    return Average([Information(known, noise, fixed) for known, noise in each])


def prepare(question: Question, rng: np.random.Generator, paths: int, size: int) -> tuple[list[Minimisers], Array]:
    """f given x*, for every posterior, and the points that a search begins from."""
    begin = starts(question, rng)
    each = zip(question.model, begin.lows, strict=True)
    minimisers = [_learn(question, begin, post, low, rng, paths, size) for post, low in each]
    points = [begin.points, begin.spread, *(known.B for known in minimisers)]
    return minimisers, np.unique(np.vstack(points), axis=0)


def _learn(
    question: Question, begin: Starts, post: Posterior, low: Array, rng: np.random.Generator, paths: int, size: int
) -> Minimisers:
    domain = question.domain
    optima = settle(domain, sampled_optima(post, domain, begin.spread, paths, rng))
    optima = optima if len(optima) else low
    B = distinct(np.vstack([optima, low, lowest_lcb(post, settle(domain, post.X), size)]), post.ell)
    nearest = np.argmin(squared_distance(optima / post.ell, B / post.ell), axis=1)
    star, count = np.unique(nearest, return_counts=True)
    return Minimisers.learn(post, B, star, count / len(optima))
