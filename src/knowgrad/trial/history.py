"""Where a trial stands, and what was done about it or about the space later on: a study's audit trail."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knowgrad.outcomes import NOTHING, Measured
from knowgrad.text import one_line

State = Literal["queued", "pending", "complete", "failed", "expired", "discarded"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a trial stands: see the fields of `Trial`."""

    state: State
    value: float | None = None
    sem: float | None = None
    reason: str | None = None
    outcomes: Mapping[str, Measured] = NOTHING


@dataclass(frozen=True, slots=True)
class Change:
    """What somebody did to a trial after its outcome was recorded, or a note: a line of its audit trail."""

    kind: str
    """corrected, discarded, restored or noted."""
    time: float
    """Seconds since 1970 on the clock of the storage."""
    by: str | None
    """Who did it, if they said."""
    reason: str | None
    """Why; of a note, its text."""
    old: Outcome
    new: Outcome
    key: str | None = None
    """A name for the request, if it was given one: what is asked again with the same key is not done again."""


@dataclass(frozen=True, slots=True)
class SpaceChange:
    """How the space of a study was changed, and what became of points that were waiting."""

    lines: tuple[str, ...]
    """What changed, in words."""
    time: float
    """Seconds since 1970 on the clock of the storage."""
    by: str | None
    """Who did it, if they said."""
    reason: str | None
    trials: int
    """How many trials there were: those with a lower number are from before."""
    unqueued: tuple[int, ...] = ()
    """The numbers of queued points that have no place in the new space; they are no longer queued."""
    key: str | None = None
    """A name for the request, if it was given one."""

    def __str__(self) -> str:
        lines = self.lines or ("nothing changed",)
        gone = [f"no longer queued: {', '.join(map(str, self.unqueued))}"] if self.unqueued else []
        return "\n".join([*map(one_line, lines), *gone])
