"""Confidence bounds on f, and the schedule of their width (Srinivas et al., 2010).

    μ ± √β s,   β_t = 2 ln(d t² π² / (6 δ))

With t the number of the evaluation and d the number of columns of the unit cube, the bounds hold for all t at once
with a probability of about 1 − δ.
"""

from __future__ import annotations

import math

import numpy as np

from knowgrad.acquisition.base import Model, Question
from knowgrad.acquisition.pointwise import Pointwise, Score, Term
from knowgrad.gp.linalg import Array


def beta(t: int, d: int, delta: float) -> float:
    """β_t."""
    return 2.0 * math.log(d * t**2 * math.pi**2 / (6.0 * delta))


def evaluations(question: Question) -> int:
    """How many points have been measured or are running."""
    return len(question.model[0].X) + len(question.pending)


def linear(a: float, b: float) -> Score:
    """a μ + b s."""

    def score(mu: Array, sd: Array) -> tuple[Array, Array, Array]:
        return a * mu + b * sd, np.full_like(mu, a), np.full_like(mu, b)

    return score


def optimism(model: Model, width: float) -> Pointwise:
    """−(μ − width · s), averaged over the posteriors: to maximise it is to minimise the lower bound."""
    return Pointwise([Term(post, linear(-1.0, width)) for post in model])
