"""How to see the results: in which units, how smooth, and whether they are exact, by which predicts best."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.fit import fit, small_subset
from knowgrad.gp.kernel import Choices, Kernel, matern32, matern52, matern72, with_effects
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import Array
from knowgrad.gp.loo import better_half
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior
from knowgrad.model.scaling import Units
from knowgrad.model.warp import AsinhWarp, Identity, LogWarp

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
    kin: bool = False
    """They are of several fidelities or sources, whose differences are often in proportion."""
    choices: Choices = ()
    """Parameters whose options have effects of their own."""


def learned(
    X: Array, values: Array, sd: Array, groups: Groups, direction: str, how: str, kind: Kind | None = None
) -> tuple[Units, Kernel, Posterior]:
    """The way to see the results under which their better half is predicted best from all the others.

    Tried are the results as they are and warped. Noise hides how smooth a function is, so the smoother kernel is tried
    only where there is little noise, and the rougher one where the smoother one did not win. Where the noise is not
    known, results with little noise are also tried as exact, and results with much noise on a logarithmic scale. Exact
    results, the logarithm and the rougher kernel have to win by a log-density margin. Maximum likelihood ("mle", as in
    the paper) tries nothing: unwarped results and the Matérn kernel of order 5/2. Of fidelities and sources the
    logarithm is always tried, and it is the others that need the margin.
    """
    linear, kin, choices = kind or Kind()
    plain, warped, ratios = (Units.of(values, direction, warp.of) for warp in (Identity, AsinhWarp, LogWarp))
    if linear:
        warped = ratios = plain
    if how == "mle":
        return plain, matern52, fit(X, plain.standardise(values), plain.variance(sd), groups)
    part, usual = small_subset(plain.standardise(values)), Way(plain, matern52, sd)

    def tried(way: Way, at: NDArray[np.intp], near: Posterior | None = None) -> Posterior:
        y, known = way.units.standardise(values[at]), way.units.variance(way.sd[at], values[at])
        return fit(X[at], y, known, groups, Prior(), with_effects(way.kernel, choices, int(groups.max()) + 1), near)

    def density(way: Way, post: Posterior) -> float:
        half, each = better_half(post)
        unusual = way.sd is not sd or (way.units is ratios) != (kin and ratios != plain) or way.kernel is matern32
        return float((each + way.units.log_slope(values[part][half])).sum()) - MARGIN * unusual

    first = tried(usual, part)
    quiet, unknown = first.noise < QUIET, np.isnan(sd).all()
    kernels = (matern52, matern72) if quiet else (matern52,)
    noises = (sd, np.zeros_like(sd)) if quiet and unknown else (sd,)
    ways = [Way(*parts) for parts in product(dict.fromkeys((plain, warped)), kernels, noises)]
    found = [(usual, first), *((way, tried(way, part, first)) for way in ways[1:])]
    by_ratios = Way(ratios, matern52, sd)
    if (unknown or kin) and ratios != plain and ((post := tried(by_ratios, part, first)).noise > QUIET or kin):
        found.append((by_ratios, post))
    way, post = max(found, key=lambda choice: density(*choice))
    if quiet and way.kernel is matern52:
        rough = way._replace(kernel=matern32)
        way, post = max((way, post), (rough, tried(rough, part, post)), key=lambda choice: density(*choice))
    post = post if len(part) == len(X) else tried(way, np.arange(len(X)), post)
    return way.units, post.kernel, post
