"""What to use now: the argmin of the posterior mean over the whole domain (paper Alg. 1), with its uncertainty.

Where results are exact the best of them is certain, and a mean that is a little lower elsewhere may only be a wrong
model's: the minimum of a mean is where its errors help it. So there a point never tried has to be better than the best
of those tried by more than three times its own standard deviation, unless that is negligible. The
comparison is in `docs/experiments.md`.
"""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted, mean_and_sd
from knowgrad.trial import Recommendation, best_of

SURE = 3.0  # standard deviations that a point never tried has to be better by
NEGLIGIBLE = 0.003  # standard deviation of f, relative to that of all results


@one_thread
def recommend(moment: Moment) -> Recommendation:
    """The best point by posterior mean, in user units. At least one trial must be complete."""
    found = moment.model
    u = lowest_mean(found.model, found.safe(moment.domain()), moment.rng(3))
    u = _surely_better(found, u) if found.exact_at(u[None]) else u
    mean, sd = (float(each[0]) for each in found.predict(u[None]))
    done = moment.complete
    return Recommendation(moment.space.decode(u), mean, sd, len(done), best_of(done, moment.settings.direction))


def _surely_better(found: Fitted, u: Array) -> Array:
    """u, or the best point tried if u is not surely better: that one did not fail, likely as it may be around it."""
    tried = found.observed[0].X
    best = tried[np.argmin(mean_and_sd(found.model, tried)[0])]
    (low, least), (sd, _) = mean_and_sd(found.model, np.array([u, best]))
    return best if low > least or (sd > NEGLIGIBLE and low + SURE * sd > least) else u
