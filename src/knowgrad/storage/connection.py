"""One connection per process, used by one thread at a time, whole after an interrupt, and never carried across a fork.

An interrupt (Ctrl-C, or any exception that a signal handler raises) may come between any two steps. A connection that
it leaves in the middle of something is closed: the database then takes the transaction back, and its locks are free.

A connection that two processes believe to be theirs corrupts files and mixes up answers, even when the child only
closes it. So all connections are closed before a fork, once those at work have finished, and opened again when needed.
"""

import threading
import weakref
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from knowgrad.storage.forks import around_forks

GRACE = 2.0  # seconds that a fork waits for the others at work, where their connection may be left to them


class Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)
T = TypeVar("T")


def prepared(raw: C, prepare: Callable[[C], Any]) -> C:
    """A connection that is made ready for use; it is closed if that fails."""
    try:
        prepare(raw)
    except BaseException:
        raw.close()
        raise
    return raw


class Connection(Generic[C]):
    """Opened by `open` when it is needed; `is_idle`: is it between two transactions?

    `may_be_left`: a child may open another while the parent's threads are at work with this one. SQLite may not: what
    it knows about locks is kept for the whole process, and a child would believe to have the locks of its parent.
    """

    def __init__(self, open: Callable[[], C], is_idle: Callable[[C], bool], *, may_be_left: bool = False) -> None:
        self._open, self._is_idle = open, is_idle
        self._patience = GRACE if may_be_left else -1.0  # as for acquire: -1 waits for as long as it takes
        self._lock = threading.RLock()
        self._held: tuple[C, weakref.finalize[..., Any]] | None = None
        with _FORKING:  # not while a fork looks at them all
            _ALL.add(self)

    def run(self, work: Callable[[C], T]) -> T:
        """What `work` makes of the connection, which this thread has for itself meanwhile."""
        with self._lock:
            raw = self._ready()
            try:
                return work(raw)
            except Exception:
                if not self._is_idle(raw):
                    self.close()
                raise
            except BaseException:  # an interrupt: who knows what it has interrupted
                self.close()
                raise

    def close(self) -> None:
        with self._lock:
            held, self._held = self._held, None
            if held is not None:
                held[1]()

    def _ready(self) -> C:
        if self._held is not None and not self._is_idle(self._held[0]):
            self.close()  # a second interrupt came while the first was cleaned up after
        if self._held is None:
            raw = self._open()
            # Not __del__: in a cycle of garbage the raw connection might go first, still open.
            self._held = raw, weakref.finalize(self, raw.close)
        return self._held[0]

    def hold(self) -> bool:
        """Close it, and let nobody open it until `release`; False if it has to be left to the thread at work."""
        if not self._lock.acquire(timeout=self._patience):
            return False
        self.close()
        return True

    def release(self) -> None:
        self._lock.release()

    def leave(self) -> None:
        """In a child: forget the connection that a thread of the parent is at work with, without touching it."""
        self._lock = threading.RLock()
        held, self._held = self._held, None
        if held is not None:
            held[1].detach()
            _LEFT.append(held[0])


_ALL: "weakref.WeakSet[Connection[Any]]" = weakref.WeakSet()
_HELD: "list[Connection[Any]]" = []
_AT_WORK: "list[Connection[Any]]" = []
_LEFT: list[Any] = []  # never closed here: they are the parent's
_FORKING = threading.Lock()  # one thread at a time


def _before_fork() -> None:
    _FORKING.acquire()
    for connection in list(_ALL):
        (_HELD if connection.hold() else _AT_WORK).append(connection)


def _in_parent() -> None:
    for connection in _HELD:
        connection.release()
    _HELD.clear()
    _AT_WORK.clear()
    _FORKING.release()


def _in_child() -> None:
    for connection in _AT_WORK:
        connection.leave()
    _in_parent()


around_forks(_before_fork, _in_parent, _in_child)
