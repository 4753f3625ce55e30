"""What a value means: which is better, which trial has the best, and which values are failures."""

import math
from collections.abc import Iterable

from knowgrad.outcomes import Limit
from knowgrad.trial.trial import Trial


def value_of(trial: Trial) -> float:
    """The value of a completed trial."""
    if trial.value is None:
        raise ValueError(f"trial {trial.number}: expected a completed trial, got {trial.state}")
    return trial.value


def sign_of(direction: str) -> float:
    """+1 if less is better, else −1."""
    return 1.0 if direction == "minimize" else -1.0


def best_of(complete: Iterable[Trial], direction: str) -> Trial | None:
    """The completed trial with the best value, the first of equals; None if there is none."""
    sign = sign_of(direction)
    return min(complete, key=lambda trial: sign * value_of(trial), default=None)


def within(trials: Iterable[Trial], limits: Iterable[Limit]) -> list[Trial]:
    """Those with a value whose measured outcomes hold all limits; what was not measured holds none."""
    limits = tuple(limits)
    return [
        trial
        for trial in trials
        if trial.value is not None
        and all(each.outcome in trial.outcomes and each.holds(trial.outcomes[each.outcome].value) for each in limits)
    ]


def failure(value: float, what: str = "value") -> str | None:
    """Why a trial with this value has failed: it is not finite. None if it is."""
    return None if math.isfinite(value) else f"the {what} was {value}"
