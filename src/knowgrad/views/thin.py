"""Fewer points that look the same: what a chart needs of a long series."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.linalg import Array


def thinned(values: Array, most: int) -> NDArray[np.intp]:
    """Indices of at most `most` of the values, in order: the least and the greatest of each stretch, and the last."""
    n = len(values)
    if n <= most:
        return np.arange(n)
    edges = np.linspace(0, n - 1, (most - 1) // 2 + 1).astype(int)
    keep = [n - 1]
    for start, stop in pairwise(edges):
        part = values[start:stop]
        keep += [start + int(np.argmin(part)), start + int(np.argmax(part))]
    return np.unique(keep)


def stops(n: int, first: int, most: int) -> list[int]:
    """At most `most` counts from `first` to n, both included, evenly spread."""
    return [int(k) for k in np.unique(np.linspace(n, min(first, n), min(most, n)).round())]
