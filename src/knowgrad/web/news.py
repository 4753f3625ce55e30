"""Which trials of a study changed since a client last looked, so that a long list of them is sent once."""

from __future__ import annotations

import threading

from knowgrad.study import Study
from knowgrad.trial import Trial


class News:
    """Remembers the trials as they were last seen: one that changed is another object."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._lock = threading.Lock()
        self._seen: tuple[Trial, ...] = ()
        self._touched: list[int] = []

    def since(self, version: int) -> tuple[int, list[Trial]]:
        """The version of the study to name the next time, and the trials changed after the one named now.

        Some may be sent twice, none is left out: what happens between two looks counts as later than both.
        """
        with self._lock:
            before = self._study.version
            trials = self._study.trials
            now = self._study.version
            known = len(self._seen)
            for number, trial in enumerate(trials):
                if number >= known:
                    self._touched.append(now)
                elif trial is not self._seen[number]:
                    self._touched[number] = now
            self._seen = trials
            changed = [trial for trial, touched in zip(trials, self._touched, strict=True) if touched > version]
            return before, changed
