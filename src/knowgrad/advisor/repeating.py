"""Which point to measure again, so that noise and detail of f can be told apart.

The best result of a noisy search is luck if what was learned as noise is noise. If that is detail which the kernel
cannot follow, as on a measured surface with cliffs, the best result is the best point. Results of points that were
measured once fit both. A second measurement of the best one tells them apart (`model/repeats`), and says how good it
is. `docs/experiments-safeguards.md` has the comparison.
"""

from __future__ import annotations

import numpy as np

from knowgrad.acquisition.problem import PRECISE
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted
from knowgrad.model.repeats import averages, repeats
from knowgrad.space import Space

OPEN = (0.1, 0.9)  # the chance that it is detail: outside, it is as good as known
AHEAD = 0.5  # standard deviations of the noise by which a result is better than any mean
LOOKS = 2  # results of a point that are enough
EARLY = 3  # results for each parameter, and as many more: with fewer, better points are still to be found


def to_repeat(found: Fitted, space: Space) -> Array:
    """The point as a row (1, D), or no row."""
    (post, *_), n = found.observed, len(found.done)
    none = np.empty((0, space.dim))
    learned = bool(np.isnan(found.known).all()) and post.noise >= PRECISE
    if not learned or n < EARLY * (space.n_params + 1):
        return none
    if not OPEN[0] < repeats(post.X, post.y, post.noise).chance < OPEN[1]:
        return none
    average, which, counts = averages(post.X, post.y)
    results = average[which] if not space.reaches else np.where(space.holds(post.X), average[which], np.inf)
    best, means = int(np.argmin(results)), np.mean([each.mean(post.X) for each in found.model], axis=0)
    ahead = means.min() - results[best] > AHEAD * np.sqrt(post.noise)
    return post.X[[best]] if ahead and counts[which[best]] <= LOOKS else none
