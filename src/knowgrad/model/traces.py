"""Learning curves as results: of each trial that reported, a few of its steps, each at its own fidelity.

Steps of one curve are much alike, so not all of them are worth their place in a model: the last one says most, and a
few before it, evenly spaced in the logarithm, say which way it goes. Of a trial with a result, those below it count.

A run is asked about after each of its steps. While it goes on, its steps are conditioned on, under hyperparameters by
all other results: one curve hardly changes these, and to find them again would take most of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knowgrad.model.data import Data
from knowgrad.space import Space
from knowgrad.space.looks.fidelity import traced_parameter
from knowgrad.trial import Trial

STEPS = 3  # of each curve


def traced(data: Data, space: Space) -> Data:
    """The trials, and behind them the steps of their curves as completed trials."""
    if not any(trial.curve for trial in data.trials):
        return data
    name = traced_parameter(space)
    steps = [step for trial in data.trials for step in _steps(trial, name)]
    return Data((*data.trials, *steps), np.vstack([data.points, space.encode_many([step.params for step in steps])]))


def running(trial: Trial) -> bool:
    """Does it report, and goes on?"""
    return trial.state == "pending" and bool(trial.curve)


def settled(data: Data) -> Data:
    """The trials without the steps of those that go on."""
    return Data([replace(trial, curve=()) if running(trial) else trial for trial in data.trials], data.points)


def under_way(trials: Sequence[Trial], space: Space) -> Data:
    """The steps of those that go on, as completed trials."""
    steps = [step for trial in trials if running(trial) for step in _steps(trial, traced_parameter(space))]
    return Data(steps, space.encode_many([step.params for step in steps]))


def _steps(trial: Trial, name: str) -> list[Trial]:
    if trial.state == "discarded":
        return []
    end = trial.params[name] if trial.state == "complete" else None
    curve = [step for step in trial.curve if end is None or step[0] < end]
    return [
        replace(trial, state="complete", params={**trial.params, name: at}, value=value, sem=None, curve=())
        for at, value in thinned(curve)
    ]


def thinned(curve: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most STEPS of them: the last, and others evenly spaced in the logarithm of their place."""
    if len(curve) <= STEPS:
        return list(curve)
    places = np.geomspace(1.0, len(curve), STEPS).round().astype(int) - 1
    return [curve[i] for i in np.unique(places)]
