"""A log that lives as long as the process."""

import threading
import time
from collections.abc import Sequence

from knowgrad.storage.base import OutOfDate
from knowgrad.storage.forks import unlocked_in_children
from knowgrad.trial import Event


class Memory:
    """Events in a list, safe to share between threads."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lock = threading.Lock()
        unlocked_in_children(self)

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        with self._lock:
            if expected is not None and expected != len(self._events):
                raise OutOfDate
            self._events.extend(events)
            return len(self._events)

    def read(self, after: int = 0) -> list[Event]:
        with self._lock:
            return self._events[after:]

    def now(self) -> float:
        return time.time()

    def unlock(self) -> None:
        self._lock = threading.Lock()
