"""A storage that cannot be reached is waited for, with messages that are few enough to be read.

What a call of the storage can wait for by itself is its own affair. Here it is about longer outages: a server that is
restarted, a network that is repaired, a disk on which somebody makes room, a file that is put back.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from knowgrad.errors import StorageFullError, StorageMovedError, StorageUnreachableError
from knowgrad.text import note

PATIENCE = 600.0  # seconds
POLL = 1.0
AGAIN = 60.0  # seconds from one line about an outage to the next
AWAY = (StorageUnreachableError, StorageFullError, StorageMovedError)  # what somebody may put right meanwhile

T = TypeVar("T")


class Outage:
    """Reports an outage when it is noticed, once a minute, and when it is over."""

    def __init__(self, consequence: str, end: str) -> None:
        self._consequence, self._end = consequence, end
        self._began: float | None = None
        self._said = 0.0

    def lasts(self, error: BaseException) -> float:
        """Notice it (once more); returns for how many seconds that has been so."""
        now = time.monotonic()
        if self._began is None:
            self._began = now
            note(f"{error}; {self._consequence}")
        elif now - self._said >= AGAIN:
            note(f"still so after {now - self._began:.0f} s: {error}; {self._consequence}")
        else:
            return now - self._began
        self._said = now
        return now - self._began

    def is_over(self) -> None:
        """Notice that all is well (still)."""
        if self._began is not None:
            note(f"{self._end} after {time.monotonic() - self._began:.0f} s")
            self._began = None


class Patience:
    """How long a run waits for its storage. Once that is used up, nothing is waited for until the storage is back."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._seconds = seconds
        consequence = f"results are kept, waiting up to {seconds:g} s for the storage"
        self._outage = Outage(consequence, "the storage is there again")

    def through(self, step: Callable[[], T]) -> T:
        """What the step returns, tried again until the storage can be reached. It must be safe to repeat."""
        while True:
            try:
                result = step()
            except AWAY as error:
                if self._seconds == 0 or self._outage.lasts(error) >= self._seconds:
                    raise
                time.sleep(POLL)
            else:
                self._outage.is_over()
                return result
