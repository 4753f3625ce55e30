"""One BLAS thread while a batch is computed: sums are then made in one order, so answers do not depend on the machine's
thread settings, and worker processes do not fight over cores. The matrices are too small to gain from more."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
R = TypeVar("R")


@cache
def _controller() -> Any:
    return ThreadpoolController()  # looks for libraries once: made at the first call, when NumPy and SciPy are loaded


def one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Run `function` with one BLAS thread."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _controller().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited
