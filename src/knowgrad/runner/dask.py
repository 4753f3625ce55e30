"""Evaluations on a Dask cluster, through the client its user made."""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from typing import Any


class DaskTasks:
    """Evaluates `f` on the workers of a Dask `Client`, which stays the user's to close.

    Dask itself runs an evaluation again whose worker died, as often as its setting
    `distributed.scheduler.allowed-failures` says; after that the trial fails with the reason Dask gives.
    """

    def __init__(self, f: Callable[..., Any], client: Any) -> None:
        self._f, self._client = f, client
        self._executor = client.get_executor(pure=False)  # pure tasks with equal params would share one result

    def submit(self, params: dict[str, Any]) -> "Future[Any]":
        if self._client.status != "running":
            raise BrokenExecutor(f"the Dask client is {self._client.status}")
        future: Future[Any] = self._executor.submit(self._f, params)
        return future

    def close(self) -> None:
        """Nothing to do: the loop has cancelled what it gave up."""
