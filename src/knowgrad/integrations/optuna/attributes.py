"""Small JSON values in the system attributes of a trial, where every process that shares the study can read them.

A database may limit an attribute to 2,045 characters. Values are therefore cut into pieces of a thousand, of which
escaping makes at most twice as many; the first piece is written last, so that a reader never sees half a value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.errors import ArgumentError
from knowgrad.text import shown

PREFIX = "knowgrad"
PIECE = 1000


def publish(study: Study, trial: FrozenTrial, name: str, value: Any) -> None:
    text = json.dumps(value)
    for i in reversed(range(0, len(text), PIECE)):
        key = f"{PREFIX}:{name}:{i // PIECE}"
        study._storage.set_trial_system_attr(trial._trial_id, key, text[i : i + PIECE])


def published(attributes: Mapping[str, Any], name: str) -> Any:
    """The value, or None if there is none."""
    pieces: list[str] = []
    while (piece := attributes.get(f"{PREFIX}:{name}:{len(pieces)}")) is not None:
        pieces.append(piece)
    return json.loads("".join(pieces)) if pieces else None


def publish_constraints(
    of_trial: Callable[[FrozenTrial], Sequence[float]], study: Study, trial: FrozenTrial, state: TrialState
) -> None:
    """Where Optuna's own samplers keep them: whoever looks at the study finds them."""
    if state not in (TrialState.COMPLETE, TrialState.PRUNED):
        return
    try:
        values = [float(value) for value in of_trial(trial)]
    except (TypeError, ValueError) as error:
        raise ArgumentError(
            f"constraints_func: expected a list of numbers, at most 0 where they hold, got {shown(error)}; return one"
        ) from error
    if any(value != value for value in values):
        raise ArgumentError("constraints_func: expected numbers, got NaN; return a large number where it is broken")
    study._storage.set_trial_system_attr(trial._trial_id, "constraints", values)
