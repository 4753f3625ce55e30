"""Which parameters matter: shares of the variance of the posterior mean, and what the length scales say.

    S_i = E[(μ(x) − μ(x with parameter i drawn anew))²] / (2 Var μ)        (Jansen's estimate of the total effect)

Over the whole box, constraints left aside, but for equalities: where these hold, over what they leave. Parameters that
act together are counted in each of them, so the shares may add up to more than one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from knowgrad.advisor.diagnose import length_scales
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.space import Space
from knowgrad.space.directions import block_of, moved

SAMPLES = 1_024


@dataclass(frozen=True, slots=True)
class Importance:
    """By parameter, the most important first. All shares are 0 if the posterior mean is flat."""

    names: tuple[str, ...]
    share: tuple[float, ...]
    relevance: tuple[float, ...]
    """1 − the correlation of two points a whole range apart."""


@one_thread
def importance(snapshot: Snapshot) -> Importance:
    """Of the model of all results so far."""
    model, space = snapshot.model.observed, snapshot.space
    rng = np.random.default_rng([snapshot.settings.seed, len(snapshot.trials), 6])
    shares = shares_of_mixed if space.rules.equalities.computed else variance_shares
    share = shares(lambda U: np.mean([post.mean(U) for post in model], axis=0), space, rng)
    scales = length_scales(space, model)
    order = np.argsort(-share, kind="stable")
    names = [space.seen[i] for i in order]
    relevance = tuple(scales[name].relevance for name in names)
    return Importance(tuple(names), tuple(float(share[i]) for i in order), relevance)


def variance_shares(f: Callable[[Array], Array], space: Space, rng: np.random.Generator, n: int = SAMPLES) -> Array:
    """The total effect of each parameter on f: points of the cube (n, D) -> values (n,)."""
    from scipy.stats import qmc

    d = space.n_params
    V = qmc.Sobol(2 * d, rng=rng).random(n)
    first = f(space.from_uniform(V[:, :d]))
    variance = float(np.var(first))
    if variance <= 1e-24:  # of standardised values: nothing but rounding
        return np.zeros(d)
    effects = []
    for i in range(d):
        other = V[:, :d].copy()
        other[:, i] = V[:, d + i]
        effects.append(float(np.mean((first - f(space.from_uniform(other))) ** 2)) / (2.0 * variance))
    return np.array(effects)


def shares_of_mixed(f: Callable[[Array], Array], space: Space, rng: np.random.Generator, n: int = SAMPLES) -> Array:
    """The same where equalities hold: inside them, and what a parameter gains or loses the others share."""
    U, other = space.sample(n, rng), space.sample(n, rng)
    first = f(U)
    variance, effects = float(np.var(first)), []
    for name in space.seen:
        moves, fine = moved(space, U, {name: block_of(space, name, other)})
        changes = (first[fine] - f(moves[fine])) ** 2
        effects.append(float(np.mean(changes)) / (2.0 * variance) if fine.any() and variance > 1e-24 else 0.0)
    return np.array(effects)
