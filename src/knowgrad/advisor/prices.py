"""What measurements of a study cost: what its user says, or what its trials have cost.

A cost that is the same everywhere decides nothing: then the search is that of a study without costs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.problem import Cost
from knowgrad.acquisition.target import Target
from knowgrad.advisor.moment import Moment
from knowgrad.gp.linalg import Array
from knowgrad.model.price import SAME, Flat, GradedPrice, LearnedPrice, PriceFunction
from knowgrad.space import graded
from knowgrad.space.domain import Domain

LEAST = 1e-9  # of what a whole run costs: its rest costs no less
NEARLY = 1.1  # times what a look costs, for which one at the target is taken in its place
PROBES = 64  # points at which a cost is looked at to see whether it is the same everywhere


@dataclass(frozen=True, eq=False)
class Relative:
    """A cost in units of a usual one, so that no unit matters to a search."""

    cost: Cost
    usual: float

    def value(self, U: Array) -> Array:
        return np.asarray(self.cost.value(U) / self.usual)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        value, gradient = self.cost.value_and_gradient(U)
        return value / self.usual, gradient / self.usual


@dataclass(frozen=True, eq=False)
class Prices:
    """The `cost` of a measurement in the user's unit, and as a search takes it: `None` where it is the same."""

    cost: Cost
    searched: Cost | None

    def of(self, U: Array) -> float:
        """What all rows of U (u, D) are expected to cost."""
        return float(self.cost.value(U).sum())


def whole_looks(cost: Cost, Z: Array, target: Target | None, domain: Domain) -> Array:
    """The points Z (q, D), those at the target that would cost nearly as much there.

    What is saved by a fidelity just below the target is little, and nothing is measured as one decides upon it.
    """
    if target is None or len(target.rows) > 1:
        return Z
    there = target.expand(Z)
    numbers = ((there == Z) | domain.free).all(axis=1)
    near = numbers & (cost.value(there) <= NEARLY * cost.value(Z)) & domain.contains(there)
    return np.where(near[:, None], there, Z)


def prices(moment: Moment, domain: Domain) -> Prices | None:
    """None where nothing is known about costs."""
    cost = price_of(moment)
    if cost is None:
        return None
    if isinstance(cost, Flat):
        return Prices(cost, None)
    probes = np.vstack([moment.data.points, domain.sample(PROBES, moment.rng(5))])
    found = cost.value(probes)
    same = float(np.ptp(found)) <= SAME * float(found.max())
    return Prices(cost, None if same else Relative(cost, float(np.exp(np.log(found).mean()))))


def price_of(moment: Moment) -> PriceFunction | LearnedPrice | GradedPrice | Flat | None:
    """The cost of a measurement by the study's function, or learned from its results."""
    return moment.once("price", lambda: _price_of(moment))


def _price_of(moment: Moment) -> PriceFunction | LearnedPrice | GradedPrice | Flat | None:
    if callable(moment.settings.cost):
        return PriceFunction(moment.space, moment.settings.cost)
    paid = np.array([trial.state in ("complete", "failed") and trial.cost is not None for trial in moment.trials], bool)
    base = GradedPrice(moment.space) if graded(moment.space.parameters) else Flat()
    if not paid.any():
        return base if isinstance(base, GradedPrice) else None
    costs = np.array([trial.cost for trial, known in zip(moment.trials, paid, strict=True) if known], dtype=float)
    points = moment.data.points[paid]
    return LearnedPrice.of(points, costs, moment.space.groups, base, _due(moment, paid, base.value(points), base))


def _due(moment: Moment, paid: NDArray[np.bool_], whole: Array, base: GradedPrice | Flat) -> Array:
    """What the base says that each of these trials cost: one that continued another, the rest only."""
    before = {trial.number: trial for trial in moment.trials}
    due = whole.copy()
    for i, trial in enumerate(trial for trial, known in zip(moment.trials, paid, strict=True) if known):
        if trial.continues in before:
            start = moment.space.encode_many([before[trial.continues].params])
            due[i] = max(whole[i] - float(base.value(start)[0]), LEAST * whole[i])
    return due
