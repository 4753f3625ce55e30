"""Where evaluations run: in this process, in processes of its own, on an executor, on Dask or on Ray.

The loop sees none of these, only `submit(*args) -> Future`.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from knowgrad.errors import ArgumentError
from knowgrad.runner.dask import DaskTasks
from knowgrad.runner.forks import OneProcess
from knowgrad.runner.objective import Objective
from knowgrad.runner.overrun import Limited
from knowgrad.runner.processes import Processes
from knowgrad.runner.ray import RayTasks
from knowgrad.runner.steps import Hear, followed
from knowgrad.text import shown

Submit = Callable[..., "Future[Any]"]


POOLS = (ThreadPoolExecutor, ProcessPoolExecutor)


class Executor(Protocol):
    """What the loop needs of an executor; those of `concurrent.futures` have it."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]": ...


class Evaluator(Protocol):
    """One way to evaluate the objective."""

    def submit(self, *args: Any, **heard: Any) -> "Future[Any]": ...

    def close(self) -> None:
        """End what was started for this run, and nothing else."""
        ...


@contextmanager
def evaluating(
    f: Objective, workers: int, executor: object, *, apart: bool = False, limit: float | None = None
) -> Iterator[Submit]:
    """What starts one evaluation of `f`, for at most `limit` seconds.

    `apart`: in a process of its own also if there is a single worker.
    """
    evaluator = _evaluator(f, workers, executor, apart, limit)
    try:
        if executor is None:
            yield evaluator.submit
        elif limit is None:
            yield partial(_unheard, evaluator.submit)
        else:
            yield partial(_limited, evaluator.submit, limit, isinstance(executor, POOLS))
    finally:
        evaluator.close()


def _unheard(submit: Submit, *args: Any, hear: Hear) -> "Future[Any]":
    """From an executor come results only."""
    return submit(*args)


def _limited(submit: Submit, limit: float, says_when: bool, *args: Any, hear: Hear) -> "Future[Any]":
    return Limited(submit(*args), limit, says_when=says_when).answer


def _evaluator(f: Objective, workers: int, executor: Any, apart: bool, limit: float | None) -> Evaluator:
    if executor is None:
        return Processes(f, workers, limit) if apart or workers > 1 else _Here(f)
    if executor == "ray":
        return RayTasks(f, None)
    if isinstance(executor, str) and executor.startswith("ray://"):
        return RayTasks(f, executor)
    if callable(getattr(executor, "get_executor", None)):
        return DaskTasks(f, executor)
    if callable(getattr(executor, "submit", None)):
        return _Executor(f, executor)
    raise ArgumentError(
        'executor: expected an executor with submit(), a Dask Client, "ray" or "ray://host:port", '
        f"got {shown(executor)}; leave it out to use processes on this machine"
    )


class _Executor:
    """The user's executor, left running."""

    def __init__(self, f: Objective, executor: Executor) -> None:
        # On another machine there may be no knowgrad to wrap a function.
        is_here = isinstance(executor, POOLS)
        self._f: Objective = OneProcess(f) if is_here else f
        self._executor = executor

    def submit(self, *args: Any, **heard: Any) -> "Future[Any]":
        return self._executor.submit(self._f, *args)

    def close(self) -> None:
        """It is not ours to end."""


class _Here:
    """This process: `submit` returns when the evaluation has ended."""

    def __init__(self, f: Objective) -> None:
        self._f = OneProcess(f)

    def submit(self, *args: Any, hear: Hear) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(followed(self._f(*args), hear))
        except KeyboardInterrupt:  # that is for the run, not for the trial
            raise
        except BaseException as error:  # SystemExit and what cancels a coroutine included
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing was started."""
