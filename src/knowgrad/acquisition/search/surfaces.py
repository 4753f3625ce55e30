"""Where the utility of several outcomes is best: on the posterior, on sample paths, and after fantasised results.

All three are surfaces, one for each outcome: a mean, and a standard deviation where a limit asks for it. They are
climbed on the logarithm of the utility, which has a slope also where limits hardly ever hold.

    symbol   name    shape     meaning
    U        U       (u, D)    points, each with the surface (sample, path) and the direction it is climbed for
    λ        lam     (R, m)    the direction of each surface
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.utility import Utility, Worth
from knowgrad.acquisition.problem import Objective, Rows
from knowgrad.acquisition.search.discretize import fantasised
from knowgrad.acquisition.target import Field
from knowgrad.gp.joint import Joint
from knowgrad.gp.linalg import Array
from knowgrad.gp.paths import Paths
from knowgrad.gp.posterior import Posterior

TINY = 1e-300
SHARP = 0.01  # standard deviation, relative to that of all results, that a limit is softened by on a sample path
Spread = Callable[[Array], tuple[Array, Array]]  # U (u, D) -> s (u,) and its gradient (u, D)
Worthy = Callable[[list[Array], list[Array | None]], Worth]  # of means and standard deviations (u,)


class Surface(NamedTuple):
    """Of one outcome."""

    mean: Field
    sd: Spread | None


def uphill(utility: Utility, surfaces: Sequence[Surface], lam: Array) -> Objective:
    """ln u on every surface, in the form that `climb` takes; of several objectives with a smooth minimum."""

    def smooth(Z: Array, rows: Rows) -> tuple[Array, Array]:
        value, slope = on_surfaces(surfaces, lambda mu, sd: utility.log_smooth(mu, sd, lam[rows]), Z[:, 0], rows)
        return value, slope[:, None]

    def climbed(Z: Array, rows: Rows) -> tuple[Array, Array]:
        value, gradient = on_surfaces(surfaces, lambda mu, sd: utility.worth(mu, sd, lam[rows]), Z[:, 0], rows)
        u = np.maximum(value, TINY)
        return np.log(u), (gradient / u[:, None])[:, None]

    return climbed if utility.m == 1 else smooth


def on_surfaces(surfaces: Sequence[Surface], worth: Worthy, U: Array, rows: Rows) -> tuple[Array, Array]:
    """What is made of the surfaces at U (u,), and its gradient (u, D)."""
    means = [each.mean(U, rows) for each in surfaces]
    spreads = [None if each.sd is None else each.sd(U) for each in surfaces]
    found = worth([mean for mean, _ in means], [None if each is None else each[0] for each in spreads])
    gradient = np.zeros_like(U)
    for k, (mean, spread) in enumerate(zip(means, spreads, strict=True)):
        if (by := found.by_mean[k]) is not None:
            gradient += by[:, None] * mean[1]
        if (by := found.by_sd[k]) is not None and spread is not None:
            gradient += by[:, None] * spread[1]
    return found.value, gradient


def utilities(utility: Utility, mu: Sequence[Array], sd: Sequence[Array | None], lam: Array) -> Array:
    """u (d, u) of points for every direction lam (d, m); mu and sd (u,), or (d, u) where each direction has its own."""
    gains = utility.gains(mu)
    least = gains[0] / lam[:, :1]
    for k in range(1, utility.m):
        least = np.minimum(least, gains[k] / lam[:, k : k + 1])
    return np.asarray(utility.raised(least) * utility.chance(mu, sd))


def posterior_surfaces(utility: Utility, posteriors: Sequence[Posterior]) -> list[Surface]:
    """What is known now."""

    def mean(post: Posterior) -> Field:
        return lambda U, rows: post.mean_and_gradient(U)

    return [Surface(mean(post), known_sd(post) if k in utility.limited else None) for k, post in enumerate(posteriors)]


def widened(surfaces: Sequence[Surface], ratios: Array) -> list[Surface]:
    """The same with standard deviations that are so many times as large (K,)."""

    def times(sd: Spread, ratio: float) -> Spread:
        def wider(U: Array) -> tuple[Array, Array]:
            value, slope = sd(U)
            return ratio * value, ratio * slope

        return wider

    pairs = zip(surfaces, ratios, strict=True)
    return [Surface(each.mean, None if each.sd is None else times(each.sd, float(ratio))) for each, ratio in pairs]


def path_surfaces(utility: Utility, paths: Sequence[Paths]) -> list[Surface]:
    """What may be: one sample path of every outcome."""

    def soft(U: Array) -> tuple[Array, Array]:
        return np.full(len(U), SHARP), np.zeros_like(U)

    return [Surface(each.value_and_gradient, soft if k in utility.limited else None) for k, each in enumerate(paths)]


def fantasy_surfaces(utility: Utility, aheads: Sequence[Lookahead], z: Array, Zq: Array) -> list[Surface]:
    """What will be known after z (q, D), for every sample of Zq (K, N, r)."""
    return [_fantasy(ahead, z, Zq[k], k in utility.limited) for k, ahead in enumerate(aheads)]


def _fantasy(ahead: Lookahead, z: Array, Zq: Array, limited: bool) -> Surface:
    post, mean = ahead.posterior, fantasised(ahead, z, ahead.forward(z[None]), Zq)
    if not limited:
        return Surface(mean, None)
    W = np.vstack([ahead.pending, z])
    variance = ahead.noise(W)[0] + post.nugget + (0.0 if ahead.unseen is None else ahead.unseen)
    return Surface(mean, known_sd(post.condition(W, variance)))


def known_sd(post: Posterior) -> Spread:
    """The standard deviation of f, with its gradient."""
    joint = Joint(post, np.empty((0, post.X.shape[1])))

    def spread(U: Array) -> tuple[Array, Array]:
        seen = joint.forward(U[:, None])
        variance = seen.T[:, 0, 0]
        sd = np.sqrt(np.maximum(variance, post.nugget))
        T_bar = np.where(variance > post.nugget, 0.5 / sd, 0.0)[:, None, None]
        return sd, joint.vjp(seen, np.zeros_like(seen.mu), seen.E, T_bar)[:, 0]

    return spread
