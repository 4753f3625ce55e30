"""A fit that a few gross errors do not derail: sparse, not heavy-tailed, noise.

One result that is off by ten spreads makes a Gaussian model call everything noise. So results whose leave-one-out error
stands out from those of the others, or that are far from all others, are left out. Errors hide each other: what stands
out among the rest then is left out too, until nothing does. The model of the rest says whether they can be right. Those
that cannot have no say in hyperparameters and units. Where nothing stands out, nothing more is fitted, and the model is
the one it would have been.

The usual error is the median of all, not what the model says: a mistake that the model takes for noise makes every
error small. Results that are surprises side by side are believed: they are detail that the rest knows nothing of. A
surprise on the good side is what a search looks for: it is believed also if its noise was said.
`docs/experiments-more.md` has the comparison.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.fit import ALL, HASTY
from knowgrad.gp.kernel import Kernel
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import PSEUDO_NUGGET, Array
from knowgrad.gp.loo import leave_one_out
from knowgrad.gp.posterior import Posterior
from knowgrad.model.far import SHARE, far
from knowgrad.model.outliers import surprise
from knowgrad.model.scaling import Units
from knowgrad.model.select import Kind, learned, n_parameters

BEYOND = 3.0  # times the usual error: what is left out to see what the others say of it
BEYOND_ALL = 5.0  # the same of very many results or in haste: chance puts some beyond 3, which would cost a second fit
HALF = 0.6744897501960817  # of a normal distribution, half lies within so many standard deviations
LEAST = 0.1  # standard deviations that are usual at least: less is rounding
GROSS = 8.0  # standard deviations from what the others say that no right result is off by
SUPPORT = 0.5  # of a surprise, expected by others like it: it is no error
COUNTS = 1.0  # standard deviations that a gross error counts for

Fit = tuple[Units, Kernel, Posterior]


def robust(
    X: Array,
    values: Array,
    sd: Array,
    groups: Groups,
    direction: str,
    how: str,
    kind: Kind | None = None,
) -> tuple[Fit, list[int]]:
    """The fit to results (n,) at X (n, D) with noise sd (n,) or nan, and the indices of those that it leaves out."""

    def of(rows: NDArray[np.intp]) -> Fit:
        return learned(X[rows], values[rows], sd[rows], groups, direction, how, kind)

    everything = np.arange(len(values))
    fit, kind = of(everything), kind or Kind()
    distant = [] if how == "mle" else far(values)
    thrifty = len(values) > ALL or kind.effort == HASTY
    beyond, most = BEYOND_ALL if thrifty else BEYOND, len(values) // SHARE
    more = [] if how == "mle" else _doubtful(fit[2], distant, beyond)[:most]
    doubtful, rest = list[int](), fit
    while more and len(values) - len(doubtful) - len(more) >= 2 * n_parameters(kind, groups):
        doubtful += more
        rest = of(left := np.setdiff1d(everything, doubtful))
        more = left[_doubtful(rest[2], [], beyond)][: most - len(doubtful)].tolist()
    if not doubtful:
        return fit, []
    units, _, post = rest
    gross = _gross(post, units, X[doubtful], values[doubtful], sd[doubtful], np.isin(doubtful, distant))
    wrong = [i for i, each in zip(doubtful, gross, strict=True) if each]
    if len(wrong) == len(doubtful):
        return rest, wrong
    return (of(np.setdiff1d(everything, wrong)), wrong) if wrong else (fit, [])


def _doubtful(post: Posterior, distant: list[int], beyond: float) -> list[int]:
    """Those that are far from all others, and results whose leave-one-out error stands out, the farthest first."""
    mean, variance = leave_one_out(post)
    error = np.abs(post.y - mean) / np.sqrt(variance)
    usual = max(float(np.median(error)) / HALF, LEAST)
    order = [int(i) for i in np.argsort(-error, kind="stable") if error[i] > beyond * usual]
    return list(dict.fromkeys([*distant, *order]))


def _gross(
    post: Posterior, units: Units, X: Array, values: Array, sd: Array, distant: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which of the results (m,) at X (m, D) that were left out of this posterior cannot be right.

    `distant`: far from all others, whatever their points. If worse, these are penalties: they agree with each other.
    """
    z, y = surprise(post, units, X, values, sd), units.standardise(values)
    gross = np.abs(z) > GROSS
    for k in np.flatnonzero(gross):
        others, mean = np.arange(len(z)) != k, post.mean(X[[k]])
        beside = post.condition(X[others], _noise(post, units, sd[others]), y[others]) if others.any() else post
        supported = (beside.mean(X[[k]]) - mean)[0] / (y[[k]] - mean)[0] >= SUPPORT
        gross[k] = (distant[k] or not supported) if z[k] > 0.0 else (not supported and np.isnan(sd[k]))
    return gross


def counted(post: Posterior, units: Units, X: Array, values: Array, sd: Array) -> Posterior:
    """The posterior after these gross errors (m,) at X (m, D), each of them off by no more than COUNTS."""
    noise = _noise(post, units, sd)
    off = COUNTS * np.sign(surprise(post, units, X, values, sd)) * np.sqrt(post.var(X) + noise)
    return post.condition(X, noise, post.mean(X) + off)


def _noise(post: Posterior, units: Units, sd: Array) -> Array:
    known = units.variance(sd)
    return np.maximum(np.where(np.isnan(known), post.noise, known), PSEUDO_NUGGET * post.s2)
