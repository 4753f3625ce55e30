"""How sure one may be of f where it matters: at the best point tried, and where the posterior mean is lowest.

A posterior is surer than its results allow. For what a user reads, and for what is recommended, these count too:

* what is unknown of the hyperparameters and of the constant mean (`gp/unknown`);
* detail of f that the kernel cannot follow. It is taken for noise, and learned as such. A share of the learned noise
  variance, if not much of the variance of all results, is therefore treated as detail: independent from point to point,
  the same whenever a point is measured again. So a point that was measured to be good is believed a little more.
  Where points were measured again, these say how large the share is (`model/repeats`);
* that units, smoothness and the point itself were chosen by the same results: standard deviations are widened by a
  factor, the one that a user reads by a larger one than those that decide.

The search itself goes by the posterior alone. `docs/calibration.md` has the comparison that the numbers come from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array
from knowgrad.gp.unknown import Added, added
from knowgrad.model.fitted import Fitted, mean_and_sd
from knowgrad.model.repeats import averages, repeats
from knowgrad.space import Space
from knowgrad.trial import Trial, sign_of, value_of

DETAIL = 0.03  # share of the learned noise variance that is detail of f, where no point was measured again
MOST = 0.001  # of the variance of all results: detail is no more than this
SURE = 0.5244005127080407  # standard deviations ahead: better with a probability of seven tenths
CAUTION = 1.2  # the factor of the standard deviations that decisions rest on
STEPS = 8  # from the best point tried to where the mean is lowest
SHARED = 3  # points with the best value, and it is a bound
WIDER = 1.4  # the factor of the standard deviations that a user reads


@dataclass(frozen=True)
class Evidence:
    """For an untried point and the best one tried, in the units of the model."""

    untried: tuple[float, float]
    """Mean and standard deviation of f."""
    tried: tuple[float, float]
    ahead: tuple[float, float]
    """By how much the untried point is better, and the standard deviation of that, detail apart."""

    @property
    def margin(self) -> float:
        """By how much the untried point is better at least, with a probability of seven tenths."""
        gain, doubt = self.ahead
        return gain - SURE * CAUTION * doubt

    def favours_untried(self) -> bool:
        """Is it better with that probability, and still if both are one standard deviation worse than expected?"""
        (here, sd), (there, other) = self.untried, self.tried
        return self.margin > 0.0 and here + CAUTION * sd < there + CAUTION * other


class Tried(NamedTuple):
    """The best point tried: which result, the mean there, detail included, and the variance of the detail."""

    row: int
    mean: float
    left: float


def best_tried(found: Fitted, space: Space, among: NDArray[np.bool_] | None = None) -> Tried:
    """Which result lies where the mean is lowest, detail included; that mean, and the variance of the detail there.

    An exact result is what it is: late in a search they differ by less than a mean is computed to. `among`: the results
    (n,) that it may be.
    """
    X, y, detail = found.observed[0].X, found.observed[0].y, _detail(found)
    mean = np.mean([post.mean(X) for post in found.model], axis=0)
    weight = np.zeros_like(mean)
    if detail > 0.0:
        average, which, counts = averages(X, y)
        average, times = average[which], counts[which]
        share = detail / _noise(found)
        weight = times * share / (1.0 + (times - 1) * share)
        mean = mean + weight * (average - mean)
    mean = np.where(found.known == 0.0, y, mean)
    if space.reaches:  # a point outside cannot be used; where all are, any untried one is better
        mean = np.where(space.holds(X), mean, np.inf)
    best = int(np.argmin(mean if among is None else np.where(among, mean, np.inf)))
    return Tried(best, float(mean[best]), detail * float(1.0 - weight[best]))


def at_bound(done: Sequence[Trial], direction: str) -> bool:
    """Is the best value one that f cannot pass, as an accuracy of 1 is?

    Results of a continuous f are all different. If several points share the best value, and no other is as common, then
    there is no more to be had: no mean beyond it is to be believed. Rounded results are as common elsewhere.
    """
    different = {(sign_of(direction) * value_of(trial), tuple(trial.params.items())) for trial in done}
    points = Counter(value for value, _ in different)
    most = points.pop(min(points))
    return most >= SHARED and most > max(points.values(), default=0)


def unseen(found: Fitted, space: Space, u: Array) -> tuple[float, float]:
    """Mean and standard deviation of f at u (D,), where nothing was tried that it could be compared with."""
    both = np.array([u, u])
    mean, sd = mean_and_sd(found.model, both)
    variance = sd[0] ** 2 + _added(found, space, both).value[0] + _detail(found)
    return float(mean[0]), float(np.sqrt(variance))


def weighed(found: Fitted, space: Space, tried: Tried, U: Array) -> list[Evidence]:
    """The evidence for the best point tried and for each row of U (u, D)."""
    rows = np.vstack([found.observed[0].X[tried.row], U])
    more = _added(found, space, rows)
    mean, sd = mean_and_sd(found.model, rows)
    variance = sd**2 + more.value + np.append(tried.left, np.full(len(U), _detail(found)))
    sd, apart = np.sqrt(variance), np.sqrt(_apart(found, rows) + more.difference)
    best = (tried.mean, float(sd[0]))
    each = zip(mean[1:].tolist(), sd[1:].tolist(), apart[1:].tolist(), strict=True)
    return [Evidence((here, its), best, (tried.mean - here, doubt)) for here, its, doubt in each]


def on_the_way(found: Fitted, tried: Tried, u: Array) -> Array:
    """Points between the best one tried and u (D,), at equal steps (STEPS − 1, D).

    The difference of f to the point tried is known the better the shorter the step, and most of the gain comes early:
    f is flat where it is lowest. So there is often evidence for a part of the way, where there is none for u.
    """
    begin = found.observed[0].X[tried.row]
    return np.asarray(begin + np.arange(1, STEPS)[:, None] / STEPS * (u - begin))


def believed(found: Fitted, space: Space, U: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of f at the rows of U (u,), in the units of the model, as one may rely on them."""
    mean, sd = mean_and_sd(found.model, U)
    return mean, CAUTION * np.sqrt(sd**2 + _added(found, space, U).value + _detail(found))


def _detail(found: Fitted) -> float:
    """The variance of detail: what points measured again say of it; none where the noise is known."""
    if not np.isnan(found.known).any():
        return 0.0
    noise = _noise(found)
    usual = min(DETAIL * noise, MOST)
    seen = repeats(found.observed[0].X, found.observed[0].y, noise)
    return max(usual, seen.detail * noise) if seen.times else usual


def _noise(found: Fitted) -> float:
    return float(np.mean([post.noise for post in found.observed]))


def _added(found: Fitted, space: Space, U: Array) -> Added:
    """Draws of the hyperparameters already say what is unknown of them."""
    if len(found.observed) > 1:
        return Added(np.zeros(len(U)), np.zeros(len(U)))
    return added(found.observed[0], found.known, space.groups, U)


def _apart(found: Fitted, rows: Array) -> Array:
    """The variances of the differences of f to the first row (u,), under the mixture of posteriors."""
    means = np.array([post.mean(rows) for post in found.model])
    variances = []
    for post in found.model:
        to_first = post.cov(rows, rows[:1])[:, 0]
        variances.append(np.maximum(post.var(rows) + to_first[0] - 2.0 * to_first, 0.0))
    return np.asarray(np.mean(variances, axis=0) + np.var(means - means[:, :1], axis=0))
