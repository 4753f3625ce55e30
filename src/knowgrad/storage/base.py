"""What a study needs of a place to keep its events: two verbs."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from knowgrad.trial import Event


class OutOfDate(Exception):
    """The log has grown since the writer last read it; nothing was written. Between storage and study only."""


@runtime_checkable
class Storage(Protocol):
    """An append-only log of events, shared by any number of readers and writers."""

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        """Write all `events` or none and return the new length of the log.

        Raises `OutOfDate` unless the log is `expected` events long; None writes in any case.
        """
        ...

    def read(self, after: int = 0) -> list[Event]:
        """The events after the first `after`, oldest first."""
        ...
