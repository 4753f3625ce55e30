"""The noise of a measurement as a function of where it is made, if the user says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.checked import called, spread
from knowgrad.gp.linalg import Array
from knowgrad.model.scaling import Units
from knowgrad.model.slopes import slopes
from knowgrad.space import Space

NOISE = "noise(params)"


@dataclass(frozen=True, eq=False)
class NoiseFunction:
    """The user's σ(x) as a variance with a gradient, by central differences along the continuous columns."""

    space: Space
    sd: Callable[[dict[str, Any]], float]
    units: Units

    def __call__(self, U: Array) -> tuple[Array, Array]:
        rows = U.reshape(-1, U.shape[-1])
        gradient = slopes(self.variance, rows, np.flatnonzero(self.space.free))
        return self.variance(rows).reshape(U.shape[:-1]), gradient.reshape(U.shape)

    def variance(self, rows: Array) -> Array:
        sd = [spread(called(self.sd, self.space.decode(row), NOISE), NOISE) for row in rows]
        return self.units.variance(np.array(sd, dtype=float))
