"""`nested-kg`: batch knowledge gradient where the feasible points can be listed.

    KG(z) = min_L μ^(n) − E[min_L μ^(n+q) | z],   z^(1:q) ∈ L,   L the finite feasible set

Both minima run over all of L, and so does the choice of points, without gradients: greedily one point after the other
(the first by its exact value), then exchange of one point at a time for any other of L while the value rises, on fixed
quasi-random normals.

L is the list of all feasible points if the domain has at most `limit`. Otherwise L is a stand-in: `limit` points
sampled from the domain, the minima of the mean and the observed points. What is chosen is then the best of a sample.

Source: Wang, Reyes, Brown, Mirkin & Powell, "Nested-batch-mode learning and stochastic optimization with an application
to sequential multistage testing in materials science", 2015.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.starts import settle, starts
from knowgrad.acquisition.search.worth import factors
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

CHUNK = 1 << 17  # samples × lines that are held at a time


@dataclass(frozen=True)
class NestedKG:
    """Options: Monte Carlo samples (a power of two), the longest list, and sweeps of exchange at most."""

    takes_targets: ClassVar[bool] = True

    samples: int = 64
    limit: int = 512
    sweeps: int = 4
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        L = listed(question.domain, self.limit)
        if L is None:
            L = stand_in(question, self.limit, rng)
        Zq = normals(self.samples, len(question.pending) + question.q, rng)
        chosen = question.pending
        for _ in range(question.q):
            chosen = np.vstack([chosen, L[np.argmax(value(question, L, chosen, L[:, None], Zq))]])
        z = self._exchange(question, L, chosen[len(question.pending) :], Zq)
        return Answer(z)

    def _exchange(self, question: Question, L: Array, z: Array, Zq: Array) -> Array:
        """Replace one point at a time by the best of L, until no replacement helps."""
        if question.q == 1:
            return z
        best = value(question, L, question.pending, z[None], Zq)[0]
        for _ in range(self.sweeps):
            before = best
            for j in range(len(z)):
                trials = np.repeat(z[None], len(L), axis=0)
                trials[:, j] = L
                values = value(question, L, question.pending, trials, Zq)
                if values.max() > best:
                    best, z = values.max(), trials[np.argmax(values)]
            if best <= before:
                break
        return z


def value(question: Question, L: Array, pending: Array, Z: Array, Zq: Array) -> Array:
    """KG over L of batches Z (S, q, D), the average over posteriors; exact for a single point."""
    r = len(pending) + Z.shape[1]
    kg = Average(factors(question, [L] * len(question.model), pending, Zq[:, :r]))
    size = max(1, CHUNK // (len(L) * (len(Zq) if r > 1 else 1)))
    chunks = [Z[i : i + size] for i in range(0, len(Z), size)]
    return np.concatenate([kg.value(chunk) for chunk in chunks])


def listed(domain: Domain, limit: int) -> Array | None:
    """All feasible points, or None if there are more than `limit` (before constraints)."""
    return domain.enumerate(limit) if domain.size <= limit else None


def stand_in(question: Question, limit: int, rng: np.random.Generator) -> Array:
    """A finite set in place of a domain that cannot be listed."""
    begin = starts(question, rng)
    points = [question.domain.sample(limit, rng), *begin.lows, *(settle(question.domain, p.X) for p in question.model)]
    return np.unique(np.vstack(points), axis=0)
