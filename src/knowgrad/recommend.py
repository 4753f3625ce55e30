"""What to use now: the argmin of the posterior mean over the whole domain (paper Alg. 1), with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knowgrad.acquisition.lowest import lowest_mean
from knowgrad.methods import resolve
from knowgrad.model import Fitted, chosen_fit, fitted, mean_and_sd
from knowgrad.space import Space
from knowgrad.threads import one_thread
from knowgrad.trial import Recommendation, Settings, Trial


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
