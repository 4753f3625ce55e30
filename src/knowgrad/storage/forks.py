"""What a child made by fork has to put right.

A child has one thread. A lock that another thread of the parent held would stay locked in the child for ever, so
whoever has locks says here how to make new ones. Python has two kinds of its own: a fork waits for what is being loaded
(`LOADING`), and up to Python 3.11 every `cached_property` has one, which is made anew.
"""

import os
import sys
import threading
import weakref
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

LOADING = threading.RLock()
"""To be held while modules are loaded at the first use."""


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
    LOADING.acquire()
    _ADDING.acquire()


def _in_parent() -> None:
    _ADDING.release()
    LOADING.release()


def _in_child() -> None:
    _in_parent()
    for owner in list(_ALL):
        owner.unlock()
    for module in [module for name, module in sys.modules.items() if name.startswith("knowgrad.")]:
        for each in vars(module).values():
            if isinstance(each, type):
                _unlock_properties(each)


def _unlock_properties(owner: type) -> None:
    for each in vars(owner).values():
        if isinstance(each, cached_property) and "lock" in vars(each):
            vars(each)["lock"] = threading.RLock()


around_forks(_before, _in_parent, _in_child)
