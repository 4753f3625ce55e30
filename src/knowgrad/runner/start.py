"""The first evaluations of a run: is the objective broken?

A failure says something about its point, and the search keeps away from it. A program that is not found, or a bug that
every call meets, says nothing about any point, and would only do harm to the study. So the failures of a run are kept
back until one of its evaluations gives a result; then they are recorded. A run whose first evaluations all fail stops,
and nothing of it is recorded. A way to fail that the study knows already, beside results, is no news and is recorded.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn

from knowgrad.errors import ArgumentError, NotANumberError, ObjectiveError
from knowgrad.runner.failure import Failure
from knowgrad.runner.objective import Measured, Unreadable, forms
from knowgrad.runner.studies import Runnable
from knowgrad.text import shown
from knowgrad.trial import Trial

FEW = 3  # evaluations that are the first at least, however few run at once
MANY = 4  # times as many failures, all alike, are enough even if one of the first has not ended
NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?")

Catch = type[BaseException] | tuple[type[BaseException], ...] | None


def checked_catch(catch: object) -> tuple[type[BaseException], ...] | None:
    """`catch=` as a tuple, if it names exceptions."""
    kinds = catch if isinstance(catch, tuple) else (catch,)
    if catch is None:
        return None
    if not all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds):
        raise ArgumentError(
            f"catch: expected an exception class or a tuple of them, got {shown(catch)}; pass catch=ValueError, say, "
            "or catch=() to stop at any exception"
        )
    return kinds


@dataclass
class Start:
    """What is kept back, and whether a result has come; `catch`: exceptions that are to be expected."""

    study: Runnable
    workers: int
    catch: tuple[type[BaseException], ...] | None
    held: dict[int, tuple[Trial, Failure]] = field(default_factory=dict)
    is_broken: bool = False
    _begun: list[int] = field(default_factory=list)
    _has_result: bool = False

    def begin(self, trial: Trial) -> None:
        """An evaluation is under way."""
        self._begun.append(trial.number)

    def due(self, trial: Trial, came: Measured | Failure) -> list[tuple[Trial, Measured | Failure]]:
        """What is to be recorded now that this has come of a trial; raises if the objective is broken."""
        if isinstance(came, Measured):
            self._has_result = True
            return [*self.held.values(), (trial, came)]
        if self.catch is not None and came.kinds and not came.is_one_of(self.catch):
            self._stop(came)
        if self._has_result or self.catch is not None:
            return [*self.held.values(), (trial, came)]
        self.held[trial.number] = trial, came
        known = self._known()
        news = [failure for _, failure in self.held.values() if way(failure.reason) not in known]
        if news and self._is_enough():
            self._explain(f"the first {len(self.held)} evaluations of this run all failed")
        return [each for each in self.held.values() if way(each[1].reason) in known]

    def refuse(self, trial: Trial, returned: Unreadable) -> Failure:
        """What cannot be a result is refused, until there was one; later it is a failure."""
        if self._has_result:
            return Failure(f"NotANumberError: {returned}")
        self.is_broken = True
        raise NotANumberError(
            f"trial {trial.number}: {returned}; nothing of it was recorded: let the objective return "
            f"{forms(self.study.goals)}"
        )

    def close(self) -> None:
        """The run ends. Where nothing but failures came of it, that is an error."""
        if self.held and len(self.held) == len(self._begun):
            n = len(self.held)
            self._explain(f"all {n} evaluations of this run failed" if n > 1 else "the evaluation of this run failed")

    def _known(self) -> set[str]:
        """The ways to fail that the study has recorded, if it has results as well."""
        if not self.study.has_results:
            return set()
        return {way(trial.reason) for trial in self.study.trials if trial.state == "failed" and trial.reason}

    def _is_enough(self) -> bool:
        first = max(FEW, self.workers)
        if len(self._begun) >= first and all(number in self.held for number in self._begun[:first]):
            return True
        alike = {way(failure.reason) for _, failure in self.held.values()}
        return len(alike) == 1 and len(self.held) >= MANY * first

    def _stop(self, failure: Failure) -> NoReturn:
        """At an exception that is not to be expected: it is the caller's to handle."""
        self.is_broken = True
        error = failure.error
        if isinstance(error, Exception):
            if error.__traceback__ is None and failure.traceback:
                error.add_note(f"where it was raised:\n{failure.traceback}")
            raise error
        raise ObjectiveError(f"the objective raised {failure.reason}\n{failure.traceback or ''}".rstrip()) from error

    def _explain(self, what: str) -> NoReturn:
        self.is_broken = True
        *_, (_, last) = self.held.values()
        raise ObjectiveError(
            f"{what}, the last with: {last.reason}; nothing was recorded and the points were given back: correct the "
            "objective and run again, or say that such failures are part of the search (catch=Exception, --keep-going)"
            + (f"\n{last.traceback.rstrip()}" if last.traceback else "")
        ) from last.error


def way(reason: str | None) -> str:
    """A reason without its numbers: what two failures at different points have in common."""
    return NUMBER.sub("#", reason or "")
