"""Does a result look like a mistake? Asked when it is told, so nothing is fitted: the model that is there is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from knowgrad.model.far import FAR, LEAST, distance
from knowgrad.trial import Trial

if TYPE_CHECKING:
    from knowgrad.advisor.moment import Moment

ENOUGH = 200  # results to compare with
EXTREME = (0.01, 0.99)  # quantiles of very many results: what lies between is not asked about
FEW = 32  # results that are looked at first


def doubt(
    trials: Sequence[Trial], params: Mapping[str, Any], value: float, sem: float | None, moment: Moment | None
) -> str | None:
    """Why this result at these params looks wrong beside the trials so far, in words; None if it does not.

    `moment`: the study when a model was last asked for; a result that its model expects is no mistake.
    """
    if _is_ordinary(trials[:: max(1, len(trials) // FEW)], value):
        return None  # most are: whoever tells a result need not wait for more
    known = trials[:: max(1, len(trials) // ENOUGH)]
    others = np.array([trial.value for trial in known if trial.state == "complete"], dtype=float)
    if len(others) < max(LEAST, 2 * len(params)) or distance(value, others, sem or 0.0) <= FAR:
        return None
    if moment is not None and not moment.is_surprising(params, value, sem):
        return None
    low, high = np.quantile(others, [0.1, 0.9])
    return f"{value:.6g} is far from the {len(others)} other results (most are between {low:.4g} and {high:.4g})"


def doubts(trials: Sequence[Trial], some: Sequence[Trial]) -> dict[int, str]:
    """Which of some trials look wrong beside all others, by number, and why. Of very many, the extremes are asked."""
    values = [trial.value for trial in some if trial.value is not None]
    low, high = np.quantile(values, EXTREME) if len(values) > ENOUGH else (np.inf, np.inf)
    sample = trials[:: max(1, len(trials) // ENOUGH)]
    found = {}
    for trial in some:
        if trial.value is not None and not low <= trial.value <= high:
            others = [other for other in sample if other.number != trial.number]
            found[trial.number] = doubt(others, trial.params, trial.value, trial.sem, None)
    return {number: why for number, why in found.items() if why}


def _is_ordinary(some: Sequence[Trial], value: float) -> bool:
    """Is a value among the middle three quarters of these results, or no farther from them than they are wide?

    Then its `distance` from them is at most 2 · 2.56, and FAR is 8.
    """
    values = sorted([trial.value for trial in some if trial.value is not None and trial.state == "complete"])
    if len(values) < LEAST:
        return False
    edge = -(-len(values) // 8)  # within the deciles
    low, high = values[edge], values[-1 - edge]
    return 2.0 * low - high <= value <= 2.0 * high - low
