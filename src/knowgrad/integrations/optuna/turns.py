"""One worker at a time chooses points, whether workers are threads or processes on several machines.

A storage of Optuna's has no lock, but every process sees the attributes of every trial. A trial that needs a point says
"waiting"; it goes ahead once nobody is choosing and no trial with a lower number is waiting, says "choosing", and looks
again: if two went ahead at the same moment, both see it, and both step back; then the lower number goes first. A trial
has had its turn when it has a point.

A worker that dies while choosing would hold up all others; nobody waits longer than `PATIENCE` for a rival.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from knowgrad.integrations.optuna.attributes import publish, published

PATIENCE = 60.0  # seconds
POLL = 0.01


def take_turn(study: Study, trial: FrozenTrial, given_up: set[int]) -> None:
    """Returns when this trial may choose. `given_up`: numbers of trials not worth waiting for; grows."""
    publish(study, trial, "turn", "waiting")
    before: set[int] = set()
    deadline = time.monotonic() + PATIENCE
    while True:
        rivals = _rivals(study, trial, given_up)
        if not rivals:
            publish(study, trial, "turn", "choosing")
            if not _rivals(study, trial, given_up):
                return
            publish(study, trial, "turn", "waiting")
        if rivals != before:
            before, deadline = rivals, time.monotonic() + PATIENCE
        elif time.monotonic() > deadline:
            given_up |= rivals
        time.sleep(POLL)


def waiting(trials: Iterable[FrozenTrial], given_up: set[int]) -> list[FrozenTrial]:
    """The trials that need a point now."""
    return [trial for trial in trials if trial.number not in given_up and _turn(trial) is not None]


def _rivals(study: Study, trial: FrozenTrial, given_up: set[int]) -> set[int]:
    running = study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
    return {
        other.number
        for other in waiting(running, given_up)
        if other.number < trial.number or (other.number > trial.number and _turn(other) == "choosing")
    }


def _turn(trial: FrozenTrial) -> str | None:
    if trial.state != TrialState.RUNNING or published(trial.system_attrs, "point") is not None:
        return None
    turn: str | None = published(trial.system_attrs, "turn")
    return turn
