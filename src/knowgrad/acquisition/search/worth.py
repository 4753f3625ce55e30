"""What a batch is worth to a question: its q-KG under each posterior, on a set A that is refined where it matters.

While a batch is searched for, the inner minimum is over A, one set for each posterior (`criteria`). A grows by the
minimisers of fantasised means (`enrich`). What the batch is worth in the end has the inner minima over the whole domain
(`true_value`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.criteria.cost import PerCost
from knowgrad.acquisition.criteria.crowd import draws
from knowgrad.acquisition.criteria.kg import ExactKG, Factor, SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.problem import Criterion, Question
from knowgrad.acquisition.search.discretize import APART, distinct, fantasy_minima
from knowgrad.acquisition.search.sequential import samples_may_miss
from knowgrad.acquisition.search.starts import settle
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain


def lookaheads(question: Question, sets: Sequence[Array], pending: Array, Zq: Array | None = None) -> list[Lookahead]:
    """What a batch does to the mean on each set, one for each posterior; the first columns of Zq draw the crowd."""
    each = zip(question.model, question.noise, sets, strict=True)
    made = [Lookahead(post, noise, A, pending, question.target) for post, noise, A in each]
    if not question.crowd or Zq is None:
        return made
    return [replace(ahead, draws=draws(ahead.posterior, Zq[:, : question.crowd])) for ahead in made]


def factors(question: Question, sets: Sequence[Array], pending: Array, Zq: Array) -> list[Factor]:
    """One factor per posterior; exact where a single point is to be valued."""
    each, Z = lookaheads(question, sets, pending, Zq), Zq[:, question.crowd :]
    return [ExactKG(ahead) if Zq.shape[1] == 1 else SampledKG(ahead, Z) for ahead in each]


def criteria(question: Question, sets: Sequence[Array], pending: Array, Zq: Array) -> Sequence[Criterion]:
    """The factors or, where costs differ, what a batch adds to the running points per cost."""
    parts, cost, p = factors(question, sets, pending, Zq), question.cost, len(pending)
    if cost is None:
        return parts
    if not p and not question.crowd:
        return [PerCost(part, cost) for part in parts]
    alone = Zq[:, question.crowd : question.crowd + p + 1] * (np.arange(p + 1) < p)  # one more point that tells nothing
    before = [float(SampledKG(part.ahead, alone).value(part.ahead.A[None, :1])[0]) for part in parts]
    return [PerCost(part, cost, worth) for part, worth in zip(parts, before, strict=True)]


def spacing(question: Question) -> float:
    """How near two points of A may be, in length scales: precise measurements tell neighbours apart."""
    return 0.01 * APART if samples_may_miss(question) else APART


def enrich(ahead: Lookahead, z: Array, Zq: Array, domain: Domain, apart: float = APART) -> Array:
    """A with the minimisers of the fantasised means at z."""
    x, _ = fantasy_minima(ahead, z, Zq, domain)
    return distinct(np.vstack([ahead.A, settle(domain, x)]), ahead.posterior.ell, apart)


def fresh(question: Question, N: int, rng: np.random.Generator) -> Array:
    """Samples to value a batch on; with points pending half as many, for each then takes two values."""
    p = question.crowd + len(question.pending)
    return normals(N // 2 if p else N, p + question.q, rng)


def true_value(question: Question, sets: Sequence[Array], z: Array, Zq: Array) -> tuple[float, float]:
    """q-KG of z on the samples, with continuous inner minima, and its standard error; what z adds to pending points."""
    values, errors = [], []
    aheads, Zq = lookaheads(question, sets, question.pending, Zq), Zq[:, question.crowd :]
    for ahead in aheads:
        gain = per_sample(ahead, z, Zq, question.domain)
        if question.crowd:
            gain = gain - per_sample(ahead, z[:0], Zq[:, :0], question.domain)
        elif p := len(question.pending):
            alone = replace(ahead, pending=ahead.pending[:-1])
            gain = gain - per_sample(alone, ahead.pending[-1:], Zq[:, :p], question.domain)
        values.append(gain.mean())
        errors.append(gain.std() / np.sqrt(len(Zq)))
    return float(max(np.mean(values), 0.0)), float(np.sqrt(np.mean(np.square(errors)) / len(errors)))


def per_sample(ahead: Lookahead, z: Array, Zq: Array, domain: Domain) -> Array:
    """μ^(n+q)(x_before) − min μ^(n+q) for each sample."""
    fw = ahead.forward(z[None])
    before = np.argmin(fw.mu[0])
    _, least = fantasy_minima(ahead, z, Zq, domain)
    if ahead.draws is not None:
        return np.asarray(fw.means(Zq)[0, :, before] - least)
    return np.asarray(fw.mu[0, before] + Zq @ fw.sigma[0, before] - least)
