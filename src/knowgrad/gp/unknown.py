"""What is unknown of f besides f itself: the hyperparameters θ and the constant mean.

A posterior takes both for known. By Laplace's approximation (`laplace`) θ ~ N(θ*, Σ), Σ = Σ_k λ_k a_k a_kᵀ. The
posterior is asked again at θ* ± √λ_k a_k, with means μ_± and variances v_±. What is unknown of θ then adds the spread
of the means and the average change of the variances to the variance of f(x):

    Σ_k ½ Σ_± (μ_± − μ)²  +  max(0, Σ_k ½ Σ_± (v_± − v))

The mean is estimated from the same results, with the variance 1/(1ᵀK⁻¹1), of which f(x) has the share
(1 − 1ᵀK⁻¹k(x))²; it is part of v here. For a difference f(x) − f(x') the same is said of the differences, but for the
change of the variances, which is small where x and x' are close.

Of very many results θ is known well, and asking again would take long: then the mean alone is counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knowgrad.gp.fit import SUBSET
from knowgrad.gp.laplace import covariance
from knowgrad.gp.likelihood import Groups, Likelihood
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior


class Added(NamedTuple):
    """Variances that a posterior does not know of: of f at rows (u,), and of its difference to the first row (u,)."""

    value: Array
    difference: Array


def added(post: Posterior, known: Array, groups: Groups, U: Array) -> Added:
    """Of f at the rows of U (u, D); `known` and `groups` as for `fit`."""
    mean, variance, share = _moments(post, U)
    value, difference = share**2, (share - share[0]) ** 2
    if len(known) > 2 * SUBSET:
        return Added(value, difference)
    change = np.zeros_like(mean)
    for other in _others(post, known, groups):
        there, v, its_share = _moments(other, U)
        step = there - mean
        value = value + 0.5 * step**2
        difference = difference + 0.5 * (step - step[0]) ** 2
        change += 0.5 * (v + its_share**2 - variance - share**2)
    return Added(value + np.maximum(change, 0.0), difference)


def _others(post: Posterior, known: Array, groups: Groups) -> list[Posterior]:
    """Posteriors of the same results one standard deviation of θ away, along each axis both ways."""
    likelihood = Likelihood(post.X, post.y, known, groups, Prior(), post.kernel)
    theta = likelihood.theta(post)
    likelihood = likelihood.reweighted(theta)
    variances, axes = np.linalg.eigh(covariance(likelihood, theta))
    steps = (np.sqrt(np.maximum(variances, 0.0)) * axes).T
    return [likelihood.posterior(np.clip(theta + step, *likelihood.limits)) for step in (*steps, *-steps)]


def _moments(post: Posterior, U: Array) -> tuple[Array, Array, Array]:
    """Mean and variance of f at U, and the share of the constant mean's standard deviation in it."""
    V, one = post.whiten(U), post.Linv.sum(axis=1)
    variance = np.maximum(post.s2 - np.einsum("nu,nu->u", V, V), 0.0)
    return post.mean(U), variance, (1.0 - one @ V) / np.sqrt(one @ one)
