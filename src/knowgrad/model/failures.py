"""What failed trials say: a regression of failing, and pseudo-observations that raise the objective where trials fail.

    p(x)   the chance that a trial at x fails: a Gaussian process fitted to the labels failed (1) and not (0)
    v, τ²  at a failed point: μ + k σ, and σ² (1 − p)/p, with p as the other trials see it

where μ, σ are the posterior mean and standard deviation of the objective there. Such an observation raises the mean by
k σ p: a failure that might as well have happened anywhere counts for little, one in a region of failures for much, and
several for more. Higher values, such as the worst result, make a smooth model overshoot elsewhere (docs/failures.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from knowgrad.gp.fit import fit
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import PSEUDO_NUGGET, Array
from knowgrad.gp.loo import leave_one_out
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior

RAISE = 2.0  # k
CERTAIN = 0.1  # p is no nearer to 0 or 1 than this, in τ²


@dataclass(frozen=True, eq=False)
class Failing:
    """p(x), with the share of all trials that failed and the standard deviation of the labels."""

    posterior: Posterior
    share: float
    spread: float

    @classmethod
    def fit(cls, X: Array, failed: Array, groups: Groups) -> Failing:
        """From the points of results X (n, D) and of failures (m, D), at least one of each."""
        n, m = len(X), len(failed)
        share = m / (n + m)
        spread = math.sqrt(share * (1.0 - share))
        labels = (np.repeat([0.0, 1.0], [n, m]) - share) / spread
        return cls(fit(np.vstack([X, failed]), labels, np.full(n + m, np.nan), groups, Prior()), share, spread)

    def chance(self, U: Array) -> Array:
        """p at the rows of U; it may leave [0, 1] a little."""
        return np.asarray(self.share + self.spread * self.posterior.mean(U))

    def others(self) -> Array:
        """p at every trial, results first, as the other trials see it."""
        return np.asarray(self.share + self.spread * leave_one_out(self.posterior)[0])


def penalized(post: Posterior, failed: Array, p: Array) -> Posterior:
    """The posterior after failures at these points (m, D) whose chances were p (m,). Hyperparameters and m stay."""
    mean, variance = post.mean(failed), post.var(failed)
    p = p.clip(CERTAIN, 1.0 - CERTAIN)
    tau2 = np.maximum(variance * (1.0 - p) / p, PSEUDO_NUGGET * post.s2)
    return post.condition(failed, tau2, mean + RAISE * np.sqrt(variance))
