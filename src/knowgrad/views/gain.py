"""What another batch was expected to be worth, over time: the curve that says when to stop."""

from __future__ import annotations

from dataclasses import dataclass

from knowgrad.advisor.snapshot import Snapshot
from knowgrad.trial import Gain
from knowgrad.views.history import FIRST, first
from knowgrad.views.thin import stops

CHECKPOINTS = 12


@dataclass(frozen=True, slots=True)
class Gains:
    """The expected improvement of the recommendation by `q` more points, with its standard error, after n results."""

    q: int
    n: tuple[int, ...]
    value: tuple[float, ...]
    sem: tuple[float, ...]
    threshold: float | None
    """Below this a run with `stop_gain` ends."""


def gains(snapshot: Snapshot, *, q: int = 1, threshold: float | None = None, checkpoints: int = CHECKPOINTS) -> Gains:
    """At most `checkpoints` (12) moments of the study, each of which costs one fit and one batch."""
    counts = stops(len(snapshot.complete), FIRST, checkpoints)
    found: list[Gain] = [first(snapshot, n).gain(q) for n in counts]
    return Gains(q, tuple(counts), tuple(float(g) for g in found), tuple(g.sem for g in found), threshold)
