"""Variance inflation: a model that is less sure of what it has not seen.

A search on exact results that has found a valley samples it densely. The fitted length scales, s² and prior mean then
describe the valley, and everywhere else seems many standard deviations too high to be worth a look, although there may
be a lower valley. Such a model shows in its own data: its best result lies many prior standard deviations s below the
prior mean m. Variance inflation raises s² until the best result is DEVIATIONS below m. `qkg` chooses one point of a
batch under the raised s².

A model of choices is too sure as well, and of everything: it has few results for each option, and takes what one option
shows for what the others will. There `qkg` chooses a part of a batch under standard deviations that are `widened`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.gp.kernel import Effects
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Noise, Posterior

DEVIATIONS = 2.0  # prior standard deviations that the best result may lie below the prior mean
WIDER = 2.0  # times as large are standard deviations among choices
AVERAGED = 1.4  # and under an average of posteriors, which is less sure already
SMALLEST = 3  # points of a batch that can spare one


def inflated(question: Question) -> Question | None:
    """The question for one point under the raised s², or with choices for half of them under wider deviations.

    None for a batch of fewer than SMALLEST points, for a finite domain without choices, and where no s² has to be
    raised.
    """
    if question.q < SMALLEST:
        return None
    if (wide := among_choices(question)) is not None:
        return wide
    if not question.domain.continuous.any():
        return None
    raised = [_inflate(post) for post in question.model]
    same = all(wide is post for wide, post in zip(raised, question.model, strict=True))
    return None if same else replace(question, model=raised, q=1)


def among_choices(question: Question) -> Question | None:
    """With choices the question for half of the points under wider deviations, if the batch can spare them."""
    chosen = all(isinstance(post.kernel, Effects) for post in question.model)
    times = WIDER if len(question.model) == 1 else AVERAGED
    return widened(question, times) if chosen and question.q >= SMALLEST else None


def _inflate(post: Posterior) -> Posterior:
    """The posterior itself, or one with the same data and a larger s²."""
    s = (post.m - float(np.min(post.mean(post.X)))) / DEVIATIONS
    if s <= np.sqrt(post.s2):
        return post
    return Posterior.build(post.X, post.y, post.sigma2, post.ell, s**2, post.m, post.noise, post.kernel)


def widened(question: Question, times: float = WIDER) -> Question:
    """The question for half of the points under standard deviations that are so many times as large."""
    noise = [_louder(noise, times**2) for noise in question.noise]
    return replace(question, model=[_widen(post, times) for post in question.model], noise=noise, q=question.q // 2)


def _widen(post: Posterior, times: float) -> Posterior:
    """The means stay as they are."""
    square = times**2
    return replace(post, sigma2=square * post.sigma2, s2=square * post.s2, L=times * post.L, noise=square * post.noise)


def _louder(noise: Noise, square: float) -> Noise:
    def louder(U: Array) -> tuple[Array, Array]:
        variance, gradient = noise(U)
        return square * variance, square * gradient

    return louder
