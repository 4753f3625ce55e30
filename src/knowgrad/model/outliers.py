"""Results that are probably mistakes: far from all others, and not what a model of the others predicts there.

A gross mistake hides itself from a leave-one-out check whose hyperparameters know it: it is explained as noise, or as a
function that jumps. So what is far from all other results (`far`) is left out, the model is fitted to the rest, and
what that says about the ones left out decides. Where nothing is far, nothing is fitted.

On the good side a result has to be farther from what was expected: that is what a search looks for.
"""

from __future__ import annotations

import numpy as np

from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.model.far import far
from knowgrad.model.scaling import Units
from knowgrad.model.select import Kind, learned, n_parameters

WORSE, BETTER = 3.0, 8.0  # standard deviations from what is expected


def outliers(X: Array, values: Array, sd: Array, groups: Groups, direction: str, how: str, kind: Kind) -> list[int]:
    """The indices of results (n,) at X (n, D), with noise sd (n,) or nan, that do not belong with the others."""
    found = far(values)
    rest = np.setdiff1d(np.arange(len(values)), found)
    if not found or len(rest) < 2 * n_parameters(kind, groups):
        return []
    units, _, post = learned(X[rest], values[rest], sd[rest], groups, direction, how, kind)
    at = np.array(found)
    return [i for i, z in zip(found, surprise(post, units, X[at], values[at], sd[at]), strict=True) if is_far(z)]


def surprise(post: Posterior, units: Units, X: Array, values: Array, sd: Array) -> Array:
    """By how many standard deviations results differ from what is expected of them; positive is worse."""
    known = units.variance(sd, values)
    variance = post.var(X) + np.where(np.isnan(known), post.noise, known)
    return np.asarray((units.standardise(values) - post.mean(X)) / np.sqrt(np.maximum(variance, 1e-12)))


def is_far(z: float) -> bool:
    return z > WORSE or z < -BETTER
