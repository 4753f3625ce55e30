"""Value per cost: what a batch is worth, divided by what measuring it costs.

    v(z) / c(z),   c(z) = Σ_j c(z_j);   ∂/∂z = (∂v/∂z − (v/c) ∂c/∂z) / c

Points that are pending are paid for: they are not in c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.problem import Cost, Criterion
from knowgrad.gp.linalg import Array


@dataclass(frozen=True, eq=False)
class PerCost:
    """A criterion divided by the cost of the batch."""

    part: Criterion
    cost: Cost

    def value(self, Z: Array) -> Array:
        return np.asarray(self.part.value(Z) / self.cost(Z)[0].sum(axis=1))

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        value, gradient = self.part.value_and_gradient(Z)
        each, slope = self.cost(Z)
        total = each.sum(axis=1)
        rate = value / total
        return rate, (gradient - rate[:, None, None] * slope) / total[:, None, None]
