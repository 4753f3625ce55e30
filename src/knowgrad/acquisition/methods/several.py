"""q-KG where several outcomes count, maximised as `qkg` does it: greedily, then jointly, on a set that is refined.

Limits and trade-offs are one thing here: a utility of all outcomes (`criteria/utility`), and the expected gain of its
best by what a batch measures (`criteria/several`). Which outcomes are measured where is chosen with the points, if that
is asked for: what adds most per cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.several import SeveralKG
from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.acquisition.search.ascent import climb, search
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.discretize import distinct, model_mean
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.optima import current_optima, sampled_optima, winning
from knowgrad.acquisition.search.shortlist import shortlist
from knowgrad.acquisition.search.starts import settle
from knowgrad.acquisition.search.surfaces import fantasy_surfaces, posterior_surfaces, uphill
from knowgrad.acquisition.search.tied import tied_batch, tied_climb, tied_exchange
from knowgrad.acquisition.search.within import along_limits
from knowgrad.acquisition.several import Mask, SeveralAnswer, SeveralQuestion, given
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model

FRONT = 16, 64  # directions in which the front is looked for: of two objectives, and of more
FRESH = 256  # samples that the value of a batch is told by
NOTHING = 1e-9  # what is gained by less is rounding
SURE, BOLD = 0.99, 0.5  # chance with which the best points that are set aside keep all limits
TRIED = 1e-6  # length scales from a measured point within which a point counts as measured
SCREENED = 32  # candidates that are looked at on all samples, after a quarter of them
UNSEEN = 1e16  # variance of a measurement that is not made, in units of the model


@dataclass(frozen=True)
class SeveralQKG:
    """Options of the computation; several posteriors share the work."""

    samples: int = 64
    """Monte Carlo samples of a batch's results, each with its own directions."""
    directions: int = 4
    """Directions of each sample, where there are several objectives."""
    paths: int = 48
    """Sampled optima, from which A is drawn."""
    rounds: int = 3
    """Rounds of column generation at most."""

    def propose(self, question: SeveralQuestion, rng: np.random.Generator) -> SeveralAnswer:
        sets, candidates, optima = self.prepare(question, rng)
        head = self._set_aside(question, sets)
        rest = given(question, head)
        halves = 1 if question.posteriors == 1 else 2
        Zq, lam = self._draw(rest, rest.utility, self.samples // halves, rng)
        if question.ties:
            z, measured = self._tied(rest, sets, candidates, Zq, lam, rng)
        else:
            z, measured = self._greedy(rest, sets, candidates, optima, Zq, lam)
        scale, every = question.scale(), np.vstack([rest.measured, measured])
        for _ in range(min(self.rounds, 2 * rest.q - 1)):
            sets = [self._enriched(rest, i, A, z, every, Zq, lam) for i, A in enumerate(sets)]
            joint = criterion(rest, sets, rest.pending, every, Zq, lam)
            if question.ties:
                z = tied_climb(question, joint, z)
            else:
                z = climb(joint, z[None], question.domain, scale, steps=8, tol=1e-4)[0][0]
        joint = criterion(rest, sets, rest.pending, every, Zq, lam)
        if question.ties:
            z = tied_exchange(question, joint, z, rng)
        else:
            z = exchange(joint.value, z, question.domain, scale, rng, climb=joint)
        z, every = np.vstack([head, z]), np.vstack([rest.measured, measured])
        volume = question.utility.by_volume()
        value, sem = self._valued(question, volume, sets, z, every, *self._draw(question, volume, FRESH, rng))
        return SeveralAnswer(z, every[len(question.pending) :], value, sem)

    def _set_aside(self, question: SeveralQuestion, sets: list[Array]) -> Array:
        """The best points as the model has them (a, D), if never measured and results are precise; else none.

        As for one outcome (`posterior_minimum`): a model is sometimes wrong just there. Limits make this matter more,
        because the best point lies where they end. So there are two: one that surely keeps them, and a bold one.
        """
        best, tried = sets[0][:1], np.vstack([question.tried(), question.pending])
        if question.utility.m > 1 or question.q == 1 or len(question.options) > 1 or question.last:
            return best[:0]
        if question.ties or not question.is_precise():
            return best[:0]
        utility, posteriors = question.utility, question.joint(0)
        surfaces = posterior_surfaces(utility, posteriors)
        score = model_mean(posteriors[utility.objectives[0].outcome :][:1])
        ell, found = np.min([model[0].ell for model in question.models], axis=0), best[:0]
        for chance in (SURE, BOLD)[: question.q - 1]:
            x = along_limits(score, utility, surfaces, chance, best[0], question.domain)[None]
            if squared_distance(x / ell, np.vstack([tried, found]) / ell).min() > TRIED**2:
                found = np.vstack([found, x])
        return found

    def prepare(self, question: SeveralQuestion, rng: np.random.Generator) -> tuple[list[Array], Array, Array]:
        """A for each posterior, the best point first; the points worth trying first; and sampled optima."""
        domain, utility = question.domain, question.utility
        spread = np.vstack([shortlist(domain, model, 256, rng) for model in _leading(question)])
        known = question.tried()
        pool, lam = np.vstack([known, spread]), utility.directions(FRONT[utility.m > 2], rng)
        sets, candidates, sampled = [], [spread[:32]], []
        for i in range(question.posteriors):
            posteriors = question.joint(i)
            best = current_optima(utility, posteriors, domain, pool, lam)
            best = settle(domain, best)
            paths = max(self.paths // question.posteriors, 8)
            optima = settle(domain, sampled_optima(utility, posteriors, domain, pool, paths, rng))
            near = self._near(question, best if len(best) else known, rng)
            winners = known[winning(utility, posteriors, known, utility.directions(64, rng))]
            ell = np.min([post.ell for post in posteriors], axis=0)
            sets.append(distinct(np.vstack([best, winners, optima]), ell))
            candidates += [best, near, winners, optima]
            sampled.append(optima)
        return sets, np.unique(np.vstack(candidates), axis=0), np.vstack(sampled)

    @staticmethod
    def _near(question: SeveralQuestion, points: Array, rng: np.random.Generator) -> Array:
        """Points around those given, 32 in all."""
        domain = question.domain
        centers = points[np.arange(32) % len(points)]
        moved = centers + 0.2 * question.scale() * domain.free * rng.standard_normal(centers.shape)
        return settle(domain, domain.project(moved))

    def _draw(
        self, question: SeveralQuestion, utility: Utility, N: int, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        """Normals (K, N, r) and directions (N, L, m)."""
        K, r, m = len(question.models), len(question.pending) + question.q, utility.m
        Zq = normals(N, K * r, rng).reshape(N, K, r)
        L = self.directions if m > 1 else 1
        lam = utility.directions(N * L, rng)
        return np.ascontiguousarray(np.swapaxes(Zq, 0, 1)), lam.reshape(L, N, m).swapaxes(0, 1)

    def _greedy(
        self, question: SeveralQuestion, sets: list[Array], candidates: Array, optima: Array, Zq: Array, lam: Array
    ) -> tuple[Array, Mask]:
        """Each point, and what is measured there, the best addition per cost to those before it.

        Where no sample gains anything, what is left to gain is too rare for samples: then it is a sampled optimum, the
        one farthest from all that was tried.
        """
        chosen, every, scale = question.pending, question.measured, question.scale()
        worth = 0.0
        for _ in range(question.q):
            found = []
            for option, cost in zip(question.options, question.costs, strict=True):
                with_it = np.vstack([every, option])
                part = criterion(question, sets, chosen, with_it, Zq[:, :, : len(with_it)], lam)
                few = criterion(question, sets, chosen, with_it, Zq[:, ::4, : len(with_it)], lam[::4])
                best = np.argsort(-few.value(candidates[:, None]), kind="stable")[:SCREENED]
                z = search(part, candidates[best, None], question.domain, scale)
                value = float(part.value(z[None])[0])
                found.append(((value - worth) / cost, value, z, with_it))
            _, value, z, every = max(found, key=lambda each: each[0])
            if value <= worth + NOTHING and len(optima):
                taken = np.vstack([question.tried(), chosen])
                z = optima[np.argmax(squared_distance(optima / scale, taken / scale).min(axis=1))][None]
            worth = max(value, worth)
            chosen = np.vstack([chosen, z])
        p = len(question.pending)
        return chosen[p:], every[p:]

    @staticmethod
    def _tied(
        question: SeveralQuestion, sets: list[Array], candidates: Array, Zq: Array, lam: Array, rng: np.random.Generator
    ) -> tuple[Array, Mask]:
        """A batch that keeps the ties; everything that may be measured is, at every point."""

        def build(W: Array) -> Average:
            more = np.repeat(question.options[:1], len(W) + 1 - len(question.pending), axis=0)
            every = np.vstack([question.measured, more])
            return criterion(question, sets, W, every, Zq[:, :, : len(every)], lam)

        return tied_batch(question, build, candidates, rng), np.repeat(question.options[:1], question.q, axis=0)

    @staticmethod
    def _enriched(question: SeveralQuestion, i: int, A: Array, z: Array, every: Mask, Zq: Array, lam: Array) -> Array:
        """A with the optima of fantasised utilities at z, each for the first direction of its sample."""
        aheads = lookaheads(question, i, A, question.pending, every)
        kg = SeveralKG(aheads, question.utility, Zq, lam[:, :1])
        start = np.vstack([A, question.pending, z])[kg.winners(z)[:, 0]]
        surfaces = fantasy_surfaces(question.utility, aheads, z, Zq)
        climbed = uphill(question.utility, surfaces, lam[:, 0])
        x = climb(climbed, start[:, None], question.domain, question.scale(), steps=8, tol=1e-4)[0][:, 0]
        ell = np.min([ahead.posterior.ell for ahead in aheads], axis=0)
        return distinct(np.vstack([A, settle(question.domain, x)]), ell)

    @staticmethod
    def _valued(
        question: SeveralQuestion, utility: Utility, sets: list[Array], z: Array, every: Mask, Zq: Array, lam: Array
    ) -> tuple[float, float]:
        """What z adds to the pending points, on these samples, and its standard error."""
        values, errors, p = [], [], len(question.pending)
        for i, A in enumerate(sets):
            gain = SeveralKG(lookaheads(question, i, A, question.pending, every), utility, Zq, lam)
            each = gain.per_sample(z[None])[0]
            if p:
                before = lookaheads(question, i, A, question.pending[:-1], every[:p])
                alone = SeveralKG(before, utility, Zq[:, :, :p], lam)
                each = each - alone.per_sample(question.pending[None, -1:])[0]
            values.append(each.mean())
            errors.append(each.std() / np.sqrt(len(each)))
        factor = utility.factor
        value, sem = float(max(np.mean(values), 0.0)), float(np.sqrt(np.mean(np.square(errors)) / len(errors)))
        return factor * value, factor * sem


def lookaheads(question: SeveralQuestion, i: int, A: Array, pending: Array, every: Mask) -> list[Lookahead]:
    """What measurements of `every` (r, K) at pending ∪ z do to each outcome under the i-th posterior."""
    found = []
    for k, (post, noise) in enumerate(zip(question.joint(i), (each[i] for each in question.noises), strict=True)):
        unseen = None if every[:, k].all() else np.where(every[:, k], 0.0, UNSEEN)
        found.append(Lookahead(post, noise, A, pending, unseen=unseen))
    return found


def criterion(
    question: SeveralQuestion, sets: Sequence[Array], pending: Array, every: Mask, Zq: Array, lam: Array
) -> Average:
    """q-KG of further points beside `pending`, averaged over posteriors."""
    return Average(
        [SeveralKG(lookaheads(question, i, A, pending, every), question.utility, Zq, lam) for i, A in enumerate(sets)]
    )


def _leading(question: SeveralQuestion) -> list[Model]:
    """Of a domain that is a list, every model has its promising rows; else one sample is as good as another."""
    return list(question.models) if question.domain.listed is not None else [question.models[0]]
