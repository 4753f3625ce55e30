"""How every joint method finds its batch: one point after the other, then all together, then what is discrete.

A method gives `build(fixed)`: its acquisition for further points beside `fixed`, which begins with the pending points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from knowgrad.acquisition.problem import Criterion, Question, Rows
from knowgrad.acquisition.search.ascent import Acquisition, climb, search
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.starts import common_scale, starts
from knowgrad.gp.linalg import Array

Build = Callable[[Array], Acquisition]


@dataclass(frozen=True, eq=False)
class Average:
    """The mean over the posteriors of a model."""

    parts: Sequence[Criterion]

    def value(self, Z: Array) -> Array:
        return np.asarray(np.mean([part.value(Z) for part in self.parts], axis=0))

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        each = [part.value_and_gradient(Z) for part in self.parts]
        return np.mean([v for v, _ in each], axis=0), np.mean([g for _, g in each], axis=0)


@dataclass(frozen=True, eq=False)
class LogAverage:
    """The logarithm of the mean over the posteriors, of parts that are logarithms."""

    parts: Sequence[Criterion]

    def value(self, Z: Array) -> Array:
        return np.asarray(logsumexp([part.value(Z) for part in self.parts], axis=0) - np.log(len(self.parts)))

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        each = [part.value_and_gradient(Z) for part in self.parts]
        logs = np.array([v for v, _ in each])
        total = logsumexp(logs, axis=0)
        share = np.exp(logs - total)
        gradient = np.einsum("ks,ksqd->sqd", share, np.array([g for _, g in each]))
        return total - np.log(len(self.parts)), gradient


def candidate_points(question: Question, rng: np.random.Generator) -> Array:
    """The points that a search for one more point begins from (c, D)."""
    begin = starts(question, rng)
    return np.unique(np.vstack([begin.points, begin.spread]), axis=0)


def greedy(question: Question, build: Build, candidates: Array) -> Array:
    """Each point the best addition to those before it (q, D)."""
    scale, chosen = common_scale(question.model), question.pending
    for _ in range(question.q):
        chosen = np.vstack([chosen, search(build(chosen), candidates[:, None], question.domain, scale)])
    return chosen[len(question.pending) :]


def polish(question: Question, build: Build, z: Array, rng: np.random.Generator, steps: int = 20) -> Array:
    """Move the whole batch uphill, then exchange what is discrete; the result lies in the domain."""
    domain, scale, acquisition = question.domain, common_scale(question.model), build(question.pending)
    z = climb(acquisition, z[None], domain, scale, steps=steps, tol=1e-4)[0][0]
    return exchange(acquisition.value, z, domain, scale, rng, climb=acquisition)


def maximise(question: Question, build: Build, candidates: Array, rng: np.random.Generator) -> Array:
    """Greedy construction, then the joint polish."""
    return polish(question, build, greedy(question, build, candidates), rng)
