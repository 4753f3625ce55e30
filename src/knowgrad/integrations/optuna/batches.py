"""Points chosen jointly and handed out one by one, since Optuna asks for one trial at a time.

The trial that chooses keeps the whole batch in its attributes, each point under the number of the trial that is to have
it: those that are waiting, then those still to come. Numbers are given out by the storage, so no two trials can take
the same point. A result that comes in after the choice makes the rest of the batch stale.
"""

from __future__ import annotations

from collections.abc import Sequence

from optuna.study import Study
from optuna.trial import FrozenTrial

from knowgrad.integrations.optuna.attributes import publish, published
from knowgrad.integrations.optuna.spaces import SearchSpace

Packed = dict[str, float]


def park(study: Study, trial: FrozenTrial, seen: int, search: SearchSpace, points: dict[int, Packed]) -> None:
    """Keep points for the trials with these numbers; `seen` trials had finished when they were chosen."""
    if points:
        kept = {str(number): point for number, point in points.items()}
        publish(study, trial, "batch", {"seen": seen, "space": search.signature, "points": kept})


def parked(trials: Sequence[FrozenTrial], number: int, search: SearchSpace) -> Packed | None:
    """The point kept for the trial with this number, if nothing has been learnt since it was chosen."""
    now = finished(trials)
    for trial in reversed(trials):
        batch = published(trial.system_attrs, "batch")
        if batch and batch["seen"] == now and batch["space"] == search.signature and str(number) in batch["points"]:
            point: Packed = batch["points"][str(number)]
            return point
    return None


def finished(trials: Sequence[FrozenTrial]) -> int:
    return sum(trial.state.is_finished() for trial in trials)
