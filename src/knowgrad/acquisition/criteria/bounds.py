"""Confidence bounds on f, and the schedule of their width (Srinivas et al., 2010).

    μ ± √β s,   β_t = 2 ln(d t² π² / (6 δ))

t counts evaluations, d parameters. The theorem, that with probability 1 − δ all bounds hold at all t, is about a domain
of finitely many points and has their number where d stands here; with d the schedule is a rule of thumb.
"""

from __future__ import annotations

import math

import numpy as np

from knowgrad.acquisition.criteria.pointwise import Pointwise, Score, Term
from knowgrad.acquisition.problem import Question
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model


def beta(t: int, d: int, delta: float) -> float:
    """β_t."""
    return 2.0 * math.log(d * t**2 * math.pi**2 / (6.0 * delta))


def check_delta(delta: float) -> None:
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta: expected a probability between 0 and 1, got {delta!r}; pass 0.1, say")


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
