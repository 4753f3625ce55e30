"""Slopes of functions that come without a gradient, such as the user's own: central differences in the unit cube."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from knowgrad.gp.linalg import Array

STEP = 1e-4  # to both sides


def slopes(value: Callable[[Array], Array], U: Array, columns: Iterable[int]) -> Array:
    """The gradient (…, D) of values (…) at rows U (…, D), along these columns; zero along the others."""
    gradient = np.zeros_like(U)
    for c in columns:
        up, down = U.copy(), U.copy()
        up[..., c], down[..., c] = np.minimum(U[..., c] + STEP, 1.0), np.maximum(U[..., c] - STEP, 0.0)
        gradient[..., c] = (value(up) - value(down)) / (up[..., c] - down[..., c])
    return gradient
