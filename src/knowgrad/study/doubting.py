"""`Doubting`: the part of a study that points out results that look like mistakes."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from knowgrad.advisor.doubt import Usual, doubt, doubt_outcomes, doubts
from knowgrad.errors import UnknownTrialError
from knowgrad.log.settle import Value
from knowgrad.study.questions import Questions
from knowgrad.trial import Trial


class Doubting(Questions):
    """A result held against the others, and against the model if there is one."""

    _usual: Usual

    def doubt(self, trial: Trial | str | int | Mapping[str, Any], value: Value, sem: float | None = None) -> str | None:
        """Why this result of a trial, or at these params, looks like a mistake, in words; None if it does not.

        It is compared with the other results, and with the model if there is one. Nothing is fitted or recorded.
        """
        return self._doubt(trial, *self._came(value, sem))

    def _doubt(self, trial: Trial | str | int | Mapping[str, Any], kind: str, data: Mapping[str, Any]) -> str | None:
        """As `doubt` has it, of an outcome that was checked."""
        if kind != "told":
            return None
        ledger, named = self._log.peek(), bool(self._settings.objectives)
        if not named and self._usual.includes(ledger.trials, ledger.changes, data["value"]):
            return None
        with self._log.lock:
            ledger = self._log.peek()
            params = trial if isinstance(trial, Mapping) else None
            with suppress(UnknownTrialError):  # whoever records it will find out
                if params is None and (found := ledger.find(trial)).state != "complete":
                    params = found.params
            if params is None:
                return None
            seen = self._snapshot if self._snapshot and self._snapshot.space is self._space_of(ledger) else None
            if named:
                return doubt_outcomes(ledger.trials, params, data["outcomes"], seen)
            return doubt(ledger.trials, params, data["value"], data["sem"], seen)

    def _doubtful(self, added: Sequence[Trial]) -> dict[int, str]:
        return doubts(self.trials, added)
