"""What a study needs of a place to keep its events: two verbs and a clock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from knowgrad.trial import Event


class OutOfDate(Exception):
    """The log has grown since the writer last read it; nothing was written. Between storage and study only."""


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
