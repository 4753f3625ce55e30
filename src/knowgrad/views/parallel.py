"""Every result as a line across all parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.space import Space
from knowgrad.trial import value_of
from knowgrad.views.axis import Axis, axis_of, number

MOST = 400  # lines a reader can still make something of


@dataclass(frozen=True, slots=True)
class Parallel:
    """`rows[k]` are the positions of trial `trial[k]` on the `axes`, each from 0 to 1, worst results first.

    None stands for a parameter that the trial does not have.
    """

    axes: tuple[Axis, ...]
    trial: tuple[int, ...]
    rows: tuple[tuple[float | None, ...], ...]
    value: tuple[float, ...]
    n_observed: int


def parallel(snapshot: Snapshot) -> Parallel:
    """Of more than 400 results: the best 200, and 200 spread evenly over the ranks of the others."""
    done = sorted(snapshot.complete, key=lambda trial: -snapshot.sign * value_of(trial))
    n = len(done)
    if n > MOST:
        half = MOST // 2
        done = [done[i] for i in np.linspace(0, n - half - 1, half).astype(int)] + done[n - half :]
    axes = tuple(axis_of(snapshot.space, name) for name in snapshot.space.seen)
    rows = tuple(tuple(position(snapshot.space, axis, t.params) for axis in axes) for t in done)
    return Parallel(axes, tuple(t.number for t in done), rows, tuple(value_of(t) for t in done), n)


def position(space: Space, axis: Axis, params: Mapping[str, Any]) -> float | None:
    """Where a point lies on an axis, from 0 to 1; None if it does not have the parameter."""
    return place(axis, number(space, axis.name, params[axis.name])) if axis.name in params else None


def place(axis: Axis, x: float) -> float:
    """From 0 at the low end of an axis to 1 at the high end; the middle if there is only one value."""
    if axis.scale == "log":
        return float(np.log(x / axis.low) / np.log(axis.high / axis.low))
    return (x - axis.low) / (axis.high - axis.low) if axis.high > axis.low else 0.5
