"""The front: what can be had of several objectives, by their posterior means, with the points to have it at.

It is searched for in two steps: up to the worst that was tried, to see how far it extends, then evenly over that
extent. Where there are limits, its points keep them with the chance asked for. What was measured exactly stays on the
front unless another point is surely better: means at points never tried are sometimes too good to be true.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.hypervolume import hypervolume, nondominated, reference_point
from knowgrad.acquisition.criteria.utility import Between, Utility, directions
from knowgrad.acquisition.problem import Rows
from knowgrad.acquisition.search.discretize import reach
from knowgrad.acquisition.search.optima import current_optima
from knowgrad.acquisition.search.surfaces import on_surfaces, posterior_surfaces
from knowgrad.acquisition.search.within import best_within
from knowgrad.acquisition.target import Field
from knowgrad.advisor.about import about
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.several.beliefs import Beliefs
from knowgrad.advisor.several.parts import Parts, informative
from knowgrad.advisor.several.wishes import betweens, up_to, widest
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.outcomes import Front, FrontPoint
from knowgrad.space import Params
from knowgrad.space.domain import Domain
from knowgrad.trial import sign_of

DIRECTIONS = 256, 1024  # for two objectives, and for more
SPREAD = 512  # points of the domain that a search begins from
APART = 0.005  # of the front's extent: points that differ by less in every objective are one
ONLY = 1e-3  # of the other objectives, in a direction that asks for one
SURE = 3.0  # standard deviations by which a mean has to be better than an exact result


@one_thread
def front_of(moment: Moment, parts: Parts, chance: float, given: Params | None = None) -> Front:
    """At least one result of every outcome is needed; `given` are values that its points are to have."""
    parts.check_results("front")
    subject = about(moment, given)
    where = subject.domain(moment)
    parts = parts.within(subject, where)
    domain, rng = parts.first.model.safe(where), moment.rng(3)
    limits = betweens(parts, parts.limits)
    spread = np.vstack([parts.tried, domain.sample(SPREAD, rng)])
    U = front_points(parts, limits, domain, spread, chance, rng)
    beliefs = Beliefs.at(parts, U)
    likely = beliefs.chance(*parts.limits)
    keep = likely >= (chance if (likely >= chance).any() else float(likely.max()))
    U, Y = U[keep], parts.turned(U[keep])
    order = _thinned(Y, compromises(Y, beliefs.deviations()[keep], known_exactly(parts, U)))
    beliefs, likely = Beliefs.at(parts, U[order]), likely[keep][order]
    reference, _ = reference_point(Y)
    points = []
    for i, u in enumerate(U[order]):
        values = beliefs.values(i)
        means, sds = ({name: pair[j] for name, pair in values.items()} for j in (0, 1))
        held = float(likely[i]) if parts.limits else None
        points.append(FrontPoint(dict(moment.space.decode(u)), means, sds, held))
    objectives, signs = moment.settings.objectives, [sign_of(way) for _, way in moment.settings.objectives]
    corner = {name: sign * float(r) for (name, _), sign, r in zip(objectives, signs, reference, strict=True)}
    volume = hypervolume(Y[order], reference)
    return Front(tuple(points), objectives, volume, corner, informative(moment))


def front_points(
    parts: Parts, limits: Sequence[Between], domain: Domain, spread: Array, chance: float, rng: np.random.Generator
) -> Array:
    """Tried points, and the best for each of many directions (n, D)."""
    m = len(parts.objectives)
    lam = directions(m, 32, rng)
    lam = np.vstack([lam, np.where(np.eye(m) > 0.0, 1.0, ONLY)])
    rough = _optima(parts, widest(parts, limits), domain, spread, chance, lam)
    U = np.vstack([parts.tried, rough])
    likely = Beliefs.at(parts, U).chance(*parts.limits)
    Y = parts.turned(U[likely >= min(chance, float(likely.max()))])
    narrow = up_to(parts, limits, *reference_point(Y))
    lam = directions(m, DIRECTIONS[m > 2], rng)
    fine = _optima(parts, narrow, domain, np.vstack([spread, rough]), chance, lam)
    return np.unique(np.vstack([U, fine]), axis=0)


def _optima(parts: Parts, utility: Utility, domain: Domain, spread: Array, chance: float, lam: Array) -> Array:
    """For each direction the point of greatest utility at which the limits hold with the chance."""
    posteriors = [fit.model[0] for fit in parts.fits]
    start = current_optima(utility, posteriors, domain, spread, lam, steps=30)
    if utility.limits:
        surfaces = posterior_surfaces(utility, posteriors)
        scale = np.mean([reach(post) for post in posteriors], axis=0)
        start = best_within(least_share(utility, parts, lam), utility, surfaces, chance, start, domain, scale)
    start = domain.snap(start)
    return start if domain.is_unconstrained else start[domain.contains(start)]


def least_share(utility: Utility, parts: Parts, lam: Array) -> Field:
    """What is minimised for each direction: minus the least share of what it asks for."""
    free = Utility(utility.outcomes, utility.objectives)
    surfaces = posterior_surfaces(free, [fit.model[0] for fit in parts.fits])

    def score(U: Array, rows: Rows) -> tuple[Array, Array]:
        u, gradient = on_surfaces(surfaces, lambda mu, sd: free.worth(mu, sd, lam[rows]), U, rows)
        share = np.maximum(u, 1e-300) ** (1.0 / free.m)
        return -share, -gradient * (share / (free.m * np.maximum(u, 1e-300)))[:, None]

    return score


def known_exactly(parts: Parts, U: Array) -> NDArray[np.bool_]:
    """At which rows of U all objectives were measured without noise."""
    fits = [parts.each[name].model for name in parts.objectives]
    if not all(fit.exact_at(U) for fit in fits):
        return np.zeros(len(U), bool)
    measured = [{x.tobytes() for x in fit.observed[0].X} for fit in fits]
    return np.array([all(u.tobytes() in each for each in measured) for u in U], dtype=bool)


def compromises(Y: Array, sd: Array, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which rows of Y no other row beats; and known ones that none beats by three standard deviations of its own."""
    found, rows, worst = nondominated(Y), np.flatnonzero(known), Y + SURE * sd * ~known[:, None]
    rows, rivals = rows[nondominated(Y[rows])], worst[nondominated(worst)]
    beaten = (rivals <= Y[rows, None]).all(axis=2) & (rivals < Y[rows, None]).any(axis=2)
    found[rows] |= ~np.any(beaten, axis=1)
    return found


def _thinned(Y: Array, compromise: NDArray[np.bool_]) -> list[int]:
    """These rows in the order of the first objective, without those that hardly differ from another."""
    front = np.flatnonzero(compromise)
    extent = np.maximum(np.ptp(Y[front], axis=0), 1e-300)
    kept: list[int] = []
    order = front[np.lexsort(Y[front].T[::-1])]
    ends = {int(front[np.argmin(Y[front, k])]) for k in range(Y.shape[1])}
    for i in [*sorted(ends), *order]:
        if all((np.abs(Y[i] - Y[j]) > APART * extent).any() for j in kept):
            kept.append(int(i))
    return sorted(kept, key=lambda i: tuple(Y[i]))
