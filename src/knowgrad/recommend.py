"""What to use now: the argmin of the posterior mean over the whole domain (paper Alg. 1), with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knowgrad.acquisition.base import Domain, Model
from knowgrad.acquisition.discretize import mean_and_gradient, minima
from knowgrad.acquisition.exchange import exchange
from knowgrad.acquisition.maximize import Rows
from knowgrad.acquisition.starts import common_scale
from knowgrad.gp.linalg import Array
from knowgrad.methods import resolve
from knowgrad.model import Fitted, chosen_fit, fitted, mean_and_sd
from knowgrad.space import Space
from knowgrad.threads import one_thread
from knowgrad.trial import Recommendation, Settings, Trial

STARTS = 32


@one_thread
def recommend(space: Space, trials: Sequence[Trial], settings: Settings) -> Recommendation:
    """The best point by posterior mean, in user units. At least one trial must be complete."""
    found = fitted(space, trials, settings, chosen_fit(settings, resolve(settings.method).fit))
    return answer(space, trials, settings, found)


def answer(space: Space, trials: Sequence[Trial], settings: Settings, found: Fitted) -> Recommendation:
    """The same from a model that is there already."""
    u = lowest_mean(found.model, found.safe, np.random.default_rng([settings.seed, len(trials), 3]))
    mean, sd = (float(each[0]) for each in mean_and_sd(found.model, u[None]))
    done = [trial for trial in trials if trial.state == "complete"]
    best = min(done, key=lambda trial: found.units.sign * (trial.value or 0.0))
    return Recommendation(space.decode(u), found.units.value(mean), found.units.deviation(mean, sd), len(done), best)


def lowest_mean(model: Model, domain: Domain, rng: np.random.Generator) -> Array:
    """The minimiser of the model's mean over the domain, snapped (D,)."""
    lows = minima(model, domain, domain.sample(512, rng), starts=STARTS, steps=100, tol=1e-12)
    lows = lows if domain.is_unconstrained or not (inside := domain.contains(lows)).any() else lows[inside]
    scale = common_scale(model)

    def climb(Z: Array, rows: Rows) -> tuple[Array, Array]:
        value, gradient = mean_and_gradient(model, Z[:, 0])
        return -value, -gradient[:, None]

    def value(Z: Array) -> Array:
        return climb(Z, np.arange(len(Z)))[0]

    finalists = np.stack([exchange(value, low[None], domain, scale, rng, sweeps=8, climb=climb) for low in lows[:4]])
    return np.asarray(finalists[np.argmax(value(finalists)), 0])
