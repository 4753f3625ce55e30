"""Hyperparameters by maximum likelihood (the paper's) or maximum a posteriori, and the posterior they give."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.kernel import Kernel, matern52
from knowgrad.gp.likelihood import Groups, Likelihood
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior

SUBSET = 256  # above twice this many observations, most of the fitting is done on a subset
ALL = 1_000  # observations that the hyperparameters may rest on; of more, some
ROUNDS = 3  # of expectation maximisation


class Effort(NamedTuple):
    """How many observations hyperparameters are found on."""

    first: int = SUBSET
    """Of more than twice as many, on so many at first."""
    most: int = ALL
    """They are corrected on all up to so many,"""
    of_more: int = 2 * SUBSET
    """and of more on so many."""


USUAL, MANY, HASTY = Effort(), Effort(SUBSET // 2), Effort(64, 256, 256)


def usual_effort(n: int) -> Effort:
    """For n observations: of very many, fewer are enough at first, for the correction has enough to put it right."""
    return USUAL if n <= ALL else MANY


def fit(
    X: Array,
    y: Array,
    known: Array,
    groups: Groups,
    prior: Prior | None = None,
    kernel: Kernel = matern52,
    near: Posterior | None = None,
    effort: Effort = USUAL,
) -> Posterior:
    """The posterior at the best θ: MAP with a prior, the paper's MLE without one.

    X (n, D), y (n,) standardised, known (n,) noise variances or nan, groups (D,) the length scale of each column;
    `near` is a posterior whose θ will be close.
    """
    likelihood = Likelihood(X, y, known, groups, prior, kernel)
    if len(X) <= 2 * effort.first:
        return likelihood.posterior(map_estimate(likelihood, near)[1])
    # The likelihood costs n³: find θ on a small subset, then correct it on a larger one.
    theta = map_estimate(likelihood.part(small_subset(y, effort.first)))[1] if near is None else likelihood.theta(near)
    part = likelihood.part(even_subset(len(X), effort))
    return likelihood.posterior(part.reweighted(theta).optimum(theta[None], 6))


def map_estimate(likelihood: Likelihood, near: Posterior | None = None) -> tuple[Likelihood, Array]:
    """The best θ and the likelihood with the prior's variances there, from the usual starts or the θ of `near`.

    Expectation maximisation for the Student scale mixture: maximise over θ, then set the variances as expected there.
    Without a prior this is maximum likelihood.
    """
    if near is None:
        theta, rounds = likelihood.optimum(likelihood.starts(), 50), ROUNDS if likelihood.prior else 0
    else:
        theta, rounds = likelihood.theta(near), ROUNDS - 1 if likelihood.prior else 1
    for _ in range(rounds):
        likelihood = likelihood.reweighted(theta)
        theta = likelihood.optimum(theta[None], 50)
    return likelihood, theta


def even_subset(n: int, effort: Effort = USUAL) -> NDArray[np.intp]:
    """The indices of all of n observations or, of very many, of some spread evenly over the order of arrival."""
    return np.arange(n) if n <= effort.most else np.unique(np.linspace(0, n - 1, effort.of_more).astype(int))


def small_subset(y: Array, size: int = SUBSET) -> NDArray[np.intp]:
    """The indices of all observations or, of very many, of the best and an even spread of the others."""
    order, n = np.argsort(y, kind="stable"), len(y)
    if n <= 2 * size:
        return np.arange(n)
    others = np.linspace(size // 4, n - 1, size - size // 4).astype(int)
    return np.sort(np.r_[order[: size // 4], order[others]])
