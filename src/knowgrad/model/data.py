"""From trials to arrays: which of them the model takes in, where they lie, and what is known of their noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.model.subset import FEW, nearest, subset
from knowgrad.space import Space
from knowgrad.trial import Trial, spread

LATEST = 256  # trials whose points are known to lie in the domain


def taken_in(space: Space, trials: Sequence[Trial], direction: str, limit: int) -> tuple[list[Trial], Array, Array]:
    """The completed trials that the model is made of, their points, and those of failed trials: `limit` in all."""
    done = [trial for trial in trials if trial.state == "complete"]
    X, failed = (points(space, trials, state) for state in ("complete", "failed"))
    if len(X) + len(failed) <= limit:
        return done, X, failed
    sign = 1.0 if direction == "minimize" else -1.0
    values = sign * np.array([trial.value for trial in done], dtype=float)
    room = max(limit // 4, limit - len(X))  # for failures, which may be as many
    failed = failed[nearest(failed, X[np.argsort(values, kind="stable")[:FEW]], room)]
    keep = subset(X, values, space.groups, limit - len(failed))
    return [done[i] for i in keep], X[keep], failed


def points(space: Space, trials: Sequence[Trial], state: str) -> Array:
    return space.encode_many([trial.params for trial in trials if trial.state == state])


def known_sd(trial: Trial, noise: str | float | Callable[[dict[str, Any]], float]) -> float:
    """The standard deviation of one observation's noise; nan: to be learned."""
    if trial.sem is not None:
        return trial.sem
    if callable(noise):
        return spread(noise(dict(trial.params)), "noise(params)")
    return math.nan if isinstance(noise, str) else float(noise)


def known_space(space: Space, trials: Sequence[Trial]) -> Space:
    """The space with what was tried of it in mind, for where it is too small to be found by chance."""
    if space.is_unconstrained or not trials:
        return space
    return space.around(space.encode_many([trial.params for trial in trials[-LATEST:]]))
