"""Learning curves: what trials reported on the way, and where those that are running are expected to end."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.errors import ArgumentError
from knowgrad.space.looks.fidelity import has_curves, traced_parameter
from knowgrad.trial import NINETY, Trial

AHEAD = 12  # fidelities at which a forecast is shown


@dataclass(frozen=True, slots=True)
class Curve:
    """One trial: its steps; if it is running, its forecast with a 90 % band, at fidelities up to where it is to end."""

    number: int
    state: str
    at: tuple[float, ...]
    value: tuple[float, ...]
    ahead: tuple[float, ...] = ()
    mean: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    ended: str = ""
    """Of a run that ended before the fidelity that one decides at: how, and why if that was said."""


@dataclass(frozen=True, slots=True)
class Curves:
    """Of every trial that has reported, along the fidelity `name`."""

    name: str
    each: tuple[Curve, ...]


def curves(snapshot: Snapshot, latest: int = 50) -> Curves:
    """Of the `latest` (50) trials that have reported."""
    traced = [trial for trial in snapshot.trials if trial.curve][-latest:]
    if not has_curves(snapshot.space) or not traced:
        raise ArgumentError("curves: expected a study with reports, got one without; call report(trial, at=…, value=…)")
    name = traced_parameter(snapshot.space)
    return Curves(name, tuple(_curve(snapshot, trial, name) for trial in traced))


def _curve(snapshot: Snapshot, trial: Trial, name: str) -> Curve:
    at, value = zip(*trial.curve, strict=True)
    found = Curve(trial.number, trial.state, tuple(map(float, at)), tuple(map(float, value)), ended=_ended(trial))
    if trial.state != "pending" or not snapshot.complete:
        return found
    kind = snapshot.space.parameters[name]
    ends = [float(kind.place(kind.position(each))[..., 0]) for each in (at[-1], trial.params[name])]
    levels = [kind.value(float(kind.locate(np.array([u])))) for u in np.linspace(ends[0], ends[1], AHEAD)]
    levels = list(dict.fromkeys(levels))
    mean, sd = snapshot.predict(snapshot.space.encode_many([{**trial.params, name: level} for level in levels]))
    low, high = tuple(map(float, mean - NINETY * sd)), tuple(map(float, mean + NINETY * sd))
    ahead = tuple(float(level) for level in levels if isinstance(level, int | float))
    return replace(found, ahead=ahead, mean=tuple(map(float, mean)), low=low, high=high)


def _ended(trial: Trial) -> str:
    """How a run was ended before its time, in words; nothing if it was not."""
    if trial.state != "complete" or not (trial.paused or trial.reason):
        return ""
    how = "paused" if trial.paused else "stopped"
    return f"{how}: {trial.reason}" if trial.reason else how
