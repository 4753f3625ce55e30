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


def doubt(
    trials: Sequence[Trial], params: Mapping[str, Any], value: float, sem: float | None, moment: Moment | None
) -> str | None:
    """Why this result at these params looks wrong beside the trials so far, in words; None if it does not.

    `moment`: the study when a model was last asked for; a result that its model expects is no mistake.
    """
    known = trials[:: max(1, len(trials) // ENOUGH)]
    others = np.array([trial.value for trial in known if trial.state == "complete"], dtype=float)
    if len(others) < max(LEAST, 2 * len(params)) or distance(value, others, sem or 0.0) <= FAR:
        return None
    if moment is not None and not moment.is_surprising(params, value, sem):
        return None
    low, high = np.quantile(others, [0.1, 0.9])
    return f"{value:.6g} is far from the {len(others)} other results (most are between {low:.4g} and {high:.4g})"
