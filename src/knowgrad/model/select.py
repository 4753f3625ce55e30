"""How to see the results: in which units, how smooth, and whether they are exact, by which predicts best."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.fit import Groups, Prior, few, fit
from knowgrad.gp.kernel import Kernel, matern32, matern52, matern72
from knowgrad.gp.linalg import Array
from knowgrad.gp.loo import better_half
from knowgrad.gp.posterior import Posterior
from knowgrad.model.scaling import Units
from knowgrad.model.warp import Bent, Logarithm, Straight

QUIET = 0.01  # noise variance, relative to that of all results, that leaves a function's smoothness to be seen
EVIDENCE = 5.0  # in log density, that results are exact though nobody said so, a matter of ratios, or kinked


class Way(NamedTuple):
    """To see results: in these units, as smooth as this, with noise of these sds (nan: to be learned)."""

    units: Units
    kernel: Kernel
    sd: Array


def learned(
    X: Array, values: Array, sd: Array, groups: Groups, direction: str, how: str
) -> tuple[Units, Kernel, Posterior]:
    """The way to see the results under which their better half is predicted best from all the others.

    Noise hides how smooth a function is, so only quiet results have the smoother kernel tried, and the rougher one if
    that is of no use. Where nobody knows the noise, quiet results may also turn out to be exact, and loud ones a matter
    of ratios. That, and kinks, take more evidence. The paper's maximum likelihood has one of each.
    """
    straight, bent, ratios = (Units.of(values, direction, curve.of) for curve in (Straight, Bent, Logarithm))
    if how == "mle":
        return straight, matern52, fit(X, straight.standardise(values), straight.variance(sd), groups)
    part, usual = few(straight.standardise(values)), Way(straight, matern52, sd)

    def tried(way: Way, at: NDArray[np.intp], near: Posterior | None = None) -> Posterior:
        y, known = way.units.standardise(values[at]), way.units.variance(way.sd[at], values[at])
        return fit(X[at], y, known, groups, Prior(), way.kernel, near)

    def density(way: Way, post: Posterior) -> float:
        half, each = better_half(post)
        unusual = way.sd is not sd or way.units is ratios or way.kernel is matern32
        return float((each + way.units.log_slope(values[part][half])).sum()) - EVIDENCE * unusual

    first = tried(usual, part)
    quiet, unknown = first.noise < QUIET, np.isnan(sd).all()
    kernels = (matern52, matern72) if quiet else (matern52,)
    noises = (sd, np.zeros_like(sd)) if quiet and unknown else (sd,)
    ways = [Way(*parts) for parts in product(dict.fromkeys((straight, bent)), kernels, noises)]
    choices = [(usual, first), *((way, tried(way, part, first)) for way in ways[1:])]
    by_ratios = Way(ratios, matern52, sd)
    if unknown and ratios != straight and (post := tried(by_ratios, part, first)).noise > QUIET:
        choices.append((by_ratios, post))
    way, post = max(choices, key=lambda choice: density(*choice))
    if quiet and way.kernel is matern52:
        rough = way._replace(kernel=matern32)
        way, post = max((way, post), (rough, tried(rough, part, post)), key=lambda choice: density(*choice))
    return way.units, way.kernel, post if len(part) == len(X) else tried(way, np.arange(len(X)), post)
