"""Variance inflation: a model that is less sure of what it has not seen.

A search on exact results that has found a valley samples it densely. The fitted length scales, s² and prior mean then
describe the valley, and everywhere else seems many standard deviations too high to be worth a look, although there may
be a lower valley. Such a model shows in its own data: its best result lies many prior standard deviations s below the
prior mean m. Variance inflation raises s² until the best result is DEVIATIONS below m. `qkg` chooses one point of a
batch under the raised s².
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.gp.posterior import Posterior

DEVIATIONS = 2.0  # prior standard deviations that the best result may lie below the prior mean
SMALLEST = 3  # points of a batch that can spare one


def inflated(question: Question) -> Question | None:
    """The question for one point under the raised s².

    None for a batch of fewer than SMALLEST points, for a domain with levels, and where no s² has to be raised.
    """
    if question.q < SMALLEST or not question.domain.continuous.all():
        return None
    raised = [_inflate(post) for post in question.model]
    same = all(wide is post for wide, post in zip(raised, question.model, strict=True))
    return None if same else replace(question, model=raised, q=1)


def _inflate(post: Posterior) -> Posterior:
    """The posterior itself, or one with the same data and a larger s²."""
    s = (post.m - float(np.min(post.mean(post.X)))) / DEVIATIONS
    if s <= np.sqrt(post.s2):
        return post
    return Posterior.build(post.X, post.y, post.sigma2, post.ell, s**2, post.m, post.noise, post.kernel)
