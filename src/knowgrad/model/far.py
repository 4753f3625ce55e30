"""Which results are far from all others, whatever their points: values alone, nothing is fitted.

    distance of v from others = |v − median| / s,   s = (their ninth decile − their first) / 2.56, a standard deviation

It is taken of the values, and of their logarithms where all have one sign. The smaller of the two counts: results that
span orders of magnitude are not far from each other, and a slip of the decimal point among similar ones is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # a result is told before SciPy is needed
    from knowgrad.gp.linalg import Array

FAR = 8.0  # standard deviations
LEAST = 6  # others that say what is usual
DECILES = 2.5631031310892007  # of a normal distribution, from the first to the ninth, in standard deviations
SHARE = 4  # of so many results one at most is far: of more, nobody could say which are


def distance(value: float, others: Array, sem: float = 0.0) -> float:
    """Of one value from the others, in their standard deviations; a large `sem` explains much."""
    plain = _distance(value, others, sem)
    side = np.sign(value)
    if plain <= FAR or side == 0.0 or np.any(side * others <= 0.0):
        return plain
    return min(plain, _distance(float(np.log(abs(value))), np.log(np.abs(others)), sem / abs(value)))


def _distance(value: float, others: Array, sem: float) -> float:
    ordered = np.sort(others) / 4.0  # differences of the largest numbers are none
    low, middle, high = (_quantile(ordered, share) for share in (0.1, 0.5, 0.9))
    spread = max((high - low) / DECILES, sem / 4.0)
    return abs(float(value) / 4.0 - middle) / spread if spread > 0.0 else 0.0


def _quantile(ordered: Array, share: float) -> float:
    """As `np.quantile` has it, of values in order, and far sooner: a result is told in less time than that takes."""
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (at - below) * (ordered[above] - ordered[below]))


def far(values: Array) -> list[int]:
    """The indices of those that are far from all that are not, the farthest first."""
    left, found = list(range(len(values))), list[int]()
    while len(found) < len(values) // SHARE and len(left) > LEAST:
        away = [distance(values[i], values[[j for j in left if j != i]]) for i in _ends(values, left)]
        if max(away) <= FAR:
            break
        found.append(_ends(values, left)[int(np.argmax(away))])
        left.remove(found[-1])
    return found


def _ends(values: Array, left: list[int]) -> list[int]:
    """The lowest and the highest, and those next to zero: nothing else can be farthest, by value or by logarithm."""
    rows = np.array(left)
    some = values[rows]
    return sorted({int(rows[k(some)]) for k in (np.argmin, np.argmax, lambda each: np.argmin(np.abs(each)))})
