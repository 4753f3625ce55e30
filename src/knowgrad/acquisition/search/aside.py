"""Points of a batch that are set aside before the rest of it is chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from knowgrad.acquisition.criteria.inflation import SMALLEST
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.ties import beside
from knowgrad.gp.linalg import Array

ONE_IN = 4  # points that are chosen alone or in pairs may measure a point again


def given(question: Question, head: Array) -> Question:
    """The rest of the question, once these points are chosen."""
    pending, ties = np.vstack([question.pending, head]), beside(question.ties, head)
    return replace(question, pending=pending, q=question.q - len(head), ties=ties)


def repeated(question: Question) -> Array:
    """The point to be measured again, if the batch can spare one (k, D); nothing would follow a last batch."""
    none = np.empty((0, question.domain.dim))
    if question.again is None or question.last:
        return none
    spared = question.q >= SMALLEST or len(question.model[0].X) % ONE_IN < question.q
    return question.again if spared else none
