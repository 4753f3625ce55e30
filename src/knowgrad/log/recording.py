"""`Recording`: the part of a study that takes what came of trials."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from knowgrad.errors import SuspiciousResultWarning
from knowgrad.log.added import added
from knowgrad.log.editing import Editing
from knowgrad.log.ledger import Ledger
from knowgrad.log.settle import Value, outcome, priced, settled
from knowgrad.log.several import outcomes
from knowgrad.log.spacing import Spacing, Valid
from knowgrad.space import Params
from knowgrad.storage import Clock
from knowgrad.text import plain
from knowgrad.trial import Event, Trial


class Recording(Editing, Spacing):
    """Outcomes of trials, results from elsewhere, and points to try first. Each is one change of the log."""

    def _doubt(self, trial: Trial | str | int | Mapping[str, Any], kind: str, data: Mapping[str, Any]) -> str | None:
        raise NotImplementedError

    def _came(self, value: Value, sem: float | None, cost: float | None = None) -> tuple[str, dict[str, Any]]:
        """The kind and data of the event that a result makes."""
        goals = self.goals
        kind, data = outcomes(value, sem, goals) if goals.objectives else outcome(value, sem, self.direction)
        return kind, data if cost is None else data | priced(cost)

    def _cost_of(self, trial: object, cost: float | None) -> float | None:
        raise NotImplementedError

    def tell(
        self,
        trial: Trial | str | int,
        value: Value,
        sem: float | None = None,
        *,
        cost: float | None = None,
        check: bool = True,
    ) -> Trial:
        """Record the result of a trial, with its standard error and what it cost, if these are known.

        In a study with named outcomes, `value` is a dict of those that are in, `{"yield": 91.2, "price": (3.1, 0.2)}`,
        each a value or a pair of a value and its standard error; others may follow. The trial is complete when all that
        were asked for are in.

        Telling the same again is fine; anything else is refused. NaN, or the infinity that is worst for the direction,
        is a failure. A result that looks like a mistake is recorded with a `SuspiciousResultWarning`, unless `check` is
        False: see `doubt`.
        """
        kind, data = self._came(value, sem, self._cost_of(trial, cost))
        if check and (why := self._doubt(trial, kind, data)):
            point_out(why)
        return self._settle(trial, kind, data)

    def fail(
        self, trial: Trial | str | int, reason: str, traceback: str | None = None, *, cost: float | None = None
    ) -> Trial:
        """Record that a trial failed, where, and what it cost. Its point counts as tried, without a value."""
        said = {"reason": reason} if traceback is None else {"reason": reason, "traceback": traceback}
        paid = priced(self._cost_of(trial, cost))
        return self._settle(trial, "failed", {key: plain(text) for key, text in said.items()} | paid)

    def expire(self, trial: Trial | str | int) -> Trial:
        """Give up waiting for a trial: it is no longer pending. A late `tell` is still accepted."""
        return self._settle(trial, "expired", {})

    def add(
        self,
        params: Mapping[str, Any],
        value: Value,
        sem: float | None = None,
        *,
        cost: float | None = None,
        check: bool = True,
    ) -> Trial:
        """Record a result obtained elsewhere. It counts towards the starting design. `check`: as for `tell`.

        Of named outcomes some are enough: the trial is then complete.
        """
        valid = self._validated(params)
        kind, data = self._came(value, sem, self._cost_of(valid.params, cost))
        if check and (why := self._doubt(valid.params, kind, data)):
            point_out(why)
        return self._new(valid, lambda number, params: added(number, params, kind, data, self.goals))

    def enqueue(self, params: Mapping[str, Any]) -> Trial:
        """Queue this point to be tried before any other: the next `ask` hands it out, in the order of the queue."""
        valid = self._validated(params)

        def queued(number: int, params: Params) -> list[Event]:
            return [Event("queued", {"number": number, "params": params, "source": "queue"})]

        return self._new(valid, queued)

    def _new(self, valid: Valid, events: Callable[[int, Params], Sequence[Event]]) -> Trial:
        """The trial that these events make, given its number and its params."""

        def decide(ledger: Ledger, now: Clock) -> Sequence[Event]:
            return events(len(ledger.trials), self._still(valid, ledger))

        with self._log.lock:
            return self._log.commit(decide).trials[-1]

    def _settle(self, trial: object, kind: str, data: Mapping[str, Any]) -> Trial:
        with self._log.lock:
            return self._log.commit(lambda ledger, now: settled(ledger, trial, kind, data)).find(trial)


def point_out(why: str) -> None:
    """To whoever called the study's method that calls this."""
    remedy = "if it is a mistake, study.correct(trial, value) puts it right"
    warnings.warn(f"{why}; {remedy}", SuspiciousResultWarning, stacklevel=3)
