"""Hyperparameters drawn from their posterior, by elliptical slice sampling (Murray, Adams & MacKay, 2010).

The prior of θ is normal, so a step moves along the ellipse through the current θ and a fresh draw ν of the prior,

    θ' = c + (θ − c) cos φ + (ν − c) sin φ,

φ shrunk towards zero until the likelihood exceeds a random level. It has no tuning parameter and accepts every step.
"""

from __future__ import annotations

import math

import numpy as np

from knowgrad.gp.fit import map_estimate
from knowgrad.gp.kernel import Kernel, matern52
from knowgrad.gp.likelihood import Groups, Likelihood
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior


def sample(
    X: Array,
    y: Array,
    known: Array,
    groups: Groups,
    prior: Prior,
    count: int,
    rng: np.random.Generator,
    kernel: Kernel = matern52,
) -> list[Posterior]:
    """Posteriors at `count` draws of θ; arguments as for `fit`."""
    likelihood, theta = map_estimate(Likelihood(X, y, known, groups, prior, kernel))
    return [likelihood.posterior(t) for t in draw(likelihood, theta, count, rng, thin=5, burn=20)]


def draw(likelihood: Likelihood, theta: Array, count: int, rng: np.random.Generator, *, thin: int, burn: int) -> Array:
    """`count` draws of θ (count, len θ), from a chain that begins at `theta`."""
    kept = []
    level = likelihood.log_likelihood(theta)
    for step in range(burn + thin * count):
        theta, level = _step(likelihood, theta, level, rng)
        if step >= burn and (step - burn) % thin == thin - 1:
            kept.append(theta)
    return np.stack(kept)


def _step(likelihood: Likelihood, theta: Array, level: float, rng: np.random.Generator) -> tuple[Array, float]:
    centre, root = likelihood.prior_moments
    nu = root @ rng.standard_normal(len(theta))
    threshold = level + math.log(rng.random())
    phi = 2.0 * math.pi * rng.random()
    low, high = phi - 2.0 * math.pi, phi
    while True:
        proposal = centre + (theta - centre) * math.cos(phi) + nu * math.sin(phi)
        value = likelihood.log_likelihood(proposal)
        if value > threshold:
            return proposal, value
        low, high = (phi, high) if phi < 0.0 else (low, phi)
        phi = low + (high - low) * rng.random()
        if high - low < 1e-9:  # nothing on the ellipse but the point itself: stay
            return theta, level
