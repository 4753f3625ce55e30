"""Value per cost: what a batch adds, divided by what measuring it costs.

    ρ(z) = (v(z) − v₀) / c(z),   c(z) = Σ_j c(z_j);   ∂ρ/∂z = (∂v/∂z − ρ ∂c/∂z) / c

v₀ is what the pending points are worth without the batch. They are paid for: they are not in c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.problem import Cost, Criterion
from knowgrad.gp.linalg import Array


@dataclass(frozen=True, eq=False)
class PerCost:
    """A criterion, less the value of the pending points (`before`), divided by the cost of the batch."""

    part: Criterion
    cost: Cost
    before: float = 0.0

    def value(self, Z: Array) -> Array:
        return np.asarray((self.part.value(Z) - self.before) / self.cost.value(Z).sum(axis=1))

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        value, gradient = self.part.value_and_gradient(Z)
        each, slope = self.cost.value_and_gradient(Z)
        total = each.sum(axis=1)
        rate = (value - self.before) / total
        return rate, (gradient - rate[:, None, None] * slope) / total[:, None, None]
