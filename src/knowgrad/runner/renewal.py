"""A thread that renews the leases of the points in hand, so that only those of a process that has died run out."""

import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from knowgrad.errors import StorageError
from knowgrad.runner.patience import Outage
from knowgrad.runner.studies import Runnable
from knowgrad.trial import Trial


class Renewer:
    """Renews at a third of the lease: two renewals may go wrong before anything is lost."""

    def __init__(self, study: Runnable, lease: float) -> None:
        self._study, self._lease = study, lease
        self._held: list[Trial] = []
        consequence = "leases could not be renewed, others may take the points when they end"
        self._outage = Outage(consequence, "leases are renewed again")
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="knowgrad leases", daemon=True)

    def hold(self, trials: Iterable[Trial]) -> None:
        """From now on, until they are settled."""
        with self._lock:
            self._held.extend(trials)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._lease / 3):
            with self._lock:
                held = self._held
            if not held:
                continue
            try:
                renewed = self._study.renew(*held, lease=self._lease)
            except StorageError as error:  # it may be there again the next time
                self._outage.lasts(error)
                continue
            self._outage.is_over()
            settled = {trial.number for trial in renewed if trial.state != "pending"}
            with self._lock:
                self._held = [trial for trial in self._held if trial.number not in settled]
