"""One connection per process, used by one thread at a time, and never carried across a fork.

A connection that two processes believe to be theirs corrupts files and mixes up answers, even when the child only
closes it. So all connections are closed before a fork, once those at work have finished, and opened again when needed.
"""

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Connection(Generic[C]):
    """Opened by `open` when it is needed."""

    def __init__(self, open: Callable[[], C]) -> None:
        self._open = open
        self._lock = threading.RLock()
        self._raw: C | None = None
        self._farewell: weakref.finalize[..., Connection[C]] | None = None
        _ALL.add(self)

    @contextmanager
    def use(self) -> Iterator[C]:
        """The connection, for this thread alone."""
        with self._lock:
            if self._raw is None:
                self._raw = self._open()
                # Not __del__: in a cycle of garbage the raw connection might go first, still open.
                self._farewell = weakref.finalize(self, self._raw.close)
            yield self._raw

    def close(self) -> None:
        with self._lock:
            farewell, self._raw, self._farewell = self._farewell, None, None
            if farewell is not None:
                farewell()

    def hold(self) -> None:
        self._lock.acquire()
        self.close()

    def release(self) -> None:
        self._lock.release()


_ALL: "weakref.WeakSet[Connection[Any]]" = weakref.WeakSet()
_HELD: "list[Connection[Any]]" = []
_FORKING = threading.Lock()  # one thread at a time


def _before_fork() -> None:
    _FORKING.acquire()
    _HELD[:] = list(_ALL)
    for connection in _HELD:
        connection.hold()


def _after_fork() -> None:
    for connection in _HELD:
        connection.release()
    _HELD.clear()
    _FORKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
