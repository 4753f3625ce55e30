"""Keeps the leases of trials that are being evaluated, from a thread, for as long as this process lives."""

import threading
from types import TracebackType
from typing import Self

from knowgrad.errors import StorageError
from knowgrad.study import Study
from knowgrad.trial import Trial


class Renewer:
    """Renews at a third of the lease, so that two renewals may fail before a point is given to somebody else.

    with Renewer(study, lease=60.0) as held:
        (trial,) = study.ask(lease=60.0)
        held.add(trial)
        ...
        held.remove(trial)
    """

    def __init__(self, study: Study, lease: float) -> None:
        self._study, self._lease = study, lease
        self._held: dict[str, Trial] = {}
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._renew, name="knowgrad-renewer", daemon=True)

    def add(self, *trials: Trial) -> None:
        with self._lock:
            self._held |= {trial.id: trial for trial in trials}

    def remove(self, *trials: Trial) -> None:
        """Before or after their outcome is told: renewing what is settled changes nothing."""
        with self._lock:
            for trial in trials:
                self._held.pop(trial.id, None)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _renew(self) -> None:
        while not self._ended.wait(self._lease / 3):  # waits by a monotonic clock
            with self._lock:
                trials = list(self._held.values())
            try:
                self._study.renew(*trials, lease=self._lease)
            except StorageError:
                continue  # the lease is good for two more attempts; if they fail too, telling the result will say so
