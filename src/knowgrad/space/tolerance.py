"""Settings that are not held exactly: points moved along numeric parameters by so much in user units."""

from __future__ import annotations

import numpy as np

from knowgrad.space.domain import Array
from knowgrad.space.space import Space


def shifted(space: Space, U: Array, name: str, by: Array) -> tuple[Array, Array]:
    """The column of a numeric parameter at points U (u, D), moved by amounts (k,) in user units but not out of its
    range: (u, k), and the derivative of that by where it was."""
    low, high = (float(end) for end in space.parameters[name].ends)
    column = U[:, space.columns[name]]
    if not space.parameters[name].nonlinear:
        moved = column + by / (high - low)
        return moved.clip(0.0, 1.0), ((moved >= 0.0) & (moved <= 1.0)).astype(float)
    reach = np.log(high / low)
    value = low * np.exp(column * reach)
    held = (value + by).clip(low, high)
    return np.log(held / low) / reach, np.where(held == value + by, value / held, 0.0)
