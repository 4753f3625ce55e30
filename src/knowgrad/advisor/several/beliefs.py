"""What is known of all outcomes at points, as a user may rely on it: wider than the posterior (`advisor/evidence`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.advisor.evidence import believed
from knowgrad.advisor.several.parts import Parts
from knowgrad.advisor.several.wishes import betweens
from knowgrad.gp.linalg import Array
from knowgrad.outcomes import Limit


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Means and standard deviations (K, u) of every outcome at points U (u, D), in the units of the models."""

    parts: Parts
    U: Array
    mean: Array
    sd: Array

    @classmethod
    def at(cls, parts: Parts, U: Array) -> Beliefs:
        each = [believed(part.model, part.space, U) for part in parts.each.values()]
        return cls(parts, U, np.array([mean for mean, _ in each]), np.array([sd for _, sd in each]))

    def chance(self, *limits: Limit) -> Array:
        """That these limits hold together (u,)."""
        utility = Utility(len(self.parts.names), (), betweens(self.parts, limits))
        return np.broadcast_to(utility.chance(list(self.mean), list(self.sd)), len(self.U))

    def excess(self, *limits: Limit) -> Array:
        """By how much the means break these limits, in standard deviations of all results, added up (u,)."""
        total = np.zeros(len(self.U))
        for limit in betweens(self.parts, limits):
            mean = self.mean[limit.outcome]
            total += np.maximum(np.maximum(limit.low - mean, mean - limit.high), 0.0)
        return total

    def deviations(self) -> Array:
        """Of the objectives at all points, in user units (u, m)."""
        places = [self.parts.place(name) for name in self.parts.objectives]
        units = [self.parts.each[name].model.units for name in self.parts.objectives]
        pairs = zip(places, units, strict=True)
        return np.stack([each.predictions(self.mean[k], self.sd[k])[1] for k, each in pairs], axis=1)

    def values(self, i: int) -> Mapping[str, tuple[float, float]]:
        """Mean and standard deviation of every outcome at the i-th point, in user units."""
        found = {}
        for k, (name, part) in enumerate(self.parts.each.items()):
            units, mean, sd = part.model.units, float(self.mean[k, i]), float(self.sd[k, i])
            found[name] = units.value(mean), units.deviation(mean, sd)
        return found
