"""`Tracing`: the part of a study that takes results as they come: learning curves.

A report is a result at a lower fidelity, of a trial that still runs. Reports stay, whatever happens to the
trial: a worker that is lost loses no more than the step under way. A run that is stopped is a result at the fidelity
of its last report, not a failure. One that is paused can be continued: by a new trial that names it in
`continues`.
"""

from collections.abc import Mapping
from typing import Any

from knowgrad.checked import real
from knowgrad.errors import ArgumentError, ConflictError, SpaceError
from knowgrad.log.ledger import Ledger
from knowgrad.log.recording import Recording
from knowgrad.log.settle import priced, settled, stands
from knowgrad.space.looks.fidelity import traced_parameter
from knowgrad.text import plain, shown
from knowgrad.trial import Event, Trial, failure

UNDER_WAY = ("queued", "pending", "complete")


class Tracing(Recording):
    """Steps of a curve, and its end before the fidelity that was asked for."""

    _judged: Mapping[int, tuple[tuple[tuple[float, float], ...], str]] = {}
    """Runs that were found not to be worth their rest, by number: their reports then, and why."""

    def _cost_at(self, ledger: Ledger, trial: Trial, params: Mapping[str, Any]) -> float | None:
        raise NotImplementedError

    def report(self, trial: Trial | str | int, *, at: float, value: float) -> Trial:
        """Record an intermediate value: `at` a number of epochs, say, which is the `kg.Fidelity` of the space.

        Reporting the same again is fine; another value at the same fidelity is refused, and so are steps that a run
        which is continued has made before.
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
            _check_step(ledger, found, name, level)
            return [Event("reported", {"number": found.number, "at": level, "value": number})]

        with self._log.lock:
            return self._log.commit(lambda ledger, now: events(ledger)).find(trial)

    def stop(self, trial: Trial | str | int, *, cost: float | None = None, reason: str | None = None) -> Trial:
        """End a run early: its last report is its result, at that fidelity, which its params have from now on.

        `reason`: why; if left out, what `worth_continuing` has just found.
        """
        return self._ended(trial, cost, reason, {})

    def pause(self, trial: Trial | str | int, *, cost: float | None = None, reason: str | None = None) -> Trial:
        """End a run early, as `stop` does, but so that it can be continued, from a checkpoint, say.

        Continuing it costs the rest only, and `ask` may propose that: `Trial.continues` of what it hands out is the
        number of this trial.
        """
        return self._ended(trial, cost, reason, {"paused": True})

    def resume(self, trial: Trial | str | int, *, at: float | None = None) -> Trial:
        """Have a run that has ended early continued before anything else is tried, up to `at`, else to the target."""
        name = traced_parameter(self.space)
        level = self.space.parameters[name].target if at is None else self._step(at)[1]  # type: ignore[attr-defined]

        def events(ledger: Ledger) -> list[Event]:
            found = ledger.find(trial)
            if found.state != "complete" or found.params[name] >= level:
                raise ConflictError(
                    f"trial {found.number}: expected one with a result below {level}, got one that is {stands(found)}, "
                    f"at {shown(found.params.get(name))}; pause() it first, or pass a larger at="
                )
            if taken := [each for each in ledger.trials if each.continues == found.number and each.state in UNDER_WAY]:
                raise ConflictError(
                    f"trial {found.number}: expected one that nobody continues, got one that trial {taken[0].number} "
                    "does; resume() that one once it has ended"
                )
            point = {"params": {**found.params, name: level}, "source": "queue", "continues": found.number}
            return [Event("queued", {"number": len(ledger.trials), **point})]

        with self._log.lock:
            return self._log.commit(lambda ledger, now: events(ledger)).trials[-1]

    def _ended(self, trial: Trial | str | int, cost: float | None, reason: str | None, said: dict[str, Any]) -> Trial:
        """A run that ends at its last report."""
        name = traced_parameter(self.space)

        def events(ledger: Ledger) -> list[Event]:
            found = ledger.find(trial)
            if not found.curve:
                raise ArgumentError(
                    f"trial {found.number}: expected one with a report, got none; expire() it if it has no result"
                )
            at, value = found.curve[-1]
            paid = priced(self._cost_at(ledger, found, {**found.params, name: at}) if cost is None else cost)
            why = self._why(found, reason)
            told = {"value": value, "sem": None, "at": {name: at}, **paid, **said}
            return settled(ledger, trial, "told", told if why is None else {**told, "reason": why})

        with self._log.lock:
            return self._log.commit(lambda ledger, now: events(ledger)).find(trial)

    def _why(self, trial: Trial, reason: str | None) -> str | None:
        """Why a run ends: what was said, or what was found of it by the same reports."""
        if reason is not None:
            return plain(reason)
        if trial.state == "complete":
            return trial.reason
        curve, why = self._judged.get(trial.number, ((), ""))
        return why if curve and curve == trial.curve else None

    def _step(self, at: object) -> tuple[str, Any]:
        """The fidelity that steps are of, and `at` as one of its values."""
        space = self.space
        name = traced_parameter(space)
        try:
            return name, space.parameters[name].check(at)
        except SpaceError as error:
            raise ArgumentError(f"at: {error}; pass a value of {name!r}") from None


def _check_step(ledger: Ledger, trial: Trial, name: str, level: float) -> None:
    """Is it between where the run began and what was asked for?"""
    if level > trial.params[name]:
        raise ArgumentError(
            f"at: expected at most {trial.params[name]}, as was asked for, got {shown(level)}; end the run at the "
            f"{name!r} of its params"
        )
    if trial.continues is None:
        return
    begun = ledger.trials[trial.continues].params.get(name)
    if begun is not None and level <= begun:
        raise ArgumentError(
            f"at: trial {trial.number}: expected more than {shown(begun)}, where trial {trial.continues} stands that "
            f"it continues, got {shown(level)}; report its own steps only, or expire() it if it has to begin anew"
        )
