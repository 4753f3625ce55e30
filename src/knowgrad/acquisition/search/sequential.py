"""Batches for when improvement is too rare for samples: one measurement at a time, exactly.

Late in a search all nearby is known, and what is left is a small chance that something far off, another option of a
choice say, is better. A few dozen samples see none of it: every batch seems worth nothing, or as much as the last
polish of the best point. For a single point q-KG has a closed form that no chance is too small for. So each point is
the best single measurement, the points before it being believed to return their posterior means.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knowgrad.acquisition.criteria.kg import ExactKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.ascent import search
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.search.starts import common_scale
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model

PRECISE = 0.01  # noise variance, relative to that of all results: with less, gains get rare before they get small
MORE = 512  # points of the domain to screen besides the candidates


def may_be_rare(question: Question) -> bool:
    """Where there are levels or options, and where measurements are precise."""
    pairs = zip(question.model, question.noise, strict=True)
    return not question.domain.continuous.all() or all(noise(m.X)[0].max() < PRECISE for m, noise in pairs)


def one_by_one(
    question: Question, sets: Sequence[Array], candidates: Array, rng: np.random.Generator
) -> tuple[Array, float]:
    """The batch (q, D), each point the best single measurement given the ones before, and the first one's q-KG."""
    domain, scale = question.domain, common_scale(question.model)
    screened = np.vstack([candidates, domain.sample(MORE, rng)])[:, None]
    model = believe(question.model, question.noise, question.pending)
    batch, first = [], 0.0
    for k in range(question.q):
        acquisition = single(question, sets, model)
        z = search(acquisition, screened, domain, scale)
        z = exchange(acquisition.value, z, domain, scale, rng, climb=acquisition)
        batch.append(z[0])
        first = first if k else float(acquisition.value(z[None])[0])
        model = believe(model, question.noise, z)
    return np.array(batch), first


def single(question: Question, sets: Sequence[Array], model: Model) -> Average:
    """q-KG of one point under the model, exactly."""
    none = np.empty((0, question.domain.dim))
    each = zip(model, question.noise, sets, strict=True)
    return Average([ExactKG(Lookahead(post, noise, A, none, question.target)) for post, noise, A in each])
