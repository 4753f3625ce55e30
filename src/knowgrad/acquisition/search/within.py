"""The best point among those whose limits hold with a chance that is asked for: a penalty that grows.

score(x) + ρ (ln p − ln P(x))₊²,   p the chance asked for, P the chance at x
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtri

from knowgrad.acquisition.criteria.utility import Between, Utility
from knowgrad.acquisition.problem import Rows
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.search.surfaces import Surface, on_surfaces
from knowgrad.acquisition.target import Field
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

PENALTIES = (1e1, 1e3, 1e5)
STEPS = 25  # of a climb under each
OPTIONS = {"maxiter": 60, "ftol": 1e-12}
SLACK = 1e-9  # standard deviations by which the end of a search may break what it was to keep


def best_within(
    score: Field, utility: Utility, surfaces: Sequence[Surface], chance: float, U: Array, domain: Domain, scale: Array
) -> Array:
    """From the rows of U (u, D), each with its score: points of low score at which all limits hold with the chance."""
    least = float(np.log(chance + 0.1 * (1.0 - chance)))  # a little inside, so that the end of a climb is not outside

    for penalty in PENALTIES if utility.limits else (0.0,):

        def climbed(Z: Array, rows: Rows, penalty: float = penalty) -> tuple[Array, Array]:
            value, gradient = score(Z[:, 0], rows)
            if penalty:
                ln_p, slope = on_surfaces(surfaces, utility.log_chance, Z[:, 0], rows)
                short = np.maximum(least - ln_p, 0.0)
                value, gradient = value + penalty * short**2, gradient - 2.0 * penalty * short[:, None] * slope
            return -value, -gradient[:, None]

        U = climb(climbed, U[:, None], domain, scale, steps=STEPS, tol=1e-9)[0][:, 0]
    return U


def likeliest(utility: Utility, surfaces: Sequence[Surface], U: Array, domain: Domain, scale: Array) -> Array:
    """From the rows of U, points at which the limits are most likely to hold."""

    def climbed(Z: Array, rows: Rows) -> tuple[Array, Array]:
        ln_p, slope = on_surfaces(surfaces, utility.log_chance, Z[:, 0], rows)
        return ln_p, slope[:, None]

    return climb(climbed, U[:, None], domain, scale, steps=STEPS, tol=1e-9)[0][:, 0]


def along_limits(
    score: Field, utility: Utility, surfaces: Sequence[Surface], chance: float, u: Array, domain: Domain
) -> Array:
    """The point of low score to which SLSQP comes from u (D,); u itself where the domain is no box."""
    sides = [(each, side) for each in utility.limits for side in (1.0, -1.0) if np.isfinite(_end(each, side))]
    if not sides or not domain.is_unconstrained or not domain.continuous.all():
        return u
    kappa, first = float(ndtri(1.0 - (1.0 - chance) / len(sides))), np.zeros(1, dtype=np.intp)

    def room(x: Array, each: Between, side: float) -> tuple[float, Array]:
        surface = surfaces[each.outcome]
        assert surface.sd is not None
        (mean, slope), (sd, bend) = surface.mean(x[None], first), surface.sd(x[None])
        value = side * (_end(each, side) - mean[0]) - kappa * sd[0]
        return float(value), -side * slope[0] - kappa * bend[0]

    def scored(x: Array) -> tuple[float, Array]:
        value, slope = score(x[None], first)
        return float(value[0]), slope[0]

    rules = [
        {"type": "ineq", "fun": lambda x, s=each: room(x, *s)[0], "jac": lambda x, s=each: room(x, *s)[1]}
        for each in sides
    ]
    found = minimize(
        scored, u, jac=True, method="SLSQP", bounds=[(0.0, 1.0)] * len(u), constraints=rules, options=OPTIONS
    )
    x = np.clip(found.x, 0.0, 1.0)
    kept = all(room(x, *each)[0] >= -SLACK for each in sides)
    return x if kept and np.isfinite(x).all() else u


def _end(limit: Between, side: float) -> float:
    return limit.high if side > 0.0 else limit.low
