"""How a study went: every result, the best so far, and what was recommended along the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.advisor.snapshot import Z95, Snapshot
from knowgrad.space.looks.graded import decisive
from knowgrad.views.thin import stops, thinned

CHECKPOINTS = 24
FIRST = 4  # results before which a model has little to say
MOST = 2_000  # results that are shown


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The recommendation when `n` results were known: its posterior mean and the ends of its 95 % interval."""

    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class History:
    """Results count 1, 2, 3, … in the order of their trials' numbers; the three tuples run in step."""

    direction: str
    count: tuple[int, ...]
    trial: tuple[int, ...]
    value: tuple[float, ...]
    sem: tuple[float | None, ...]
    best: tuple[tuple[int, float], ...]
    """The best value observed so far, wherever it improved, and at the end; of fidelities at the target."""
    recommended: tuple[Checkpoint, ...]
    n_observed: int


def history(snapshot: Snapshot, *, checkpoints: int = CHECKPOINTS) -> History:
    """The course of a study.

    Past recommendations are not stored: the model is fitted again to the first n results, for at most `checkpoints`
    values of n (24), so a long study costs no more than 24 fits; 0 leaves it out. Of more than 2,000
    results those are kept that give the chart its outline.
    """
    done = snapshot.complete
    values = np.array([trial.value for trial in done], dtype=float)
    keep = thinned(values, MOST)
    counted = {trial.number for trial in decisive(done, snapshot.space)}
    shown = [done[i] for i in keep]
    return History(
        direction=snapshot.settings.direction,
        count=tuple(int(i) + 1 for i in keep),
        trial=tuple(trial.number for trial in shown),
        value=tuple(float(values[i]) for i in keep),
        sem=tuple(trial.sem for trial in shown),
        best=_best(values, np.array([trial.number in counted for trial in done], dtype=bool), snapshot.sign),
        recommended=tuple(_checkpoint(snapshot, n) for n in stops(len(done), FIRST, checkpoints)),
        n_observed=len(done),
    )


def _best(values: np.ndarray, counted: np.ndarray, sign: float) -> tuple[tuple[int, float], ...]:
    found: list[tuple[int, float]] = []
    for n, value in ((i + 1, float(values[i])) for i in np.flatnonzero(counted).tolist()):
        if not found or sign * value < sign * found[-1][1]:
            found.append((n, value))
    if found and found[-1][0] < len(values):
        found.append((len(values), found[-1][1]))
    return tuple(found)


def first(snapshot: Snapshot, n: int) -> Snapshot:
    """The study when its first n results were known, and the failures among the trials before the last of them."""
    done = snapshot.complete
    if n == len(done):
        return snapshot
    last = done[n - 1].number
    return snapshot.given([t for t in snapshot.trials if t.number <= last and t.state in ("complete", "failed")])


def _checkpoint(snapshot: Snapshot, n: int) -> Checkpoint:
    found = first(snapshot, n).recommendation
    return Checkpoint(n, found.mean, found.mean - Z95 * found.sd, found.mean + Z95 * found.sd)
