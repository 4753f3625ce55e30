"""`Editing`: the part of a study that puts mistakes right."""

from types import EllipsisType
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.log.basis import Basis
from knowgrad.log.changes import Said, changed
from knowgrad.log.ledger import Ledger
from knowgrad.log.settle import Value, outcome
from knowgrad.log.several import correction
from knowgrad.outcomes import Goals
from knowgrad.storage import Clock
from knowgrad.text import plain
from knowgrad.trial import Event, Trial


class Editing(Basis):
    """Corrections, discards and notes. Each is one event; the log keeps what was there before: see `Trial.history`.

    `by` says who does it. What is asked a second time with the same `key` is not done again, whatever happened since:
    for requests that are repeated because no answer came. Without a key, what a trial shows already is not done again.
    """

    def correct(
        self,
        trial: Trial | str | int,
        value: Value | None = None,
        sem: float | EllipsisType | None = ...,
        *,
        failed: str | None = None,
        reason: str | None = None,
        by: str | None = None,
        key: str | None = None,
    ) -> Trial:
        """Replace the recorded outcome of a trial, a result or a failure that was told wrongly.

        Args:
            trial: a completed or failed trial, its id or its number.
            value: what the result is; of named outcomes a dict of those that were wrong. NaN, and the infinity that is
                worst, make the trial a failed one.
            sem: its standard error; left out, it stays as it was; None: unknown.
            failed: instead of a value: it failed, and why.
            reason: why the record was wrong.
            by: who says so.
            key: a name for this request.
        """
        data = _outcome(value, sem, failed, self.direction, self.goals)
        return self._change(trial, "corrected", data, Said.checked(reason, by, key))

    def discard(self, trial: Trial | str | int, reason: str, *, by: str | None = None, key: str | None = None) -> Trial:
        """Take a completed or failed trial out of the model: a duplicate, a broken instrument. It stays in the log."""
        return self._change(trial, "discarded", {}, Said.checked(reason, by, key, needs="reason"))

    def restore(
        self, trial: Trial | str | int, *, reason: str | None = None, by: str | None = None, key: str | None = None
    ) -> Trial:
        """Take a discarded trial back into the model, as it was."""
        return self._change(trial, "restored", {}, Said.checked(reason, by, key))

    def note(self, trial: Trial | str | int, text: str, *, by: str | None = None, key: str | None = None) -> Trial:
        """Attach a note to a trial in any state. Notes accumulate; the same one is kept once."""
        return self._change(trial, "noted", {}, Said.checked(text, by, key, needs="text"))

    def _change(self, trial: object, kind: str, data: dict[str, Any], said: Said) -> Trial:
        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            return changed(ledger, trial, kind, data, said, now)

        with self._log.lock:
            return self._log.commit(decide).find(trial)


def _outcome(
    value: Value | None, sem: float | EllipsisType | None, failed: str | None, direction: str, goals: Goals
) -> dict[str, Any]:
    """What a correction says the outcome is, without `sem` if that is to stay."""
    if (value is None) is (failed is None):
        raise ArgumentError(
            f"correct: expected a value, or failed= and why, got {value!r} and failed={failed!r}; pass one"
        )
    if value is None:
        return {"state": "failed", "value": None, "sem": None, "failure": plain(failed)}
    if goals:
        return correction(value, sem, goals)
    kind, data = outcome(value, None if isinstance(sem, EllipsisType) else sem, direction)
    if kind == "failed":
        return {"state": "failed", "value": None, "sem": None, "failure": data["reason"]}
    stays = {} if isinstance(sem, EllipsisType) else {"sem": data["sem"]}
    return {"state": "complete", "value": data["value"], "failure": None, **stays}
