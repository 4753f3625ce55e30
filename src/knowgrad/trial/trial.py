"""`Trial`: one try, from the moment it is queued or handed out until its outcome is corrected for the last time.

    queued --asked--> pending --told--> complete
                         |------failed--> failed
                         '-----expired--> expired --told--> complete      (a late result is still a result)

    complete, failed  --corrected--> complete or failed               (pending: those of several outcomes that are in)
                      --discarded--> discarded --restored--> what it was

Each arrow is an event of the log.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from knowgrad.outcomes import NOTHING, Measured, Outcomes
from knowgrad.outcomes.frozen import Frozen
from knowgrad.text import brief_repr
from knowgrad.trial.history import Change, Outcome, State


class Params(Frozen[Any]):
    """A dict that cannot be changed; it equals, pickles and becomes JSON as a plain dict does."""

    what = "params"


@dataclass(frozen=True, slots=True)
class Trial:
    """One trial: its params, its state, and its outcome."""

    id: str
    """Unique across studies."""
    number: int
    """0, 1, 2, … in the order in which the trials of a study were created."""
    params: Mapping[str, Any]
    state: State
    value: float | None = None
    sem: float | None = None
    """Standard error of `value`, if it is known."""
    reason: str | None = None
    """Why it failed, or was discarded."""
    source: str = ""
    """Where the point came from: "start", "queue", "added", "target" (verifies cheap evaluations), or the method."""
    batch: int | None = None
    """The number of the `ask` that handed it out."""
    worker: str | None = None
    """The name of the worker that took it, if it gave one."""
    retry_of: int | None = None
    """The number of the trial whose worker was lost, if this is another attempt at its point."""
    lease: float | None = None
    """Seconds for which its worker holds it, unless renewed; None: without limit."""
    deadline: float | None = None
    """When the lease ends unless it is renewed: seconds since 1970 on the clock of the storage."""
    traceback: str | None = None
    """Where it failed: the traceback of an exception, or the last lines that a program printed."""
    history: tuple[Change, ...] = ()
    """Its corrections, discards, restorations and notes, oldest first."""
    outcomes: Mapping[str, Measured] = NOTHING
    """In a study with named outcomes: those that are in, each a value and its standard error or None. Once it is
    complete, `value` and `sem` are those of the objective if there is one, and None if there are several."""
    measure: tuple[str, ...] | None = None
    """Which outcomes were asked for, if not all: with these it is complete."""
    curve: tuple[tuple[float, float], ...] = ()
    """Intermediate reports: pairs of a fidelity, such as epochs, and a value."""
    cost: float | None = None
    """What it cost, if that was told or measured, or follows from the study's `cost`."""
    paused: bool = field(default=False, repr=False)
    """Whether it is paused: a result where it stands, which can be continued at the cost of the rest."""
    continues: int | None = None
    """The number of the paused trial that this one continues."""
    began: float | None = field(default=None, compare=False)
    """When it was handed out, or added: seconds since 1970 on the clock of that process, for display only."""
    ended: float | None = field(default=None, compare=False)
    """When its outcome was recorded, likewise."""

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.state, self.value, self.sem, self.reason, self.outcomes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What people wrote about it, oldest first."""
        return tuple(change.reason or "" for change in self.history if change.kind == "noted")

    def __post_init__(self) -> None:
        if not isinstance(self.params, Params):
            object.__setattr__(self, "params", Params(self.params))
        if not isinstance(self.outcomes, Outcomes):
            object.__setattr__(self, "outcomes", Outcomes.of(self.outcomes))

    def but(self, **changes: Any) -> "Trial":
        """`dataclasses.replace`, several times as fast: a log of 10,000 trials is opened by 20,000 of these."""
        made = object.__new__(Trial)
        for put, value in zip(_PUT, _FIELDS(self), strict=False):
            put(made, value)
        for name, value in changes.items():
            object.__setattr__(made, name, value)
        return made

    def __hash__(self) -> int:
        return hash(self.id)

    __repr__ = brief_repr


_FIELDS = attrgetter(*(each.name for each in fields(Trial)))
_PUT = tuple(Trial.__dict__[each.name].__set__ for each in fields(Trial))
