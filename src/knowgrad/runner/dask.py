"""Evaluations on a Dask cluster, through the client its user made."""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, InvalidStateError
from contextlib import suppress
from typing import Any


class DaskTasks:
    """Evaluates `f` on the workers of a Dask `Client`, which stays the user's to close.

    Dask itself runs an evaluation again whose worker died, as often as its setting
    `distributed.scheduler.allowed-failures` says; after that the trial fails with the reason Dask gives.
    """

    def __init__(self, f: Callable[..., Any], client: Any) -> None:
        self._f, self._client = f, client

    def submit(self, params: dict[str, Any]) -> "Future[Any]":
        if self._client.status != "running":
            raise BrokenExecutor(f"the Dask client is {self._client.status}")
        # Not by the client's own executor, whose futures never end where a result is lost with the worker that had it.
        # Not pure: pure tasks with equal params would share one result.
        task = self._client.submit(self._f, params, pure=False)
        answer: Future[Any] = Future()
        answer.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        task.add_done_callback(lambda done: _relay(done, answer))
        return answer

    def close(self) -> None:
        """Nothing to do: the loop has cancelled what it gave up."""


def _relay(task: Any, answer: "Future[Any]") -> None:
    """What came of a task, fetched in a thread of Dask's."""
    with suppress(InvalidStateError):  # given up meanwhile
        try:
            answer.set_result(task.result())
        except InvalidStateError:
            raise
        except BaseException as error:  # whatever the function or Dask has to say is the trial's reason
            answer.set_exception(error)
