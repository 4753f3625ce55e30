"""`qkg-paper`: q-KG as Wu & Frazier (NIPS 2016) compute it, for comparison with the faster default.

A_n = M sampled optima of the posterior ∪ x_1:n ∪ z (§5.3), multi-start stochastic gradient ascent on the IPA gradient
(§5.2) with steps γ_t = γ_0 / (1 + t)^0.7, so that γ_t → 0, Σ γ_t = ∞ and Σ γ_t² < ∞ (appendix D), and hyperparameters
by maximum likelihood (§6).

The paper leaves open where the ascent begins and how it ends. Here each start is built greedily, on few samples, from
points drawn at random: of the domain, of what is known to be good (the posterior minimum, its surroundings, the best
observed points), and of the sampled optima. Half of the starts see many such points and half see few, so that they
differ. The iterates of the second half of the ascent are averaged, and the best of averages, last iterates and starts
is taken on many samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from knowgrad.acquisition.criteria.kg import SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.discretize import lowest_lcb, sampled_optima
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.starts import common_scale, settle, starts
from knowgrad.acquisition.search.worth import fresh, lookaheads, true_value
from knowgrad.gp.linalg import Array

SCREEN = 128  # points of A on which starts are built
MANY, FEW = 40, 5  # points of each kind that a start is built from


@dataclass(frozen=True, eq=False)
class Prepared:
    """A without the candidates, the look ahead from it, one each for every posterior, and the starts Z (S, q, D)."""

    sets: list[Array]
    aheads: list[Lookahead]
    Z: Array

    def on(self, Zq: Array) -> Average:
        """q-KG on these samples."""
        return sampled(self.aheads, Zq)


@dataclass(frozen=True)
class PaperQKG:
    """q-KG as the paper computes it.

    Args:
        M: sampled optima in A (default 1,000, the paper's).
        samples: normals of one stochastic gradient (default 32).
        starts: of the ascent (default 10).
        steps: of the ascent (default 200).
        first_step: γ_0, in length scales per largest gradient met (default 0.3).
        final: normals on which the last choice is made (default 1,024).
        fit: how hyperparameters are found, unless the study says otherwise (default "mle").
    """

    takes_targets: ClassVar[bool] = True

    M: int = 1000
    fit: str = "mle"
    # of the ascent
    starts: int = 10
    steps: int = 200
    first_step: float = 0.3
    # normals of one gradient, and of the last choice
    samples: int = 32
    final: int = 1024

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        prepared = self.prepare(question, rng)
        finalists = [prepared.Z]
        for last, average in self.ascent(question, prepared, rng):
            finalists[1:] = [last, average]
        judged = prepared.on(_normals(question, self.final, rng))
        z = max((z for Z in finalists for z in Z), key=lambda z: float(judged.value(z[None])[0]))
        z = exchange(judged.value, z, question.domain, common_scale(question.model), rng)
        return Answer(z, *true_value(question, prepared.sets, z, fresh(question, 128, rng)))

    def prepare(self, question: Question, rng: np.random.Generator) -> Prepared:
        """A_n for each posterior, and the batches that the ascent begins from."""
        domain, model = question.domain, question.model
        begin = starts(question, rng)
        optima = [sampled_optima(post, domain, begin.spread, self.M, rng, question.target) for post in model]
        optima = [settle(domain, each) for each in optima]
        sets = [np.vstack([x, question.domain.within(post.X)]) for x, post in zip(optima, model, strict=True)]
        Z = self._begin(question, sets, [begin.spread, begin.points, np.vstack(optima)], rng)
        return Prepared(sets, lookaheads(question, sets, question.pending), Z)

    def _begin(self, question: Question, sets: list[Array], points: list[Array], rng: np.random.Generator) -> Array:
        """Batches to start from (S, q, D), each built one point at a time from random points of every kind."""
        few = [lowest_lcb(post, A, SCREEN, question.target) for post, A in zip(question.model, sets, strict=True)]
        Zq = _normals(question, 2 * self.samples, rng)
        batches = []
        for s in range(self.starts):
            k = MANY if s % 2 == 0 else FEW
            pool = np.vstack([kind[rng.permutation(len(kind))[:k]] for kind in points])
            chosen = question.pending
            for _ in range(question.q):
                added = sampled(lookaheads(question, few, chosen), Zq[:, : len(chosen) + 1])
                chosen = np.vstack([chosen, pool[np.argmax(added.value(pool[:, None]))]])
            batches.append(chosen[len(question.pending) :])
        return np.array(batches)

    def ascent(self, question: Question, prepared: Prepared, rng: np.random.Generator) -> Iterator[tuple[Array, Array]]:
        """Z_{t+1} = Π(Z_t + γ_t G(Z_t)), G an unbiased gradient from fresh normals; infeasible moves are not made.

        After every step the iterates (S, q, D), and their average over the second half of the steps so far.
        """
        domain, Z = question.domain, prepared.Z
        S, q, D = Z.shape
        scale = common_scale(question.model)
        unit, path = np.zeros((S, 1, 1)), []
        for t in range(self.steps):
            _, G = prepared.on(_normals(question, self.samples, rng))(Z, np.arange(S))
            G = G * domain.free * scale  # in units of length scales
            # γ_0 per start: the largest gradient it has met moves it by `first_step`.
            unit = np.maximum(unit, np.max(np.abs(G), axis=(1, 2), keepdims=True))
            step = self.first_step / (1.0 + t) ** 0.7 * G / np.maximum(unit, 1e-300)
            moved = domain.project(Z + scale * step)
            if not domain.is_unconstrained:
                inside = domain.contains(moved.reshape(-1, D)).reshape(S, q, 1)
                moved = np.where(inside, moved, Z)
            Z = moved
            path.append(Z)
            yield Z, domain.project(np.mean(path[len(path) // 2 :], axis=0))


def sampled(aheads: Sequence[Lookahead], Zq: Array) -> Average:
    """q-KG on samples, averaged over the posteriors; for one point, too, as in the paper."""
    return Average([SampledKG(ahead, Zq) for ahead in aheads])


def _normals(question: Question, N: int, rng: np.random.Generator) -> Array:
    return rng.standard_normal((N, len(question.pending) + question.q))
