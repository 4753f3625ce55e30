"""How well the data determine the noise: the distribution of ln σ² by Laplace's approximation of the posterior of θ.

    θ ~ N(θ*, H⁻¹),   H = the second derivative of −log p(θ | y) at its minimum θ*

so ln σ has the standard deviation ½ √[H⁻¹]_σσ, what is unknown of the other hyperparameters included.

Slice samples of θ give intervals about as wide, and take far longer. Noise that is very small beside the signal passes
for structure of the function, so a small estimate is to be read as a bound from above.

Of very many observations H is measured on some, and what these say of θ counts as often as there are as many.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from knowgrad.gp.fit import SUBSET, even_subset
from knowgrad.gp.likelihood import Groups, Likelihood
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior

STEP = 1e-3  # of a central difference in θ
NINETY = 1.6448536269514722


def noise_interval(model: Sequence[Posterior], known: Array, groups: Groups) -> tuple[float, float]:
    """A 90 % interval of the learned noise's standard deviation, under the prior whatever the fit."""
    likelihood = Likelihood(model[0].X, model[0].y, known, groups, Prior(), model[0].kernel)
    at = np.mean([likelihood.theta(post) for post in model], axis=0)
    likelihood = likelihood.part(even_subset(len(known))).reweighted(at)
    theta = likelihood.optimum(at[None], 50)
    sd = math.sqrt(covariance(likelihood, theta, len(known) / len(likelihood.y))[-1, -1])
    low, high = (math.exp(0.5 * (theta[-1] + side * NINETY * sd)) for side in (-1.0, 1.0))
    return low, high


def least_share(model: Sequence[Posterior], known: Array, interval: Callable[[], tuple[float, float]]) -> float:
    """Of the learned noise variance, what is left at the low end of that `interval`; 1 if none is learned.

    Many results leave little open, and would take long to say how little: 1 for them, too.
    """
    noise = float(np.mean([post.noise for post in model]))
    if noise == 0.0 or not np.isnan(known).any() or len(known) > SUBSET:
        return 1.0
    return min(1.0, interval()[0] ** 2 / noise)


def covariance(likelihood: Likelihood, theta: Array, times: float = 1.0) -> Array:
    """H⁻¹, had there been so many times the observations.

    Where the posterior is flatter than the prior, or curved the other way, the prior's widest.
    """
    steps = STEP * np.eye(len(theta))
    H = np.stack([(likelihood(theta + e)[1] - likelihood(theta - e)[1]) / (2.0 * STEP) for e in steps])
    H += (times - 1.0) * (H - likelihood.precision)
    curvature, axes = np.linalg.eigh(0.5 * (H + H.T))
    least = np.linalg.eigvalsh(likelihood.precision)[0]
    return np.asarray((axes / np.maximum(curvature, least)) @ axes.T)
