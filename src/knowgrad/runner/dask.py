"""Evaluations on a Dask cluster, through the client its user made."""

from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from knowgrad.runner.closed import Closed

PATIENCE = 5.0  # seconds for a result to arrive, before a look at whether the client is still there


class DaskTasks:
    """Evaluates `f` on the workers of a Dask `Client`, which stays the user's to close.

    Dask itself runs an evaluation again whose worker died, as often as its setting
    `distributed.scheduler.allowed-failures` says; after that the trial fails with the reason Dask gives.
    """

    def __init__(self, f: Callable[..., Any], client: Any) -> None:
        self._f, self._client = f, client

    def submit(self, *args: Any, **heard: Any) -> "Future[Any]":
        self._check()
        # Not by the client's own executor, whose futures never end where a result is lost with the worker that had it.
        # Not pure: pure tasks with equal params would share one result.
        task = self._client.submit(self._f, *args, pure=False)
        answer: Future[Any] = Future()
        answer.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        task.add_done_callback(lambda done: self._relay(done, answer))
        self._check()  # a client that closed meanwhile may never call back
        return answer

    def close(self) -> None:
        """Nothing to do: the loop has cancelled what it gave up."""

    def _check(self) -> None:
        if self._client.status != "running":
            raise Closed(f"the Dask client is {self._client.status}")

    def _relay(self, task: Any, answer: "Future[Any]") -> None:
        """What came of a task, fetched in a thread of Dask's."""
        with suppress(InvalidStateError):  # given up meanwhile
            try:
                answer.set_result(self._fetch(task))
            except InvalidStateError:
                raise
            except BaseException as error:  # whatever the function or Dask has to say is the trial's reason
                answer.set_exception(error)

    def _fetch(self, task: Any) -> Any:
        """The result of a task that has ended. While a client closes, it may raise anything, or never answer."""
        while True:
            try:
                return task.result(PATIENCE)
            except BaseException as error:
                if task.status == "error":  # the function's own, a TimeoutError included
                    raise
                self._check()
                if not isinstance(error, TimeoutError):
                    raise
