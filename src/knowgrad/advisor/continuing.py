"""Is the rest of a run worth its cost? What it would tell, per cost, against the best other use of the worker.

    max_s KG(x, s) / (c(x, s) − c(x, s₀))   against   max_z KG(z) / c(z)

s₀ is where the run stands, s the fidelities between there and where it was to end, KG the exact knowledge gradient of
one more measurement, given what else is running. What was spent so far is spent. Among the other uses are runs that
were paused (`resuming`). Both sides are estimates, and a run that is stopped cannot be had back for its rest, so a near
tie goes on: the other use has to be worth more by a margin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.search.sequential import one_point_kg, sequential_kg
from knowgrad.advisor.about import about
from knowgrad.advisor.earlier import HERE, extended
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.prices import prices
from knowgrad.advisor.resuming import paused_runs, rest_of_run
from knowgrad.advisor.threads import one_thread
from knowgrad.advisor.verifying import VERIFIED
from knowgrad.model.price import Flat
from knowgrad.space import Params
from knowgrad.space.looks.fidelity import traced_parameter
from knowgrad.trial import Trial

MARGIN = 1.1  # times what the rest is worth, which the other use has to exceed


@dataclass(frozen=True)
class Continuing:
    """What the rest of a run is worth, and the best other use of its worker, both per cost and in user units."""

    rest: float
    other: float

    @property
    def is_worth_it(self) -> bool:
        return MARGIN * self.rest >= self.other

    def __str__(self) -> str:
        than = "less than" if not self.is_worth_it else "as much as" if self.rest >= self.other else "about as much as"
        return f"its rest is worth {self.rest:.3g} per cost, {than} another point, {self.other:.3g}"


@one_thread
def continuing(moment: Moment, trial: Trial, given: Params | None = None) -> Continuing | None:
    """None where nothing speaks against going on: no report, no result yet, or a trial of the start.

    `given`: values that any other point would have.
    """
    if not trial.curve or trial.source in ("start", "queue", VERIFIED) or not moment.complete:
        return None
    if moment.settings.earlier:
        return continuing(extended(moment), replace(trial, params={**trial.params, **HERE}), {**(given or {}), **HERE})
    subject = about(moment, given)
    domain, found = subject.domain(moment), moment.model
    others = [t.state == "pending" and t.number != trial.number for t in moment.trials]
    model = believe(found.model, found.noise, moment.data.points[others])
    costs = prices(moment, domain)
    asked = Question(model, found.noise, found.searched(domain), moment.data.points[:0], 1, True, target=subject.target)
    sets, candidates = QKG().prepare(asked, moment.rng(7))
    priced = asked if costs is None else replace(asked, cost=costs.searched)
    best = sequential_kg(priced, sets, candidates, moment.rng(8))[0]
    cost = costs.cost if costs else Flat()
    kg = one_point_kg(asked, sets, model)
    other = float(kg.value(best[None])[0]) / float(cost.value(best).sum())
    other = max([other, *(each.best(kg)[0] for each in paused_runs(moment, cost))])
    here, end = trial.curve[-1][0], trial.params[traced_parameter(moment.space)]
    rest = rest_of_run(moment, trial, here, end, cost).best(kg)[0]
    return Continuing(found.units.difference(rest), found.units.difference(other))
