"""An objective may fork, but only one process comes back out of it.

A child that `os.fork` made inside of the objective and that returns from it would go on as if it were the worker: it
would tell a result of its own, or take the next point and answer for it. It ends instead.
"""

import os
from collections.abc import Callable
from typing import Any, NoReturn

from knowgrad.text import note


class OneProcess:
    """The function `f`, out of which only the process comes back that went in."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f

    def __call__(self, *args: Any) -> Any:
        home = os.getpid()
        try:
            return self._f(*args)
        finally:
            stay(home)


def stay(home: int) -> None:
    """Does not return in any process but this one."""
    if os.getpid() != home:
        _leave(home)


def _leave(home: int) -> NoReturn:
    """At once: what is to be cleaned up at the end of a process belongs to the one that this is a copy of."""
    try:
        note(
            f"process {os.getpid()}, which the objective forked in process {home}, came back out of the objective and "
            "ends here; its result does not count: end such a child with os._exit() inside of the objective"
        )
    finally:
        os._exit(1)
