"""`qkg`: the parallel knowledge gradient of Wu & Frazier (NIPS 2016), maximised greedily, then jointly.

    q-KG(z) = min μ^(n) − E[min μ^(n+q) | z],   the minima over the whole domain

1. A from the minima of μ^(n), sampled optima of the posterior, and observed points, for each posterior of the model.
2. Greedy: add the point whose joint q-KG with those already chosen is largest (exactly, for the first).
3. Joint quasi-Newton ascent on fixed quasi-random samples, between rounds of column generation on A.
4. Integers and choices by exchange; the value on fresh samples with continuous inner minima.

Five safeguards against a model that is wrong, or samples that are too few, are options. Where noise is learned and
matters, steps 2 and 3 use its lower bound (`noise_bound`), and a result that may be luck is measured again. Where
samples may miss what a batch is worth (`sequential`), a sequential batch competes with the joint one, and up to two
points are set aside beforehand: one verifies the posterior minimum (`posterior_minimum`), one is chosen under variance
inflation (`inflation`).

A question in haste gets the joint batch alone, with a smaller A, one round, and the greedy step of `quick`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from knowgrad.acquisition.criteria.crowd import FEW
from knowgrad.acquisition.criteria.inflation import among_choices, inflated
from knowgrad.acquisition.criteria.noise_bound import at_lower_bound
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.search.aside import given, repeated
from knowgrad.acquisition.search.batch import Average, Build, greedy
from knowgrad.acquisition.search.crowded import crowded
from knowgrad.acquisition.search.discretize import distinct, lowest_lcb, sampled_optima
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.posterior_minimum import unverified_minimum
from knowgrad.acquisition.search.quick import quick_greedy
from knowgrad.acquisition.search.sequential import cost_of, one_point_given, samples_may_miss, sequential_kg
from knowgrad.acquisition.search.starts import common_scale, settle, starts
from knowgrad.acquisition.search.sure import is_sure, when_sure
from knowgrad.acquisition.search.tied import tied_batch, tied_climb, tied_exchange, tied_greedy
from knowgrad.acquisition.search.worth import criteria, enrich, fresh, lookaheads, spacing, true_value
from knowgrad.acquisition.ties import binding
from knowgrad.gp.linalg import Array

FEWER = 4  # points of a batch in haste that are chosen one by one, where samples may miss what they are worth


@dataclass(frozen=True)
class QKG:
    """Options of the computation, and five safeguards that can be turned off one by one.

    Those of the computation are for one posterior. Several posteriors share the work: each has half the samples, half
    of A, and its part of the sampled optima.

    Args:
        samples: Monte Carlo samples of a batch's results (default 64).
        paths: sampled optima, from which A is drawn (default 64).
        size: points of A at most, before it is refined (default 64).
        rounds: rounds of column generation at most (default 4).
        verify_minimum: one point of a batch of two or more measures the posterior minimum, if the model is sure of it
            although it was never measured (default True). For precise results on a domain without levels.
        variance_inflation: one point of a batch of three or more is chosen under a larger signal variance, if the best
            result lies more than two prior standard deviations below the prior mean (default True). For precise
            results, and for a domain with levels, if anything is continuous. Where there are choices, half of such a
            batch is chosen under standard deviations twice as large, or 1.4 times under an average of posteriors.
        noise_lower_bound: a batch is chosen as if noise that is learned were at the lower end of its 90 % interval
            (default True). For results that are not precise, on a domain without levels.
        sequential_batches: a second batch is built one point at a time by the exact q-KG of one point, and the batch
            that is worth more is taken (default True). For precise results, and for a domain with levels.
        measure_again: one point of a batch measures the best result again, while noise and detail of f cannot be told
            apart (default True). For results that are not precise, whose noise is learned.
        fit: how hyperparameters are found, unless the study says otherwise (default "map").

    Results are precise if their noise variance is below a hundredth of the variance of all results. All
    but sequential batches leave a last batch as it is: no batch would follow that could use what they tell.
    """

    takes_targets: ClassVar[bool] = True
    keeps_ties: ClassVar[bool] = True
    takes_costs: ClassVar[bool] = True

    samples: int = 64
    paths: int = 64
    size: int = 64
    rounds: int = 4
    fit: str = "map"
    verify_minimum: bool = True
    variance_inflation: bool = True
    noise_lower_bound: bool = True
    sequential_batches: bool = True
    measure_again: bool = True

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        answer = self._proposed(question, rng)
        again = partial(self._proposed, rng=rng)
        return when_sure(question, answer, again, rng) if is_sure(question, answer) else answer

    def _proposed(self, question: Question, rng: np.random.Generator) -> Answer:
        question = replace(question, ties=binding(question.ties, question.q))
        if question.hurried and not question.ties:
            return self._in_haste(question, rng)
        missed = samples_may_miss(question)
        asked = question if missed or not self.noise_lower_bound else at_lower_bound(question)
        prepared, head = None, repeated(question) if self.measure_again else question.pending[:0]
        if len(head) == question.q:
            begin, _ = self.prepare(question, rng)
            return Answer(head, *true_value(question, begin, head, fresh(question, 128, rng)))
        if len(question.pending) > FEW:
            prepared = self.prepare(question, rng)
            question, asked, prepared = crowded(question, asked, *prepared)
        if question.ties:
            return self._tied(question, asked, prepared or self.prepare(question, rng), rng)
        if not missed:
            z, sets = self._joint_batch(given(asked, head), *(prepared or self.prepare(question, rng)), rng)
            z = np.vstack([head, z])
            return Answer(z, *true_value(question, sets, z, fresh(question, 128, rng)))
        head = self._set_aside(question, head, rng)
        rest = given(question, head)
        begin, candidates = prepared or self.prepare(rest, rng)
        sets, batches = begin, list[tuple[Array, float]]()  # each with a lower bound of its q-KG
        alone = question.cost is not None and question.q == 1 and not len(question.pending)  # both values are exact
        if not alone or not self.sequential_batches:
            z, sets = self._joint_batch(rest, begin, candidates, rng)
            batches.append((z, 0.0))
        if self.sequential_batches:
            batches.append(sequential_kg(rest, begin, candidates, rng))
        Zq = fresh(question, 512, rng)
        valued = []
        for tail, bound in batches:
            batch = np.vstack([head, tail])
            value, sem = true_value(question, sets, batch, Zq)
            valued.append((max(value, bound), sem, batch))
        value, sem, batch = max(valued, key=lambda each: each[0] / cost_of(question, each[2]))
        return Answer(batch, value, sem)

    def _in_haste(self, question: Question, rng: np.random.Generator) -> Answer:
        """The joint batch at a fraction of the cost, with a few sequential points if samples miss their worth."""
        quick = replace(self, paths=self.paths // 2, size=3 * self.size // 4, rounds=1)
        prepared = quick.prepare(question, rng)
        if len(question.pending) > FEW:
            question, _, prepared = crowded(question, question, *prepared)
        z, sets = quick._joint_batch(question, *prepared, rng)
        value, sem = true_value(question, sets, z, fresh(question, 64, rng))
        if samples_may_miss(question):
            one = one_point_given(question, sets, question.pending).value(prepared[1][:, None])
            if value <= (bound := float(one.max())):
                few = sequential_kg(replace(question, q=min(FEWER, question.q)), sets, prepared[1], rng)[0]
                return Answer(np.vstack([few, z[len(few) :]]), bound, sem)
        return Answer(z, value, sem)

    def _tied(
        self, question: Question, asked: Question, prepared: tuple[list[Array], Array], rng: np.random.Generator
    ) -> Answer:
        """A batch that keeps the ties: the joint one, and a sequential one where samples may miss what it is worth.

        With choices, half of it is set aside, and decides what all of it share.
        """
        missed, (begin, candidates) = samples_may_miss(question), prepared
        head = self._tied_aside(question, begin, candidates, rng)
        rest, asked = given(question, head), given(asked, head)
        z, sets = self._joint_batch(asked, begin, candidates, rng)
        batches = [z]
        if missed and self.sequential_batches:
            batches.append(tied_greedy(rest, partial(one_point_given, rest, begin), candidates, rng))
        Zq = fresh(question, 512 if missed else 128, rng)
        wholes = [np.vstack([head, batch]) for batch in batches]
        valued = [(*true_value(question, sets, whole, Zq), whole) for whole in wholes]
        value, sem, batch = max(valued, key=lambda each: each[0] / cost_of(question, each[2]))
        return Answer(batch, value, sem)

    def _tied_aside(self, question: Question, sets: list[Array], candidates: Array, rng: np.random.Generator) -> Array:
        """With choices half of the batch, in case the model is wrong: they also decide what all of it share (k, D)."""
        aside = candidates[:0]
        if question.last or question.cost is not None or not self.variance_inflation:
            return aside
        if (wide := among_choices(question)) is None:
            return aside
        Zq = normals(2 * self.samples // self._halves(question), question.crowd + len(question.pending) + wide.q, rng)
        build = self._builder(wide, sets, Zq)
        z = tied_batch(wide, build, candidates, rng)
        return tied_exchange(wide, Average(criteria(wide, sets, wide.pending, Zq)), z, rng)

    def _joint_batch(
        self, question: Question, sets: list[Array], candidates: Array, rng: np.random.Generator
    ) -> tuple[Array, list[Array]]:
        """The batch by greedy construction and joint ascent, and the refined sets."""
        domain, pending, q = question.domain, question.pending, question.q
        r = question.crowd + len(pending) + q
        Zq = normals(self.samples * (1 + (r > 8)) // self._halves(question), r, rng)

        build = self._builder(question, sets, Zq)
        if question.ties:
            z = tied_batch(question, build, candidates, rng)
        elif question.hurried and question.cost is None:
            z = quick_greedy(question, sets, candidates, Zq)
        else:
            z = greedy(question, build, candidates)
        scale, apart = common_scale(question.model), spacing(question)
        for _ in range(min(self.rounds, 2 * q - 1)):
            aheads = lookaheads(question, sets, pending, Zq)
            sets = [enrich(ahead, z, Zq[:, question.crowd :], domain, apart) for ahead in aheads]
            joint = Average(criteria(question, sets, pending, Zq))
            if question.ties:
                z = tied_climb(question, joint, z)
            else:
                z = climb(joint, z[None], domain, scale, steps=8, tol=1e-4)[0][0]
        joint = Average(criteria(question, sets, pending, Zq))
        if question.ties:
            return tied_exchange(question, joint, z, rng), sets
        return exchange(joint.value, z, domain, scale, rng, climb=joint), sets

    def _set_aside(self, question: Question, head: Array, rng: np.random.Generator) -> Array:
        """Up to two points besides the `head`, or with choices half of the batch, in case the model is wrong (k, D).

        None in a last batch, which nothing can follow up, and none where costs differ: what these are worth per cost
        nobody can say.
        """
        if question.last or question.cost is not None:
            return head
        if self.verify_minimum and not len(head):
            head = unverified_minimum(question, rng)
        if not self.variance_inflation or (wide := inflated(given(question, head))) is None:
            return head
        return np.vstack([head, sequential_kg(wide, *self.prepare(wide, rng), rng)[0]])

    @staticmethod
    def _builder(question: Question, sets: list[Array], Zq: Array) -> Build:
        """What one more point is worth together with the points W."""
        return lambda W: Average(criteria(question, sets, W, Zq[:, : question.crowd + len(W) + 1]))

    def prepare(self, question: Question, rng: np.random.Generator) -> tuple[list[Array], Array]:
        """A for each posterior, and the points worth trying first."""
        begin, size = starts(question, rng), self.size // self._halves(question)
        paths = max(self.paths // len(question.model), 8)
        sets, candidates = [], [begin.points]
        for post, low in zip(question.model, begin.lows, strict=True):
            optima = sampled_optima(post, question.domain, begin.spread, paths, rng, question.target)
            optima = settle(question.domain, optima)
            known = lowest_lcb(post, np.vstack([optima, question.domain.within(post.X)]), size, question.target)
            sets.append(distinct(np.vstack([low, known]), post.ell, spacing(question)))
            candidates.append(optima)
        return sets, np.unique(np.vstack(candidates), axis=0)

    @staticmethod
    def _halves(question: Question) -> int:
        return 1 if len(question.model) == 1 else 2
