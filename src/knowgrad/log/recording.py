"""`Recording`: the part of a study that takes what came of trials."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from knowgrad.errors import SuspiciousResultWarning
from knowgrad.log.added import added
from knowgrad.log.editing import Editing
from knowgrad.log.settle import outcome, settled
from knowgrad.space import Space
from knowgrad.text import plain
from knowgrad.trial import Event, Trial


class Recording(Editing):
    """Outcomes of trials, results from elsewhere, and points to try first. Each is one change of the log."""

    _space: Space

    def _doubt(self, trial: Trial | str | int | Mapping[str, Any], kind: str, data: Mapping[str, Any]) -> str | None:
        raise NotImplementedError

    def tell(self, trial: Trial | str | int, value: float, sem: float | None = None, *, check: bool = True) -> Trial:
        """Record the result of a trial, with its standard error if that is known.

        Telling the same again is fine; anything else is refused. NaN, or the infinity that is worst for the direction,
        makes the trial a failed one. A result that looks like a mistake is recorded, and pointed out by a
        `SuspiciousResultWarning`, unless `check` is False: see `doubt`.
        """
        kind, data = outcome(value, sem, self.direction)
        if check and (why := self._doubt(trial, kind, data)):
            point_out(why)
        return self._settle(trial, kind, data)

    def fail(self, trial: Trial | str | int, reason: str, traceback: str | None = None) -> Trial:
        """Record that a trial came to nothing, and where. Its point counts as tried, without a value."""
        said = {"reason": reason} if traceback is None else {"reason": reason, "traceback": traceback}
        return self._settle(trial, "failed", {key: plain(text) for key, text in said.items()})

    def expire(self, trial: Trial | str | int) -> Trial:
        """Give up waiting for a trial: it is no longer pending. A late `tell` is still accepted."""
        return self._settle(trial, "expired", {})

    def add(self, params: Mapping[str, Any], value: float, sem: float | None = None, *, check: bool = True) -> Trial:
        """Record a result obtained elsewhere. It counts towards the starting design. `check`: as for `tell`."""
        params = self._space.validate(params)
        kind, data = outcome(value, sem, self.direction)
        if check and (why := self._doubt(params, kind, data)):
            point_out(why)
        return self._new(lambda number: added(number, params, kind, data))

    def enqueue(self, params: Mapping[str, Any]) -> Trial:
        """Have this point tried before any other: the next `ask` hands it out, in the order of the queue."""
        params = self._space.validate(params)
        return self._new(lambda number: [Event("queued", {"number": number, "params": params, "source": "queue"})])

    def _new(self, events: Callable[[int], Sequence[Event]]) -> Trial:
        """The trial that these events make, given its number."""
        with self._log.lock:
            trials = self._log.commit(lambda ledger, now: events(len(ledger.trials))).trials
            return trials[-1]

    def _settle(self, trial: object, kind: str, data: Mapping[str, Any]) -> Trial:
        with self._log.lock:
            return self._log.commit(lambda ledger, now: settled(ledger, trial, kind, data)).find(trial)


def point_out(why: str) -> None:
    """To whoever called the study's method that calls this."""
    remedy = "if it is a mistake, study.correct(trial, value) puts it right"
    warnings.warn(f"{why}; {remedy}", SuspiciousResultWarning, stacklevel=3)
