"""A question with many points running, before its search: those of them that matter, drawn with the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from knowgrad.acquisition.criteria.crowd import ROOM, given, kept, matter
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.discretize import lowest_lcb
from knowgrad.acquisition.search.worth import factors
from knowgrad.gp.linalg import Array


def crowded(
    question: Question, asked: Question, sets: list[Array], candidates: Array
) -> tuple[Question, Question, tuple[list[Array], Array]]:
    """Both questions with the running points that matter in the posteriors, to be drawn, and in the sets."""
    P = question.pending
    if len(P) > ROOM:
        none = replace(question, pending=P[:0])
        each = zip(factors(none, sets, P[:0], np.zeros((1, 1))), question.model, question.noise, strict=True)
        scores = [matter(post, noise, P, candidates, kg.value(candidates[:, None])) for kg, post, noise in each]
        P = P[kept(np.mean(scores, axis=0), ROOM)]
    size = max(map(len, sets))
    each_set = zip(question.model, sets, strict=True)
    sets = [np.vstack([A, lowest_lcb(post, P, size, question.target)]) for post, A in each_set]
    known = _with_crowd(question, P)
    return known, known if asked is question else _with_crowd(asked, P), (sets, candidates)


def _with_crowd(question: Question, P: Array) -> Question:
    model = [given(post, noise, P) for post, noise in zip(question.model, question.noise, strict=True)]
    return replace(question, model=model, pending=P[:0], crowd=len(P))
