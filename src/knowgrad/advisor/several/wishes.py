"""What is wanted of the outcomes, in the units of their models: limits, and a utility with a learned reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knowgrad.acquisition.criteria.hypervolume import along_rays, reference_point, worth_having
from knowgrad.acquisition.criteria.utility import Between, Curve, Objective, Utility, directions
from knowgrad.acquisition.search.optima import current_optima
from knowgrad.advisor.several.parts import Parts
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted, mean_and_sd
from knowgrad.model.scaling import Units
from knowgrad.outcomes import Limit
from knowgrad.space.domain import Domain

SURE = 6.0  # standard deviations by which a limit holds wherever one looks: it cannot bind
ROUGH = 32, 128  # directions in which the front is searched for, to see how far it extends: of two objectives, of more
RAYS = 256  # that its extent is seen along, of more than two
SOFT = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0)  # standard deviations by which limits are softened, as far as needed,
HOPE = 0.05  # until something keeps them with this chance
LIKELY = 0.5  # chance of keeping the limits with which a point counts for the front


def betweens(parts: Parts, limits: Sequence[Limit]) -> tuple[Between, ...]:
    """Limits in the units of the models, one for each outcome that has any."""
    found: dict[int, Between] = {}
    for limit in limits:
        k, units = parts.place(limit.outcome), parts.each[limit.outcome].model.units
        t = float(units.standardise(np.array([limit.bound]))[0])
        old = found.get(k, Between(k))
        if limit.sign == units.sign:
            found[k] = old._replace(high=min(old.high, t))
        else:
            found[k] = old._replace(low=max(old.low, t))
    return tuple(found.values())


def binding(parts: Parts, limits: Sequence[Between], U: Array) -> tuple[Between, ...]:
    """The limits that might be broken: at the rows of U, or anywhere before a result was known."""
    kept = []
    for limit in limits:
        model = parts.fits[limit.outcome].model
        mean, sd = mean_and_sd(model, U)
        mean, sd = np.append(mean, [post.m for post in model]), np.append(sd, [np.sqrt(post.s2) for post in model])
        room = np.minimum(limit.high - mean, mean - limit.low)
        if np.min(room - SURE * sd) < 0.0:
            kept.append(limit)
    return tuple(kept)


def utility_of(parts: Parts, limits: Sequence[Between], domain: Domain, spread: Array) -> Utility:
    """What points are worth: of one objective in the units of its model, of several in shares of the front's extent.

    The reference point is learned. It begins at the worst that was tried, and then lies just beyond the front of the
    posterior means, which is searched for from `spread`. Of more than two objectives its extent is seen along rays, and
    so are the shares.
    """
    limits = softened(parts, limits, spread)
    wide = widest(parts, limits)
    if wide.m == 1:
        return wide
    more = wide.m > 2
    lam = directions(wide.m, ROUGH[more], np.random.default_rng(0))
    posteriors, tried = [fit.model[0] for fit in parts.fits], parts.tried
    best = current_optima(wide, posteriors, domain, np.vstack([tried, spread]), lam, steps=8)
    U = np.vstack([tried, best, spread] if more else [tried, best])
    chance = likely(wide, parts.fits, U)
    U = U[chance >= min(LIKELY, float(chance.max()))]
    Y = parts.turned(U)
    Y = Y[worth_having(Y, parts.deviations(U))]
    if more:
        Y = Y[along_rays(Y, directions(wide.m, RAYS, np.random.default_rng(1)))]
    found = up_to(parts, limits, *reference_point(Y))
    return found.along_rays() if more else found


def softened(parts: Parts, limits: Sequence[Between], spread: Array) -> tuple[Between, ...]:
    """The limits, softened until there is something that may keep them: else nothing could be gained anywhere."""
    U, found = np.vstack([parts.tried, spread]), tuple(limits)
    for soft in SOFT if limits else ():
        found = tuple(limit._replace(soft=soft) for limit in limits)
        if likely(Utility(len(parts.names), (), found), parts.fits, U).max() >= HOPE:
            break
    return found


def widest(parts: Parts, limits: Sequence[Between]) -> Utility:
    """With the worst that was tried for a reference point."""
    if len(parts.objectives) == 1:
        return up_to(parts, limits, np.max(parts.first.model.model[0].mean(parts.tried), keepdims=True), np.ones(1))
    Y = parts.turned(parts.tried)
    return up_to(parts, limits, Y.max(axis=0), np.maximum(np.ptp(Y, axis=0), 1e-12))


def up_to(parts: Parts, limits: Sequence[Between], reference: Array, extent: Array) -> Utility:
    """With this reference point, in shares of the extent."""
    fits, places = parts.fits, [parts.place(name) for name in parts.objectives]
    if len(places) == 1:
        return Utility(len(fits), (Objective(places[0], same, float(reference[0])),), tuple(limits))
    objectives = [
        Objective(k, curve(fits[k].units, float(unit)), float(worst / unit), float(unit))
        for k, worst, unit in zip(places, reference, extent, strict=True)
    ]
    return Utility(len(fits), tuple(objectives), tuple(limits))


def likely(utility: Utility, fits: Sequence[Fitted], U: Array) -> Array:
    """The chance that all limits hold at the rows of U."""
    moments = [mean_and_sd(fit.model, U) for fit in fits]
    chance = utility.chance([mean for mean, _ in moments], [np.maximum(sd, 1e-9) for _, sd in moments])
    return np.broadcast_to(chance, len(U))


def same(mu: Array) -> tuple[Array, Array]:
    """The units of the model themselves."""
    return mu, np.ones_like(mu)


def curve(units: Units, extent: float) -> Curve:
    """From the units of a model to shares of the front's extent."""

    def turned(mu: Array) -> tuple[Array, Array]:
        value, slope = units.turned(mu)
        return value / extent, slope / extent

    return turned
