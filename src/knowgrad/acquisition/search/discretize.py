"""The finite set A that stands for the whole domain inside q-KG (paper §5.3), and its refinement.

The paper draws A from the optima of posterior sample paths. Refining beats enlarging: for given z, the minimiser of
each fantasised mean is found by a few quasi-Newton steps and added to A (column generation), after which the finite
minimum is the continuous one to several digits.
"""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.criteria.lookahead import Forward, Lookahead
from knowgrad.acquisition.problem import Objective, Rows
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.target import Averaged, Field, Target, field_of, mean_of, variance_of
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.gp.paths import Paths
from knowgrad.gp.posterior import Model, Posterior
from knowgrad.space.domain import Domain

APART = 1e-3  # points of A nearer than this, in length scales, are one
SCREENED = 512  # rows from which on a bound says whose variance is needed
CLOSE = 1e-9  # confidence bounds nearer than this are told apart by rounding


def reach(posterior: Posterior) -> Array:
    """The length over which the posterior bends in each column: the length scale, at most half the cube."""
    return np.minimum(posterior.ell, 0.5)


def downhill(field: Field) -> Objective:
    """Functions to be minimised, each from one point, in the form that `climb` takes."""

    def climbed(Z: Array, rows: Rows) -> tuple[Array, Array]:
        value, gradient = field(Z[:, 0], rows)
        return -value, -gradient[:, None]

    return climbed


def model_mean(model: Model, target: Averaged | None = None) -> Field:
    """The average of μ^(n) over the posteriors: of f, or of the target."""

    def average(U: Array, rows: Rows) -> tuple[Array, Array]:
        parts = [post.mean_and_gradient(U) for post in model]
        return np.mean([v for v, _ in parts], axis=0), np.mean([g for _, g in parts], axis=0)

    return field_of(target, average)


def minima(
    model: Model,
    domain: Domain,
    spread: Array,
    target: Averaged | None = None,
    *,
    starts: int = 16,
    steps: int = 20,
    tol: float = 1e-6,
) -> Array:
    """Local minima of the model's mean, lowest first, from the best of the observed points and `spread`."""
    start = lowest(model, np.vstack([domain.within(model[0].X), spread]), starts, target, apart=0.3)
    scale = np.mean([reach(post) for post in model], axis=0)
    descend = downhill(model_mean(model, target))
    Z, value = climb(descend, start[:, None], domain, scale, steps=steps, tol=tol)
    return distinct(Z[np.argsort(-value, kind="stable"), 0], model[0].ell)


def lowest(model: Model, U: Array, size: int, target: Averaged | None = None, apart: float = 0.0) -> Array:
    """The rows of U with the lowest mean, no two of them within `apart` length scales."""
    order = np.argsort(np.mean([mean_of(target, post, U) for post in model], axis=0), kind="stable")
    if apart == 0.0:
        return U[order[:size]]
    U = U[order] / model[0].ell
    left = np.ones(len(U), bool)
    picked: list[int] = []
    while left.any() and len(picked) < size:
        picked.append(int(np.argmax(left)))
        left &= ((U - U[picked[-1]]) ** 2).sum(axis=1) > apart**2
    return np.asarray(U[picked] * model[0].ell)


def sampled_optima(
    posterior: Posterior, domain: Domain, spread: Array, M: int, rng: np.random.Generator, target: Target | None = None
) -> Array:
    """M draws of the minimiser under the posterior, each the refined best of `spread` ∪ X on its own path."""
    paths = Paths.draw(posterior, M, rng)
    U = np.vstack([spread, domain.within(posterior.X)])
    values = paths.values(U) if target is None else target.sum(paths.values(target.expand(U)))
    start = U[np.argmin(values, axis=1)]
    descend = downhill(field_of(target, paths.value_and_gradient))
    return climb(descend, start[:, None], domain, reach(posterior), steps=8, tol=1e-3)[0][:, 0]


def distinct(U: Array, ell: Array, apart: float = APART) -> Array:
    """Rows of U without those within `apart` length scales of an earlier one."""
    near = squared_distance(U / ell, U / ell) < apart**2
    return U[~np.tril(near, -1).any(axis=1)]


def lowest_lcb(posterior: Posterior, U: Array, size: int, target: Target | None = None) -> Array:
    """At most `size` rows of U: those with the lowest confidence bound μ − 2 s."""
    if len(U) <= size:
        return U
    rows = np.arange(len(U)) if target is not None or len(U) < SCREENED else _may_be_low(posterior, U, size)
    optimistic = mean_of(target, posterior, U[rows]) - 2.0 * np.sqrt(variance_of(target, posterior, U[rows]))
    return U[rows[np.sort(np.argsort(optimistic, kind="stable")[:size])]]


def _may_be_low(posterior: Posterior, U: Array, size: int) -> Rows:
    """The rows that can be among the `size` with the lowest μ − 2 s: others cannot even with the most that s can be.

    That is what the one observation that tells most about f at the row leaves open.
    """
    k, p = posterior.correlate(U, posterior.X)[0], posterior
    mean = p.m + p.s2 * (k @ p.alpha)
    k *= k
    k /= 1.0 + p.sigma2 / p.s2
    least = mean - 2.0 * np.sqrt(p.s2 * np.maximum(1.0 - k.max(axis=1), 0.0))
    first = np.argpartition(least, size)[:size]
    return np.flatnonzero(least <= np.max(mean[first] - 2.0 * np.sqrt(p.var(U[first]))) + CLOSE)


def fantasised(ahead: Lookahead, z: Array, fw: Forward, Zq: Array) -> Field:
    """The means μ^(n+q) of all samples after z (q, D), with gradients: rows says of which sample."""
    post = ahead.posterior
    centers, weights = ahead.fantasies(z, fw, Zq)

    def after(U: Array, rows: Rows) -> tuple[Array, Array]:
        value, gradient = post.kernel_sum(U, centers, weights[rows])
        return post.m + value, gradient

    return after


def fantasy_minima(ahead: Lookahead, z: Array, Zq: Array, domain: Domain, steps: int = 8) -> tuple[Array, Array]:
    """For batch z (q, D) and each sample: the minimiser of μ^(n+q) over the domain (N, D), and the minimum (N,).

    The search begins at the sample's winner in A_n, and ends there if it leads nowhere that can be recommended.
    """
    post, fw = ahead.posterior, ahead.forward(z[None])
    M = fw.mu[0] + Zq @ fw.sigma[0].T if ahead.draws is None else fw.means(Zq)[0]
    start = np.vstack([ahead.A, ahead.pending, z])[np.argmin(M, axis=1)]
    descend = downhill(field_of(ahead.target, fantasised(ahead, z, fw, Zq)))
    Z, value = climb(descend, start[:, None], domain, reach(post), steps=steps, tol=1e-4)
    return Z[:, 0], np.where(np.isfinite(value), -value, M.min(axis=1))
