"""What to use now, with its uncertainty: the best point tried, or one never tried where the evidence for it is better.

The paper recommends the argmin of the posterior mean over the whole domain (Alg. 1). The minimum of a mean is where its
errors help it: on a surface with cliffs and plateaus it is often worse than a point in hand. So a point that was never
tried has to be better than the best one in hand, and not only by what is unknown of the two (`evidence`).
`docs/calibration.md` has the comparison.
"""

from __future__ import annotations

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.evidence import weighed
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.threads import one_thread
from knowgrad.trial import Recommendation, best_of


@one_thread
def recommend(moment: Moment) -> Recommendation:
    """In user units. At least one trial must be complete."""
    found = moment.model
    u = lowest_mean(found.model, found.safe(moment.domain()), moment.rng(3))
    tried, evidence = weighed(found, moment.space, u)
    new = evidence.favours_untried() and not found.is_tried(u)
    mean, sd = evidence.untried if new else evidence.tried
    done = moment.complete
    return Recommendation(
        moment.space.decode(u) if new else dict(found.done[tried].params),
        found.units.value(mean),
        found.units.deviation(mean, sd),
        len(done),
        best_of(done, moment.settings.direction),
    )
