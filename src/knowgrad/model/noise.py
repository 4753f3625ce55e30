"""The noise of a measurement as a function of where it is made, if the user says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.checked import spread
from knowgrad.gp.linalg import Array
from knowgrad.model.scaling import Units
from knowgrad.space import Space

STEP = 1e-4  # of a central difference of the user's σ(x), in the unit cube


@dataclass(frozen=True, eq=False)
class NoiseFunction:
    """The user's σ(x) as a variance with a gradient, by central differences along the continuous columns."""

    space: Space
    sd: Callable[[dict[str, Any]], float]
    units: Units

    def __call__(self, U: Array) -> tuple[Array, Array]:
        rows = U.reshape(-1, U.shape[-1])
        gradient = np.zeros_like(rows)
        for c in np.flatnonzero(self.space.free):
            up, down = rows.copy(), rows.copy()
            up[:, c], down[:, c] = np.minimum(rows[:, c] + STEP, 1.0), np.maximum(rows[:, c] - STEP, 0.0)
            gradient[:, c] = (self.variance(up) - self.variance(down)) / (up[:, c] - down[:, c])
        return self.variance(rows).reshape(U.shape[:-1]), gradient.reshape(U.shape)

    def variance(self, rows: Array) -> Array:
        sd = [spread(self.sd(self.space.decode(row)), "noise(params)") for row in rows]
        return self.units.variance(np.array(sd, dtype=float))
