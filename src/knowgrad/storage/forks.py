"""What a child made by fork has to put right.

A child has one thread. A lock that another thread of the parent held would stay locked in the child for ever, so
whoever has locks says here how to make new ones.
"""

import os
import threading
import weakref
from collections.abc import Callable
from typing import Protocol


class Locked(Protocol):
    """Something with locks of its own."""

    def unlock(self) -> None:
        """Make new locks: nobody holds the old ones any more. What they guard must be usable at any moment."""
        ...


_ALL: "weakref.WeakSet[Locked]" = weakref.WeakSet()
_ADDING = threading.Lock()


def unlocked_in_children(owner: Locked) -> None:
    """Have `owner.unlock` called in every child that inherits it."""
    with _ADDING:
        _ALL.add(owner)


def around_forks(before: Callable[[], None], in_parent: Callable[[], None], in_child: Callable[[], None]) -> None:
    """Have these called around every fork, where the system knows forks."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=before, after_in_parent=in_parent, after_in_child=in_child)


def _before() -> None:
    _ADDING.acquire()


def _in_child() -> None:
    _ADDING.release()
    for owner in list(_ALL):
        owner.unlock()


around_forks(_before, _ADDING.release, _in_child)
