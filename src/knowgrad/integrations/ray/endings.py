"""What comes of Ray Tune's trials: a value, several outcomes, or a failure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knowgrad.checked import real, spread
from knowgrad.outcomes import Measured, Outcomes
from knowgrad.trial import Settings, Trial, failure


def restored(told: Mapping[str, Any]) -> Trial:
    """A trial of which JSON has the curve as lists."""
    return Trial(**{**told, "history": (), "curve": tuple(tuple(point) for point in told.get("curve", ()))})


def ended(trial: Trial, value: Any, sem: Any) -> Trial:
    """The trial with its outcome; no value, or one that is not finite, is a failure."""
    number = math.nan if value is None else real(value, "the metric")
    if reason := failure(number):
        return replace(trial, state="failed", reason="no value" if value is None else reason)
    return replace(trial, state="complete", value=number, sem=None if sem is None else spread(sem, "the metric's sem"))


def limited(trial: Trial, result: Mapping[str, Any], settings: Settings) -> Trial:
    """The trial with all outcomes that have a limit; without one of them it has failed."""
    if trial.value is None:
        return trial
    found = {settings.outcomes[0]: Measured(trial.value, trial.sem)}
    for name in settings.outcomes[1:]:
        value, sem = result.get(name), result.get(f"{name}_sem")
        number = math.nan if value is None else real(value, name)
        if reason := failure(number, name):
            why = f"no {name}" if value is None else reason
            return replace(trial, state="failed", value=None, sem=None, reason=why)
        found[name] = Measured(number, None if sem is None else spread(sem, f"{name}_sem"))
    return replace(trial, outcomes=Outcomes(found))
