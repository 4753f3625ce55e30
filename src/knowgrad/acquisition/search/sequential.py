"""Sequential KG: a batch built one point at a time, each by the closed form of q-KG for a single measurement.

Late in a search the surroundings of the best point are known, and what is left is a small chance that a distant point,
say another category, is better. A few dozen Monte Carlo samples do not contain that event, so every batch seems to be
worth nothing, or as much as the last refinement of the best point. The closed form for one measurement has no sampling
error. Each point of the batch maximises it, given that the points before it return their posterior means.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knowgrad.acquisition.criteria.cost import PerCost
from knowgrad.acquisition.criteria.kg import ExactKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.problem import Question, is_precise
from knowgrad.acquisition.search.ascent import search
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.search.shortlist import shortlist
from knowgrad.acquisition.search.starts import common_scale
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model

MORE = 512  # points of the domain to screen besides the candidates


def samples_may_miss(question: Question) -> bool:
    """Is the gain of a batch an event too rare for samples? So with levels or categories, and with precise results."""
    pairs = zip(question.model, question.noise, strict=True)
    return not question.domain.continuous.all() or all(is_precise(post, noise) for post, noise in pairs)


def sequential_kg(
    question: Question, sets: Sequence[Array], candidates: Array, rng: np.random.Generator
) -> tuple[Array, float]:
    """The batch (q, D), each point the best single measurement given those before it, and the q-KG of the first."""
    domain, scale = question.domain, common_scale(question.model)
    screened = np.vstack([candidates, shortlist(domain, question.model, MORE, rng)])[:, None]
    model = believe(question.model, question.noise, question.pending)
    batch, first = [], 0.0
    for k in range(question.q):
        acquisition = one_point_kg(question, sets, model)
        z = search(acquisition, screened, domain, scale)
        z = exchange(acquisition.value, z, domain, scale, rng, climb=acquisition)
        batch.append(z[0])
        first = first if k else float(acquisition.value(z[None])[0]) * cost_of(question, z)
        model = believe(model, question.noise, z)
    return np.array(batch), first


def one_point_kg(question: Question, sets: Sequence[Array], model: Model) -> Average:
    """The exact q-KG of one point under the model, where costs differ per cost."""
    none = np.empty((0, question.domain.dim))
    each = zip(model, question.noise, sets, strict=True)
    parts = [ExactKG(Lookahead(post, noise, A, none, question.target)) for post, noise, A in each]
    return Average(parts if question.cost is None else [PerCost(part, question.cost) for part in parts])


def cost_of(question: Question, z: Array) -> float:
    """What measuring the batch z (q, D) costs; 1 where that is the same everywhere."""
    return 1.0 if question.cost is None else float(question.cost.value(z).sum())


def one_point_given(question: Question, sets: Sequence[Array], W: Array) -> Average:
    """The exact q-KG of one point, if the points W return their posterior means."""
    return one_point_kg(question, sets, believe(question.model, question.noise, W))
