"""Fronts and their hypervolume, exactly: less is better in every objective.

symbol   name        shape    meaning
Y        Y           (n, m)   values of m objectives
r        reference   (m,)     the corner that volumes are measured from
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array

SLIGHT, DEAR = 0.02, 0.2  # of the front's extent: what is gained by the one for the other is not worth having
FLOOR = 0.1  # the least that a ray asks for of any objective, compared with the most
MARGIN = 0.1  # of the front's extent, by which the reference point lies beyond its worst values


def nondominated(Y: Array) -> NDArray[np.bool_]:
    """Which rows no other row beats: as good in all objectives and better in one. Of equal rows the first stays."""
    keep = np.ones(len(Y), bool)
    for i, row in enumerate(Y):
        no_worse = (row >= Y).all(axis=1)
        better = (row > Y).any(axis=1)
        equal = no_worse & ~better
        keep[i] = not (no_worse & better).any() and not equal[:i].any()
    return keep


def hypervolume(Y: Array, reference: Array) -> float:
    """The volume that the rows of Y dominate, up to the reference point."""
    Y = Y[(reference > Y).all(axis=1)]
    if not len(Y):
        return 0.0
    if Y.shape[1] == 1:
        return float(reference[0] - Y.min())
    # Slices along the last objective: in each, the rows that are better there dominate one volume of the others.
    Y = Y[np.argsort(Y[:, -1], kind="stable")]
    heights = np.diff(np.append(Y[:, -1], reference[-1]))
    if Y.shape[1] == 2:
        return float(heights @ (reference[0] - np.minimum.accumulate(Y[:, 0])))
    total = 0.0
    for i in np.flatnonzero(heights > 0.0):
        total += heights[i] * hypervolume(Y[: i + 1, :-1], reference[:-1])
    return total


def worth_having(Y: Array, sd: Array) -> NDArray[np.bool_]:
    """Which rows are on the front and not dearly bought: no other is far better in one objective, hardly worse in any.

    Where an objective hardly changes, a front of estimates has a long tail, because of their errors alone. What is less
    than the standard deviations sd (n, m) of the estimates is hardly worse, too.
    """
    on_it = nondominated(Y)
    front = Y[on_it]
    extent = np.maximum(np.ptp(front, axis=0), 1e-300)
    slack = SLIGHT + (sd[on_it] / extent)[:, None]
    worse, better = (front[None] - front[:, None]) / extent, (front[:, None] - front[None]) / extent
    dear = (worse <= slack).all(axis=2) & (better > DEAR).any(axis=2) & (better.sum(axis=2) > 0.0)
    on_it[on_it] = ~dear.any(axis=1)  # the row with the least sum always stays
    return on_it


def along_rays(Y: Array, rays: Array) -> NDArray[np.intp]:
    """The rows of Y nearest to the best of each objective along rays (n, m): which of them have the least of

        max_k (y_k − min y_k) / w_k,   in units of the front's extent.

    This asks for less of what is worst, so that an error of one objective cannot buy any loss of another. With three
    objectives a front of estimates has such tails along all its edges.
    """
    front = Y[nondominated(Y)]
    away = (Y - front.min(axis=0)) / np.maximum(np.ptp(front, axis=0), 1e-300)
    return np.unique(np.argmin((away[None] / np.maximum(rays, FLOOR)[:, None]).max(axis=2), axis=1))


def reference_point(Y: Array) -> tuple[Array, Array]:
    """A reference point just beyond the front of the rows of Y, and the extent of the front up to it: (m,) both."""
    front = Y[nondominated(Y)]
    low, high = front.min(axis=0), front.max(axis=0)
    extent = np.where(high > low, high - low, np.maximum(np.ptp(Y, axis=0), 1e-12))
    return high + MARGIN * extent, np.asarray(high - low + MARGIN * extent)
