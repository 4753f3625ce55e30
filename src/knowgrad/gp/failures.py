"""Failed trials as data: pseudo-observations that raise the posterior where trials came to nothing.

    v = max(worst y, μ + δ),   τ² = σ² ((v − μ)/δ − 1),   δ = k σ

with μ, σ the posterior mean and standard deviation at the failed point. One such observation raises the mean by δ: far
from results, where σ is large, a failure counts for much; among results for little. Repeated failures raise it further,
at most to v. Hyperparameters, m and the noise of real measurements stay as they are.
"""

from __future__ import annotations

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior

RAISE = 2.0  # standard deviations by which one failure raises the mean
SMALL = 1e-8  # least variance, relative to s²


def discouraged(post: Posterior, U: Array) -> Posterior:
    """The posterior after failures at the rows of U (m, D)."""
    mean, variance = post.mean(U), np.maximum(post.var(U), SMALL * post.s2)
    step = RAISE * np.sqrt(variance)
    gap = np.maximum(post.y.max() - mean, step)
    return post.condition(U, np.maximum(variance * (gap / step - 1.0), SMALL * post.s2), mean + gap)
