"""Batches for when improvement is too rare for samples: one measurement at a time, exactly.

Late in a search all nearby is known, and what is left is a small chance that something far off, another option of a
choice say, is better. A few dozen samples see none of it: every batch seems worth nothing, or as much as the last
polish of the best point. For a single point q-KG has a closed form that no chance is too small for. So each point is
the best single measurement, the points before it being believed to return their posterior means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.base import Answer, Model, Question
from knowgrad.acquisition.exchange import exchange
from knowgrad.acquisition.factor import Factor
from knowgrad.acquisition.greedy import believe
from knowgrad.acquisition.joint import Average
from knowgrad.acquisition.maximize import search
from knowgrad.acquisition.starts import common_scale
from knowgrad.gp.linalg import Array

MORE = 512  # points of the domain to screen besides the candidates
SHARE = 0.04  # of its fair share in the value of a batch: a point that adds less was not placed by the samples


def single(question: Question, sets: Sequence[Array], model: Model) -> Average:
    """q-KG of one point under the model, exactly."""
    none = np.empty((0, question.domain.dim))
    each = zip(model, question.noise, sets, strict=True)
    return Average([Factor(post, noise, A, none, None) for post, noise, A in each])


def useful(question: Question, sets: Sequence[Array], z: Array, Zq: Array) -> Array:
    """The points of the batch that add something to the others, as far as the samples can tell; one at least."""

    def value(Z: Array) -> Array:
        normals, each = (
            Zq[:, : len(question.pending) + Z.shape[1]],
            zip(question.model, question.noise, sets, strict=True),
        )
        return Average([Factor(post, noise, A, question.pending, normals) for post, noise, A in each]).value(Z)

    while len(z) > 1:
        last = np.stack([np.roll(z, -1 - j, axis=0) for j in range(len(z))])  # each point in turn at the end
        together = value(last)
        adds = together - value(last[:, :-1])
        if adds.min() > SHARE * together.max() / len(z):
            break
        z = np.delete(z, np.argmin(adds), axis=0)
    return z


def complete(
    question: Question,
    sets: Sequence[Array],
    answer: Answer,
    first: Array,
    Zq: Array,
    candidates: Array,
    rng: np.random.Generator,
) -> Answer:
    """The answer, with points that the samples say nothing of chosen anew; all, if it is worth less than `first` alone.

    `first` (1, D) is the point its construction began with, and Zq the samples it was built on.
    """
    assert answer.value is not None
    assert answer.sem is not None
    model = believe(question.model, question.noise, question.pending)
    alone = float(single(question, sets, model).value(first[None])[0])
    kept = useful(question, sets, answer.Z, Zq)
    if answer.value + 2.0 * answer.sem < alone:
        kept = kept[:0]
    if len(kept) == question.q:
        return answer
    rest = replace(question, pending=np.vstack([question.pending, kept]), q=question.q - len(kept))
    Z = np.vstack([kept, one_by_one(rest, sets, candidates, rng)])
    return Answer(Z, max(answer.value, alone), answer.sem)


def one_by_one(question: Question, sets: Sequence[Array], candidates: Array, rng: np.random.Generator) -> Array:
    """The batch (q, D), each point the best single measurement given the ones before."""
    domain, scale = question.domain, common_scale(question.model)
    screened = np.vstack([candidates, domain.sample(MORE, rng)])[:, None]
    model = believe(question.model, question.noise, question.pending)
    batch = []
    for _ in range(question.q):
        acquisition = single(question, sets, model)
        z = search(acquisition, screened, domain, scale)
        z = exchange(acquisition.value, z, domain, scale, rng, climb=acquisition)
        batch.append(z[0])
        model = believe(model, question.noise, z)
    return np.array(batch)
