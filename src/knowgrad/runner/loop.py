"""The loop: ask, evaluate, tell, until something says stop. It knows no mathematics and no executor."""

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from knowgrad.errors import ConflictError
from knowgrad.runner.claims import Claims
from knowgrad.runner.closed import Closed
from knowgrad.runner.evaluators import Submit
from knowgrad.runner.failure import Failure
from knowgrad.runner.limits import Limits
from knowgrad.runner.objective import Measured, Unreadable, outcome
from knowgrad.runner.patience import AWAY, Patience
from knowgrad.runner.spending import Spending
from knowgrad.runner.start import Start
from knowgrad.runner.steps import pair
from knowgrad.runner.studies import Runnable
from knowgrad.text import note
from knowgrad.trial import Trial

POLL = 1.0  # seconds; on some systems a wait without an end cannot be interrupted


@dataclass
class Loop:
    """One run: what it may use, and where it stands."""

    study: Runnable
    claims: Claims
    submit: Submit
    arguments: Callable[[Trial], tuple[Any, ...]]
    start: Start
    tell: Callable[[Trial], None]
    """What is to be told that a trial has ended."""
    limits: Limits
    patience: Patience
    spending: Spending
    resumable: bool = False
    """Can runs that end early be continued?"""
    in_hand: deque[Trial] = field(default_factory=deque)
    running: dict[Future[Any], Trial] = field(default_factory=dict)

    def run(self) -> str:
        """Returns what ended it."""
        try:
            stopped = ""
            while not stopped:
                stopped = self.patience.through(self.step)
            if not self.running:
                self.start.close()
                self.patience.through(self.claims.end)
            return stopped
        except KeyboardInterrupt:
            note("interrupted, returning what is known")
            return "interrupted"
        except BrokenExecutor as error:
            note(f"the executor broke ({error}), returning what is known")
            return "executor broke"
        finally:
            self.give_up()

    def step(self) -> str:
        """Once around; returns what ended the run."""
        stopped = self.fill()
        if self.running:
            self.wait()
            return "timeout" if self.running and self.limits.is_late else ""
        is_ours_settled = not self.start.held and not self.limits.is_late
        if stopped == "n_trials" and is_ours_settled and self.claims.others_are_busy():
            time.sleep(POLL)  # a point of theirs that gets lost will be ours to evaluate
            return ""
        return stopped

    def wait(self) -> None:
        """Until an evaluation has ended or it is time to look around; tell what came of it."""
        done, _ = wait(self.running, max(0, min(POLL, self.limits.deadline - time.monotonic())), FIRST_COMPLETED)
        for future in done:
            if error := _closed(future):
                raise error
            trial = self.running[future]
            for each, came in self.start.due(trial, self.outcome(future, trial)):
                settled = self.record(each, came)
                self.start.held.pop(each.number, None)
                self.tell(settled)
            del self.running[future]  # not before it is told, so that an interrupt loses nothing

    def outcome(self, future: "Future[Any]", trial: Trial) -> Measured | Failure:
        try:
            return self.spending.paid(trial, outcome(future, self.study, trial))
        except Unreadable as error:
            return self.start.refuse(trial, error)

    def hear(self, trial: Trial, said: Any) -> bool:
        """A step of a trial's curve is recorded; is the rest worth its cost?

        That is asked after the first, second, fourth, eighth step and so on: to find out takes a while.
        """
        at, value = pair(said)
        steps = len(self.study.report(trial, at=at, value=value).curve)
        return bool(steps & (steps - 1)) or self.study.worth_continuing(trial)

    def fill(self) -> str:
        """Start an evaluation on every free worker; returns what will end the run if nothing is running."""
        while len(self.running) < self.limits.workers:
            if not self.in_hand:
                stopped = self.take()
                if stopped:
                    return stopped
            elif self.limits.is_late:
                return "timeout"
            trial = self.in_hand[0]
            self.spending.begin(trial)
            future = self.submit(*self.arguments(trial), hear=partial(self.hear, trial))
            self.running[future] = trial
            self.spending.follow(trial, future)
            self.start.begin(trial)
            self.in_hand.popleft()
        return ""

    def take(self) -> str:
        """Ask for more points; returns why there are none."""
        left = self.limits.n_trials - self.claims.evaluated()
        if left <= 0:
            return "n_trials"
        if self.limits.is_late:
            return "timeout"
        if self.spending.is_over:
            return "budget"
        if self.is_worthless():
            return "stop_gain"
        free = self.limits.workers - len(self.running)
        whole = self.limits.batch_size != self.limits.workers or self.claims.shared  # one by one nothing is shared
        q = self.limits.batch_size if whole else free
        self.in_hand.extend(self.claims.take(int(min(q, left)), self.limits.n_trials, last=left <= q))
        return "" if self.in_hand else "n_trials"

    def is_worthless(self) -> bool:
        """Is one more batch worth less than `stop_gain`, where costs are known per cost?

        What the last one was worth saves most of the asking."""
        study = self.study
        if self.limits.stop_gain is None or not study.has_results or study.trials[-1].source in ("start", "queue"):
            return False
        if study.last_gain is not None and study.last_gain.per_cost >= self.limits.stop_gain:
            return False
        return study.gain(self.limits.batch_size).per_cost < self.limits.stop_gain

    def record(self, trial: Trial, came: Measured | Failure) -> Trial:
        """Tell what came of an evaluation. Where somebody else has settled the trial meanwhile, that stands."""
        study = self.study
        try:
            if isinstance(came, Measured) and came.is_traced:
                return (study.pause if self.resumable else study.stop)(trial, cost=came.cost)
            if isinstance(came, Failure):
                return study.fail(trial, came.reason, came.traceback, cost=came.cost)
            return study.tell(trial, came.value, came.sem, cost=came.cost, check=False)  # nobody typed it
        except ConflictError as error:
            note(error)
            return trial

    def give_up(self) -> None:
        """Settle what has ended and wait no longer for the rest. Of a broken objective, only results are kept."""
        back = [trial for future, trial in self.running.items() if _is_unfinished(future)]
        ended: list[tuple[Trial, Measured | Failure]] = [*self.start.held.values()]
        for future, trial in self.running.items():
            if trial not in back and trial.number not in self.start.held:
                ended.append((trial, self._last_outcome(future, trial)))
        for trial, came in ended:
            if self.start.is_broken and isinstance(came, Failure):
                back.append(trial)
            else:
                self.patience.through(partial(self.record, trial, came))
        try:
            for trial in sorted((*back, *self.in_hand), key=lambda trial: trial.number):
                self.claims.give_back(trial, again=self.start.is_broken)
        except AWAY as error:
            note(f"{error}; points that could not be given back are offered again when their leases end")

    def _last_outcome(self, future: "Future[Any]", trial: Trial) -> Measured | Failure:
        try:
            return self.spending.paid(trial, outcome(future, self.study, trial))
        except Unreadable as error:
            return Failure(f"NotANumberError: {error}")


def _is_unfinished(future: "Future[Any]") -> bool:
    """Is it given up? From now on, then, even if it ends."""
    return future.cancel() or not future.done() or _closed(future) is not None


def _closed(future: "Future[Any]") -> Closed | None:
    """The reason, if the executor ended before this evaluation did."""
    error = None if future.cancelled() else future.exception()
    return error if isinstance(error, Closed) else None
