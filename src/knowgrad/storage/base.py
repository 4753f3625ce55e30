"""What a study needs of a place to keep its events: two verbs and a clock."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from knowgrad.trial import Event


class OutOfDate(Exception):
    """The log has grown since the writer last read it; nothing was written. Between storage and study only."""


class Page(list[Event]):
    """Events of a log, and the latest renewals of leases where a storage keeps these beside the log.

    A log of every renewal would grow for as long as anybody is at work. So a storage may take events of the kind
    "renewed" out of what it appends, keep the last one for each trial until that is settled, and hand all of them out
    with every page. They are then no part of the log, nor of its length.
    """

    def __init__(self, events: Iterable[Event] = (), leases: "Sequence[Renewal]" = ()) -> None:
        super().__init__(events)
        self.leases = leases


Renewal = tuple[int, float, float]  # the number of a trial, its lease, its deadline


@runtime_checkable
class Storage(Protocol):
    """An append-only log of events, shared by any number of readers and writers; `knowgrad.testing` tests one."""

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        """Write all `events` or none and return the new length of the log. They are there for good once it returns.

        Raises `OutOfDate` unless the log is `expected` events long; None writes in any case.
        """
        ...

    def read(self, after: int = 0) -> list[Event]:
        """The events after the first `after`, oldest first."""
        ...

    def now(self) -> float:
        """Seconds since 1970 on one clock that all users of this log share. Nothing is ever ordered by it."""
        ...


Clock = Callable[[], float]
Decide = Callable[[list[Event], Clock], Sequence[Event]]


@runtime_checkable
class Exclusive(Storage, Protocol):
    """A storage that can keep other writers out for a moment, so that in a crowd nobody decides in vain."""

    def amend(self, after: int, decide: Decide) -> None:
        """Append what `decide` makes of the events after the first `after`, while nobody else can append.

        `decide` also gets the clock to use meanwhile, and uses this log in no other way. It may be called again, with
        what has come since the last call, if the storage lost the lock and nothing was written. An exception of its
        leaves the log as it was. The events are there for good once `amend` returns.
        """
        ...


@dataclass(frozen=True)
class StoredStudy:
    """A study of a database, as a list of them shows it."""

    name: str
    uid: str
    events: int
    created: float
    """Seconds since 1970 on the clock of the storage."""
