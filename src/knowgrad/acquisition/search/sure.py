"""What to measure where the model is sure that nothing is worth its cost, and other points are left.

Among finitely many points a model soon believes to know the best one. Then the q-KG of every batch is next to nothing,
and what has the largest per cost is chance. The belief may be wrong: the best point was perhaps never measured at the
target, and a model of few results is too sure of all others. So where the best batch is worth less than NOTHING
standard deviations of f, the minimum of the mean is measured at the target, if it was not; else the batch is chosen as
if all standard deviations were twice as large, or four times, and so on.

On a continuous domain small gains are the usual end of a search, and their order means something: q-KG goes on there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.criteria.inflation import widened
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.gp.linalg import Array

NOTHING = 1e-3  # standard deviations of f
DOUBLINGS = 6

Propose = Callable[[Question], Answer]


def is_sure(question: Question, answer: Answer) -> bool:
    """Does the model see nothing worth its cost among finitely many points, with another batch to come?"""
    if question.cost is None or question.last or question.ties or question.crowd or answer.value is None:
        return False
    moving = question.domain.continuous
    if (moving if question.target is None else moving & ~question.target.pinned).any():
        return False
    return answer.value < NOTHING * float(np.sqrt(np.mean([post.s2 for post in question.model])))


def when_sure(question: Question, answer: Answer, propose: Propose, rng: np.random.Generator) -> Answer:
    """Another batch in place of this one; its value is that of the one that seemed the best."""
    head = _unmeasured_minimum(question, rng)
    if len(head) == question.q:
        return replace(answer, Z=head)
    rest = replace(question, pending=np.vstack([question.pending, head]), q=question.q - len(head))
    for _ in range(DOUBLINGS):
        rest = replace(widened(rest), q=rest.q)
        found = propose(rest)
        if not is_sure(rest, found):
            break
    return replace(answer, Z=np.vstack([head, found.Z]))


def _unmeasured_minimum(question: Question, rng: np.random.Generator) -> Array:
    """The minimum of the mean at the target (1, D), if nothing was measured there; else no point (0, D)."""
    if question.target is not None and len(question.target.rows) > 1:
        return np.empty((0, question.domain.dim))
    low = lowest_mean(question.model, question.domain, rng, question.target)[None]
    low = low if question.target is None else question.target.expand(low)
    tried = np.vstack([question.model[0].X, question.pending])
    known = (np.abs(tried - low) <= 1e-12).all(axis=1).any()
    return low[:0] if known or not question.domain.contains(low)[0] else low
