"""Which results are far from all others: a chart that is to show these too shows nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FAR = 3.0  # times the distance between the quartiles: Tukey's outer fences
FEWEST = 5  # results that have quartiles worth the name


def fences(values: Sequence[float]) -> tuple[float, float] | None:
    """The least and the greatest of those that lie among the others; None if all do.

    A value is far if it lies beyond a quartile by more than three times the distance between the quartiles.
    """
    if len(values) < FEWEST:
        return None
    low, high = np.quantile(values, (0.25, 0.75)).tolist()
    reach = FAR * (high - low)
    near = [value for value in values if low - reach <= value <= high + reach]
    return (min(near), max(near)) if reach > 0 and len(near) < len(values) else None
