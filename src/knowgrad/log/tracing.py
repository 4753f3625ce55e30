"""`Tracing`: the part of a study that takes results as they come: learning curves.

A report is a result at a lower fidelity, of a trial that goes on. What was reported stays, whatever becomes of the
trial: a worker that vanishes loses no more than the step under way. A run that is stopped is a result at the fidelity
of its last report, not a failure.
"""

from typing import Any

from knowgrad.checked import real
from knowgrad.errors import ArgumentError, ConflictError, SpaceError
from knowgrad.log.ledger import Ledger
from knowgrad.log.recording import Recording
from knowgrad.log.settle import priced, settled, stands
from knowgrad.space.looks.fidelity import traced_parameter
from knowgrad.text import shown
from knowgrad.trial import Event, Trial, failure


class Tracing(Recording):
    """Steps of a curve, and its end before the fidelity that was asked for."""

    def report(self, trial: Trial | str | int, *, at: float, value: float) -> Trial:
        """Record a value on the way: `at` so many epochs, say, which a `kg.Fidelity` of the space has.

        Reporting the same again is fine; anything else at the same fidelity is refused.
        """
        name, level = self._step(at)
        number = real(value, "value")
        if reason := failure(number):
            raise ArgumentError(f"value: expected a finite number, got none ({reason}); fail() the trial")

        def events(ledger: Ledger) -> list[Event]:
            found = ledger.find(trial)
            before = dict(found.curve)
            if before.get(level) == number:
                return []
            if level in before or found.state not in ("pending", "expired"):
                raise ConflictError(
                    f"trial {found.number}: expected a new step of a trial that is pending, got {value} at {at} of one "
                    f"that is {stands(found)}, with {shown(before.get(level))} there; the first stands"
                )
            if level > found.params[name]:
                raise ArgumentError(f"at: expected at most {found.params[name]}, as was asked for, got {shown(at)}")
            return [Event("reported", {"number": found.number, "at": level, "value": number})]

        with self._log.lock:
            return self._log.commit(lambda ledger, now: events(ledger)).find(trial)

    def stop(self, trial: Trial | str | int, *, cost: float | None = None) -> Trial:
        """End a run early: its last report is its result, at that fidelity, which its params have from now on."""
        name = traced_parameter(self.space)

        def events(ledger: Ledger) -> list[Event]:
            found = ledger.find(trial)
            if not found.curve:
                raise ArgumentError(
                    f"trial {found.number}: expected one with a report, got none; expire() it if it has no result"
                )
            at, value = found.curve[-1]
            paid = priced(self._cost_of({**found.params, name: at}, cost))
            return settled(ledger, trial, "told", {"value": value, "sem": None, "at": {name: at}, **paid})

        with self._log.lock:
            return self._log.commit(lambda ledger, now: events(ledger)).find(trial)

    def _step(self, at: object) -> tuple[str, Any]:
        """The fidelity that steps are of, and `at` as one of its values."""
        space = self.space
        name = traced_parameter(space)
        try:
            return name, space.parameters[name].check(at)
        except SpaceError as error:
            raise ArgumentError(f"at: {error}; pass a value of {name!r}") from None
