"""Checks shared by tests: gradients by their rate of error, and small posteriors to work with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.posterior import Posterior

Array = NDArray[np.float64]


def central_difference(value: Callable[[Array], Array], x: Array, h: float) -> Array:
    """∂value/∂x for a scalar value, entry by entry."""
    gradient = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[i] = h
        gradient[i] = (value(x + step) - value(x - step)) / (2 * h)
    return gradient


def check_gradient(value: Callable[[Array], Array], gradient: Array, x: Array, h: float = 2e-4) -> None:
    """Central differences must agree, and their error must fall fourfold when the step is halved.

    A wrong gradient has an error that does not fall; a right one may only hide below rounding.
    """
    coarse, fine = (np.abs(central_difference(value, x, s) - gradient).max() for s in (h, h / 2))
    scale = max(float(np.abs(gradient).max()), 1e-3)
    rounding = 1e-10 * scale
    assert coarse < 1e-3 * scale
    assert fine < rounding or 3.0 < coarse / fine < 5.5, (coarse, fine)


def smooth_posterior(n: int = 20, D: int = 3, noise: float = 0.05, seed: int = 0) -> Posterior:
    """A posterior of a smooth function on the unit cube."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, D))
    y = np.sin(4 * X @ np.arange(1, D + 1) / D) + np.cos(5 * X[:, 0])
    y = (y - y.mean()) / y.std() + np.sqrt(noise) * rng.standard_normal(n)
    ell = np.linspace(0.4, 0.9, D)
    return Posterior.build(X, y, np.full(n, noise), ell, 1.3, noise=noise)


def tilted_noise(U: Array) -> tuple[Array, Array]:
    """A known σ²(x) that varies over the domain, with its gradient."""
    slope = np.zeros(U.shape)
    slope[..., 0], slope[..., -1] = 0.4 * U[..., 0], 0.1
    return 0.02 + 0.2 * U[..., 0] ** 2 + 0.1 * U[..., -1], slope
