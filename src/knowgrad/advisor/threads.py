"""One BLAS thread while a batch is computed: sums are then made in one order, so answers do not depend on the machine's
thread settings, and worker processes do not fight over cores. The matrices are too small to gain from more."""

import os
import threading
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
R = TypeVar("R")

_SETTING = [threading.RLock()]  # BLAS has a lock of its own meanwhile, so a fork waits: a child would never get it
_FORKING: list[bool] = []


def _before_fork() -> None:
    _SETTING[-1].acquire()
    _FORKING.append(True)


def _in_parent() -> None:
    if _FORKING:  # not if this module was loaded when the fork had begun
        _FORKING.pop()
        _SETTING[-1].release()


def _in_child() -> None:
    _FORKING.clear()
    _SETTING[:] = [threading.RLock()]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)


@cache
def _controller() -> Any:
    return ThreadpoolController()  # looks for libraries once: made at the first call, when NumPy and SciPy are loaded


def one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Run `function` with one BLAS thread."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _SETTING[-1]:
            limit = _controller().limit(limits=1, user_api="blas")
        try:
            return function(*args, **kwargs)
        finally:
            with _SETTING[-1]:
                limit.restore_original_limits()

    return limited
