"""Evaluations on Ray: a cluster that is running, or one started for this run."""

from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from knowgrad.errors import ArgumentError, MissingPackageError
from knowgrad.runner.closed import Closed


class _Remote(Exception):
    """Where the function raised it, in words."""


class RayTasks:
    """Evaluates `f` as Ray tasks.

    Ray itself runs an evaluation again whose worker died, three times unless it is configured otherwise; after that
    the trial fails with the reason Ray gives.
    """

    def __init__(self, f: Callable[..., Any], address: str | None) -> None:
        """`address`: None takes what RAY_ADDRESS says, or starts Ray on this machine."""
        try:
            import ray
        except ImportError as error:
            raise MissingPackageError(
                'executor: expected Ray to be installed, got none; pip install "ray[client]"'
            ) from error
        self._ray, self._is_mine = ray, not ray.is_initialized()
        if self._is_mine:
            try:
                ray.init(address, include_dashboard=None if address else False, log_to_driver=False)
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise ArgumentError(
                    f"executor: expected the address of a running Ray cluster, got {address!r} ({error}); "
                    'pass "ray" to start one on this machine'
                ) from error
        self._task = ray.remote(f)

    def submit(self, *args: Any, **heard: Any) -> "Future[Any]":
        if not self._ray.is_initialized():
            raise Closed("Ray has been shut down")
        ref = self._task.remote(*args)
        answer: Future[Any] = Future()
        answer.add_done_callback(lambda done: self._ray.cancel(ref, force=True) if done.cancelled() else None)
        ref.future().add_done_callback(lambda done: self._relay(done, answer))
        return answer

    def close(self) -> None:
        if self._is_mine:
            self._ray.shutdown()

    def _relay(self, source: "Future[Any]", answer: "Future[Any]") -> None:
        error = source.exception()
        with suppress(InvalidStateError):  # given up meanwhile
            if isinstance(error, self._ray.exceptions.RayTaskError):
                error.cause.__cause__ = _Remote(str(error))
                answer.set_exception(error.cause)  # what the function raised, without Ray's traceback around it
            elif error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(source.result())
