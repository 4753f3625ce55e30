"""From trials to arrays: which of them the model takes in, where they lie, and what is known of their noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np

from knowgrad.checked import called, spread
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import Array
from knowgrad.model.subset import ALWAYS, nearest, subset
from knowgrad.space import Space
from knowgrad.trial import State, Trial, sign_of, value_of


@dataclass(frozen=True, eq=False)
class Data:
    """Trials, and the points (n, D) of the unit cube where they lie, in the same order."""

    trials: Sequence[Trial]
    points: Array

    @classmethod
    def of(cls, space: Space, trials: Sequence[Trial], before: Data | None = None) -> Data:
        """Every trial encoded, but for those at the beginning that were encoded `before`."""
        pairs = zip(trials, before.trials if before else (), strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0].params is pair[1].params, pairs))
        points = space.encode_many([trial.params for trial in trials[same:]])
        return cls(trials, np.vstack([before.points[:same], points]) if before else points)

    def at(self, state: State) -> Array:
        """The points of the trials in this state."""
        return self.points[[i for i, trial in enumerate(self.trials) if trial.state == state]]


def taken_in(data: Data, groups: Groups, direction: str, limit: int) -> tuple[list[Trial], Array, Array]:
    """The completed trials that the model is made of, their points, and those of failed trials: `limit` in all."""
    done = [trial for trial in data.trials if trial.state == "complete"]
    X, failed = data.at("complete"), data.at("failed")
    if len(X) + len(failed) <= limit:
        return done, X, failed
    values = sign_of(direction) * np.array([value_of(trial) for trial in done])
    room = max(limit // 4, limit - len(X))  # for failures, which may be as many
    failed = failed[nearest(failed, X[np.argsort(values, kind="stable")[:ALWAYS]], room)]
    keep = subset(X, values, groups, limit - len(failed))
    return [done[i] for i in keep], X[keep], failed


def known_sd(trial: Trial, noise: str | float | Callable[[dict[str, Any]], float]) -> float:
    """The standard deviation of one observation's noise; nan: to be learned."""
    if trial.sem is not None:
        return trial.sem
    if callable(noise):
        return spread(called(noise, trial.params, "noise(params)"), "noise(params)")
    return math.nan if isinstance(noise, str) else float(noise)
