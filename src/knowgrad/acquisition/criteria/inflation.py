"""The model, less sure of what it has not seen.

A search on exact results that has found a valley samples it densely. Length scales, s² and μ then follow the valley:
everywhere else lies so many standard deviations above its floor that nothing seems left but to polish it, though it may
be one valley of several. What gives such a model away is that its own best result is a wonder: far below μ, in units of
s. In doubt s² is raised until that result is an ordinary one. What is worth most then is worth one point of a batch.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.gp.posterior import Posterior

ORDINARY = 2.0  # standard deviations s from μ down to the best result, at most
LEAST = 3  # points of a batch that has one to spare


def in_doubt(question: Question) -> Question | None:
    """The question for one point under the raised s²; none for few points, levels, or if no s² has to be raised."""
    if question.q < LEAST or not question.domain.continuous.all():
        return None
    raised = [_wider(post) for post in question.model]
    same = all(wide is post for wide, post in zip(raised, question.model, strict=True))
    return None if same else replace(question, model=raised, q=1)


def _wider(post: Posterior) -> Posterior:
    s = (post.m - float(np.min(post.mean(post.X)))) / ORDINARY
    if s <= np.sqrt(post.s2):
        return post
    return Posterior.build(post.X, post.y, post.sigma2, post.ell, s**2, post.m, post.noise, post.kernel)
