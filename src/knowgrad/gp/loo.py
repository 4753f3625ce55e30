"""What the others say about each observation: leave-one-out predictions in closed form (Dubrule, 1983).

    μ_i = y_i − [C⁻¹(y − m)]_i / [C⁻¹]_ii,   v_i = 1 / [C⁻¹]_ii,   C = K + diag σ²

μ_i and v_i are the mean and the variance of y_i, its noise included, given all observations but the i-th. The
hyperparameters and m are still those of all observations, so the predictions are a little better than honest ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior


def leave_one_out(post: Posterior) -> tuple[Array, Array]:
    """Mean and variance of each y (n,), (n,), given the others."""
    precision = np.einsum("ki,ki->i", post.Linv, post.Linv)
    return post.y - post.alpha / precision, 1.0 / precision


def mixture(model: Sequence[Posterior]) -> tuple[Array, Array, Array]:
    """Mean, variance and log density of each y given the others, averaged over posteriors of the same data."""
    means, variances = np.array([leave_one_out(post) for post in model]).transpose(1, 0, 2)
    each = log_normal(model[0].y, means, variances)
    density = np.logaddexp.reduce(each, axis=0) - np.log(len(model))
    return means.mean(axis=0), variances.mean(axis=0) + means.var(axis=0), density


def that_matters(post: Posterior, limits: Array) -> tuple[NDArray[np.intp], Array]:
    """The lower half of the observations or, of an outcome with `limits` (l,), the half nearest to these.

    By index, with the log density of each given all the others.
    """
    away = np.abs(post.y[:, None] - limits).min(axis=1) if len(limits) else post.y
    half = np.argsort(away, kind="stable")[: (len(post.y) + 1) // 2]
    mean, variance = leave_one_out(post)
    return half, log_normal(post.y, mean, variance)[half]


def constant_density(y: Array) -> Array:
    """Log density of each y (n ≥ 3) under a normal distribution with the mean and variance of the others."""
    n = len(y)
    mean = (y.sum() - y) / (n - 1)
    variance = np.maximum(((y - y.mean()) ** 2).sum() - (y - y.mean()) ** 2 * n / (n - 1), 0.0) / (n - 2)
    return log_normal(y, mean, np.maximum(variance * n / (n - 1), 1e-12))


def log_normal(y: Array, mean: Array, variance: Array) -> Array:
    return np.asarray(-0.5 * ((y - mean) ** 2 / variance + np.log(2.0 * np.pi * variance)))
