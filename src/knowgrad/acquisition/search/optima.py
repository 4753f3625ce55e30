"""Points of greatest utility where several outcomes count: on the posterior, and on sample paths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.search.discretize import reach
from knowgrad.acquisition.search.surfaces import SHARP, path_surfaces, posterior_surfaces, uphill, utilities
from knowgrad.gp.linalg import Array
from knowgrad.gp.paths import Paths
from knowgrad.gp.posterior import Posterior
from knowgrad.space.domain import Domain


def current_optima(
    utility: Utility,
    posteriors: Sequence[Posterior],
    domain: Domain,
    pool: Array,
    lam: Array,
    *,
    steps: int = 15,
) -> Array:
    """The points of greatest utility on the posterior, one for each direction (d, D), from the best of the pool.

    Where all directions are the same, as with one objective, from the best that are apart; the best comes first.
    """
    mu = [post.mean(pool) for post in posteriors]
    sd = [np.sqrt(post.var(pool)) if k in utility.limited else None for k, post in enumerate(posteriors)]
    if (lam == lam[0]).all():
        start = _apart(pool, utilities(utility, mu, sd, lam[:1])[0], posteriors[0].ell, len(lam))
        lam = lam[: len(start)]
    else:
        start = pool[np.argmax(utilities(utility, mu, sd, lam), axis=1)]
    climbed = uphill(utility, posterior_surfaces(utility, posteriors), lam)
    scale = np.mean([reach(post) for post in posteriors], axis=0)
    Z, value = climb(climbed, start[:, None], domain, scale, steps=steps, tol=1e-6)
    if not (lam == lam[0]).all():
        return Z[:, 0]
    Z = Z[np.argsort(-value, kind="stable")]
    return np.asarray(Z[:, 0])


def sampled_optima(
    utility: Utility, posteriors: Sequence[Posterior], domain: Domain, pool: Array, M: int, rng: np.random.Generator
) -> Array:
    """M draws of the point of greatest utility, each on its own sample paths and for its own direction."""
    paths = [Paths.draw(post, M, rng) for post in posteriors]
    lam = utility.directions(1 << (M - 1).bit_length(), rng)[:M]
    soft = np.full((1, 1), SHARP)
    u = utilities(utility, [each.values(pool) for each in paths], [soft] * utility.outcomes, lam)
    start = pool[np.argmax(u, axis=1)]
    climbed = uphill(utility, path_surfaces(utility, paths), lam)
    scale = np.mean([reach(post) for post in posteriors], axis=0)
    return climb(climbed, start[:, None], domain, scale, steps=8, tol=1e-3)[0][:, 0]


def winning(utility: Utility, posteriors: Sequence[Posterior], U: Array, lam: Array) -> NDArray[np.intp]:
    """The rows of U that are best for some direction; of one objective, the best sixteen."""
    mu = [post.mean(U) for post in posteriors]
    sd = [np.sqrt(post.var(U)) if k in utility.limited else None for k, post in enumerate(posteriors)]
    u = utilities(utility, mu, sd, lam)
    return np.argsort(-u[0], kind="stable")[:16] if utility.m == 1 else np.unique(np.argmax(u, axis=1))


def _apart(U: Array, u: Array, ell: Array, size: int, apart: float = 0.3) -> Array:
    """At most `size` rows of U of greatest u, no two of them within `apart` length scales."""
    V = U[np.argsort(-u, kind="stable")]
    left = np.ones(len(V), bool)
    picked: list[int] = []
    while left.any() and len(picked) < size:
        picked.append(int(np.argmax(left)))
        left &= (((V - V[picked[-1]]) / ell) ** 2).sum(axis=1) > apart**2
    return np.asarray(V[picked])
