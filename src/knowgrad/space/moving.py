"""Neighbours along what is discrete, for coordinate exchange."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from knowgrad.space.coordinates import FloatArray, Parameter

MOVES = 10  # neighbours of a point along one discrete parameter


def along_levels(u: FloatArray, stepped: Sequence[tuple[Parameter, slice]]) -> FloatArray:
    """Points (m, dim) that differ from u in one of these parameters: at all its levels if few, else at near ones."""
    moved = [np.empty((0, len(u)))]
    for p, where in stepped:
        here, last = float(p.locate(u[where])), p.levels - 1 if p.nonlinear else p.cells
        if last < MOVES:
            levels = np.arange(last + 1)
        else:
            unit = max(1.0, here // 32) if p.nonlinear else 1.0  # single levels are nothing far up the log scale
            levels = here + unit * np.array([sign * 2.0**k for k in range(MOVES // 2) for sign in (-1, 1)])
        blocks = p.place(levels[(levels >= 0) & (levels <= last)])
        points = np.tile(u, (len(blocks), 1))
        points[:, where] = blocks
        moved.append(points[(points != u).any(axis=1)])
    return np.concatenate(moved)
