"""How to see the results: in which units, how smooth, and whether they are exact, by which predicts best.

Tried are the results as they are and warped. Noise hides how smooth a function is, so the smoother kernel is tried only
where there is little noise, and the rougher one where the smoother one did not win. Where the noise is not known,
results with little noise are also tried as exact, and results with much noise on a logarithmic scale. Exact results,
the logarithm and the rougher kernel have to win by a log-density margin.

Of an outcome that has limits and is no objective, the half of the results nearest to these counts, in place of the
better half. The warp is one around them. Where results are exact it is the usual way, and all others need the margin;
noise is bent too, so with noise it is the warp that needs it. Exact results are also tried with noise: for detail such
as steps a kernel would be so rough that it saw no more where a limit ends.

Options with descriptors are also tried without effects of their own, which has to win by the margin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.fit import USUAL, Effort, fit, small_subset
from knowgrad.gp.kernel import Choices, Kernel, matern32, matern52, matern72, with_effects
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import Array
from knowgrad.gp.loo import that_matters
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior
from knowgrad.model.scaling import Units
from knowgrad.model.warp import AsinhWarp, EdgeWarp, Identity, LogWarp

QUIET = 0.01  # noise variance, relative to that of all results, that leaves a function's smoothness to be seen
MARGIN = 5.0  # in log density, by which exact results (not declared), ratios and a rough kernel have to predict better


class Way(NamedTuple):
    """To see results: in these units, as smooth as this, with noise of these sds (nan: to be learned)."""

    units: Units
    kernel: Kernel
    sd: Array


class Kind(NamedTuple):
    """What is known of the results beforehand."""

    linear: bool = False
    """They stay unwarped: an average of f is to be found, and the average of a warped f is another."""
    parameters: int | None = None
    """How many there are, if some have several length scales."""
    kin: bool = False
    """They are of several fidelities or sources, whose differences are often in proportion."""
    choices: Choices = ()
    """Parameters whose options have effects of their own."""
    described: Choices = ()
    """Those of them with descriptors, which may say all that there is to say of an option."""
    curves: bool = False
    """Some are steps of one curve, so much alike that noise would pass for detail: exact results have to be said."""
    limits: tuple[float, ...] = ()
    """Of an outcome that is no objective."""
    effort: Effort = USUAL
    """How much is done to find hyperparameters."""


def n_parameters(kind: Kind, groups: Groups) -> int:
    return int(groups.max()) + 1 if kind.parameters is None else kind.parameters


class Seen(NamedTuple):
    """A way, the posterior it gives, and how well that predicts."""

    way: Way
    post: Posterior
    density: float


@dataclass(frozen=True, eq=False)
class Results:
    """Values (n,) at X (n, D) with noise sd (n,) or nan."""

    X: Array
    values: Array
    sd: Array
    groups: Groups
    kind: Kind

    def fitted(self, way: Way, at: NDArray[np.intp], near: Posterior | None = None) -> Posterior:
        y, known = way.units.standardise(self.values[at]), way.units.variance(way.sd[at], self.values[at])
        kernel = with_effects(way.kernel, self.kind.choices, n_parameters(self.kind, self.groups))
        return fit(self.X[at], y, known, self.groups, Prior(), kernel, near, self.kind.effort)

    def density(self, way: Way, post: Posterior, at: NDArray[np.intp]) -> float:
        """Of what matters of the results, given all the others."""
        half, each = that_matters(post, way.units.standardise(np.array(self.kind.limits)))
        return float((each + way.units.log_slope(self.values[at][half])).sum())


def learned(
    X: Array, values: Array, sd: Array, groups: Groups, direction: str, how: str, kind: Kind | None = None
) -> tuple[Units, Kernel, Posterior]:
    """The way to see the results under which their better half is predicted best from all the others.

    Maximum likelihood ("mle", as in the paper) tries nothing: unwarped results and the Matérn kernel of order 5/2.
    """
    kind, plain = kind or Kind(), Units.of(values, direction, Identity.of)
    if how == "mle":
        return plain, matern52, fit(X, plain.standardise(values), plain.variance(sd), groups)
    results = Results(X, values, sd, groups, kind)
    part = small_subset(plain.standardise(values), kind.effort.first)
    if kind.limits:
        around = plain if kind.linear else Units.of(values, direction, EdgeWarp.of, np.array(kind.limits))
        best = _limited(results, part, plain, around)
    else:
        bent = [plain if kind.linear else Units.of(values, direction, each.of) for each in (AsinhWarp, LogWarp)]
        best = _objective(results, part, plain, *bent)
    if kind.described:
        results, best = _described(results, part, best)
    way, post, _ = best
    post = post if len(part) == len(X) else results.fitted(way, np.arange(len(X)), post)
    return way.units, post.kernel, post


def _objective(results: Results, part: NDArray[np.intp], plain: Units, warped: Units, ratios: Units) -> Seen:
    """Of fidelities and sources the logarithm is always tried, and it is the others that need the margin."""
    sd, kin = results.sd, results.kind.kin

    def seen(way: Way, post: Posterior) -> Seen:
        unusual = way.sd is not sd or (way.units is ratios) != (kin and ratios != plain) or way.kernel is matern32
        return Seen(way, post, results.density(way, post, part) - MARGIN * unusual)

    usual = Way(plain, matern52, sd)
    first = results.fitted(usual, part)
    quiet, unknown = first.noise < QUIET, np.isnan(sd).all()
    noises = (sd, np.zeros_like(sd)) if quiet and unknown and not results.kind.curves else (sd,)
    ways = _ways((plain, warped), quiet, noises)
    choices = [seen(usual, first), *(seen(way, results.fitted(way, part, first)) for way in ways[1:])]
    by_ratios = Way(ratios, matern52, sd)
    if (unknown or kin) and ratios != plain and ((post := results.fitted(by_ratios, part, first)).noise > QUIET or kin):
        choices.append(seen(by_ratios, post))
    best = _best(choices)
    if quiet and best.way.kernel is matern52:
        rough = best.way._replace(kernel=matern32)
        best = _best([best, seen(rough, results.fitted(rough, part, best.post))])
    return best


def _limited(results: Results, part: NDArray[np.intp], plain: Units, warped: Units) -> Seen:
    """Of an outcome that has limits and is no objective."""
    sd, usual = results.sd, Way(plain, matern52, results.sd)
    first = results.fitted(usual, part)
    quiet, unknown, exact = first.noise < QUIET, np.isnan(sd).all(), not sd.any()

    def seen(way: Way, post: Posterior) -> Seen:
        unusual = way.sd is not sd or way.kernel is matern32 or way.units is not (warped if exact else plain)
        return Seen(way, post, results.density(way, post, part) - MARGIN * unusual)

    noises = (sd, np.zeros_like(sd)) if quiet and unknown else (sd,)
    ways = _ways((plain, warped), quiet, noises)
    best = _best([seen(usual, first), *(seen(way, results.fitted(way, part, first)) for way in ways[1:])])
    others = [best.way._replace(kernel=matern32)] if quiet and best.way.kernel is matern52 else []
    if exact:
        others += [Way(units, matern52, np.full_like(sd, np.nan)) for units in dict.fromkeys((plain, warped))]
    return _best([best, *(seen(way, results.fitted(way, part, first)) for way in others)])


def _described(results: Results, part: NDArray[np.intp], best: Seen) -> tuple[Results, Seen]:
    """Descriptors alone have to win by the margin."""
    left = tuple(columns for columns in results.kind.choices if columns not in results.kind.described)
    bare = replace(results, kind=results.kind._replace(choices=left))
    post = bare.fitted(best.way, part, best.post)
    better = bare.density(best.way, post, part) > results.density(best.way, best.post, part) + MARGIN
    return (bare, best._replace(post=post)) if better else (results, best)


def _ways(units: Iterable[Units], quiet: bool, noises: tuple[Array, ...]) -> list[Way]:
    """All that may be together; the usual one comes first."""
    kernels = (matern52, matern72) if quiet else (matern52,)
    return [Way(*parts) for parts in product(dict.fromkeys(units), kernels, noises)]


def _best(choices: list[Seen]) -> Seen:
    return max(choices, key=lambda choice: choice.density)
