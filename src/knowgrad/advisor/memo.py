"""What was computed before: each value once, however many threads ask for it."""

import os
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """Values by key. Whoever asks for one while it is being computed waits for it; an error is not kept."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}
        self._locks: dict[Hashable, threading.Lock] = {}
        self._process = os.getpid()

    def get(self, key: Hashable, compute: Callable[[], T]) -> T:
        """The value of the key, computed if it is not there yet. To compute it may take values of other keys."""
        if key not in self._kept:
            with self._lock(key):
                if key not in self._kept:
                    self._kept[key] = compute()
        found: T = self._kept[key]
        return found

    def find(self, key: Hashable) -> Any:
        """The value of the key if it is there, else None."""
        return self._kept.get(key)

    def _lock(self, key: Hashable) -> threading.Lock:
        """In a child made by fork a new one: a thread that held the old one is not there to let it go."""
        if self._process != os.getpid():
            self._locks, self._process = {}, os.getpid()
        return self._locks.setdefault(key, threading.Lock())
