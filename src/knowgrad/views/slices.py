"""Cuts through the posterior: one or two parameters vary, the others stay as recommended.

Where the recommendation does not have a parameter that varies, the cut goes through the best point that has it
(`through`). What begins to exist as a parameter varies is in the middle of its range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.gp.linalg import Array
from knowgrad.space.directions import moved
from knowgrad.text import shown
from knowgrad.trial import Trial, value_of
from knowgrad.views.axis import Axis, axis_of, grid, number
from knowgrad.views.through import through

LINE, CELLS = 121, 41  # points along a line, and along each side of a plane
SHOWN = 500  # results drawn beside a slice: the latest


@dataclass(frozen=True, slots=True)
class Slice:
    """Posterior mean and standard deviation along `axis`; None where constraints leave no point."""

    axis: Axis
    x: tuple[float, ...]
    mean: tuple[float | None, ...]
    sd: tuple[float | None, ...]
    at: float
    """The value at the point that the slice goes through (`through`), with `recommended` its posterior mean."""
    recommended: float
    observed: tuple[tuple[float, float], ...]
    """Every result that has this parameter, at its own value of it; its other parameters differ."""


@dataclass(frozen=True, slots=True)
class Plane:
    """The same over two parameters: `mean[j][i]` belongs to `x[i]`, `y[j]`."""

    x_axis: Axis
    y_axis: Axis
    x: tuple[float, ...]
    y: tuple[float, ...]
    mean: tuple[tuple[float | None, ...], ...]
    sd: tuple[tuple[float | None, ...], ...]
    at: tuple[float, float]
    tried: tuple[tuple[float, float], ...]
    running: tuple[tuple[float, float], ...]


def slice_along(snapshot: Snapshot, name: str, at: Mapping[str, Any] | None = None) -> Slice:
    """Along one parameter; `at`: through this point instead of the recommendation."""
    space = snapshot.space
    known(snapshot, name)
    params, at_best = through(snapshot, name, at=at)
    x, U, inside = line(snapshot, name, at=at)
    mean, sd = snapshot.predict(U)
    results = having(snapshot.complete, name)[-SHOWN:]
    observed = tuple((number(space, name, trial.params[name]), value_of(trial)) for trial in results)
    here = number(space, name, params[name])
    return Slice(axis_of(space, name), tuple(x.tolist()), gaps(mean, inside), gaps(sd, inside), here, at_best, observed)


def plane(snapshot: Snapshot, x: str, y: str, at: Mapping[str, Any] | None = None) -> Plane:
    """Over two parameters; `at`: through this point instead of the recommendation."""
    xs, ys, U, inside = mesh(snapshot, x, y, at=at)
    mean, sd = snapshot.predict(U)

    def place(params: Mapping[str, Any]) -> tuple[float, float]:
        return number(snapshot.space, x, params[x]), number(snapshot.space, y, params[y])

    complete, running = having(snapshot.complete, x, y), having(snapshot.trials, x, y)
    return Plane(
        x_axis=axis_of(snapshot.space, x),
        y_axis=axis_of(snapshot.space, y),
        x=tuple(xs.tolist()),
        y=tuple(ys.tolist()),
        mean=rows(mean, inside, len(xs)),
        sd=rows(sd, inside, len(xs)),
        at=place(through(snapshot, x, y, at=at)[0]),
        tried=tuple(place(trial.params) for trial in complete[-SHOWN:]),
        running=tuple(place(trial.params) for trial in running if trial.state == "pending"),
    )


def known(snapshot: Snapshot, *names: str) -> None:
    """Refuse names that are no parameters, or the same twice."""
    unknown = [name for name in names if name not in snapshot.space.seen]
    if unknown or len(set(names)) < len(names):
        have = ", ".join(repr(name) for name in snapshot.space.seen)
        raise ArgumentError(f"parameters: expected different ones of {have}, got {shown(names)}; pass their names")


def line(
    snapshot: Snapshot, name: str, most: int = LINE, at: Mapping[str, Any] | None = None
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Values of a parameter (m,), the points (m, D) that have them and are as recommended otherwise, and which exist.

    In a mixture the other components keep their proportions.
    """
    space = snapshot.space
    values, blocks = grid(space, name, most)
    U = np.tile(space.encode(through(snapshot, name, at=at)[0]), (len(values), 1))
    return values, *moved(space, U, {name: blocks})


def mesh(
    snapshot: Snapshot, x: str, y: str, most: int = CELLS, at: Mapping[str, Any] | None = None
) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
    """Values of two parameters (m,), (k,), the points (k·m, D), x running fastest, and which of them exist."""
    known(snapshot, x, y)
    space = snapshot.space
    (xs, across), (ys, up) = grid(space, x, most), grid(space, y, most)
    U = np.tile(space.encode(through(snapshot, x, y, at=at)[0]), (len(xs) * len(ys), 1))
    blocks = {x: np.tile(across, (len(ys), 1)), y: np.repeat(up, len(xs), axis=0)}
    return xs, ys, *moved(space, U, blocks)


def having(trials: Sequence[Trial], *names: str) -> list[Trial]:
    """The trials that have all these parameters."""
    return [trial for trial in trials if all(name in trial.params for name in names)]


def gaps(values: Array, inside: NDArray[np.bool_]) -> tuple[float | None, ...]:
    return tuple(float(value) if fine else None for value, fine in zip(values, inside, strict=True))


def rows(values: Array, inside: NDArray[np.bool_], width: int) -> tuple[tuple[float | None, ...], ...]:
    flat = gaps(values, inside)
    return tuple(flat[i : i + width] for i in range(0, len(flat), width))
