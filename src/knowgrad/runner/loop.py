"""The loop: ask, evaluate, tell, until something says stop. It knows no mathematics and no executor."""

import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from knowgrad.errors import ArgumentError, ConflictError, NotANumberError
from knowgrad.runner.claims import Claims
from knowgrad.runner.closed import Closed
from knowgrad.runner.evaluators import Submit
from knowgrad.runner.patience import AWAY, Patience
from knowgrad.runner.progress import Progress
from knowgrad.runner.serving import Failure
from knowgrad.study import Study
from knowgrad.text import describe, note
from knowgrad.trial import Trial

POLL = 1.0  # seconds; on some systems a wait without an end cannot be interrupted


@dataclass
class Loop:
    """One run: what it may use, and where it stands."""

    study: Study
    claims: Claims
    submit: Submit
    bar: Progress
    n_trials: float
    workers: int
    batch_size: int
    deadline: float
    stop_gain: float | None
    patience: Patience
    in_hand: deque[Trial] = field(default_factory=deque)
    running: dict[Future[Any], Trial] = field(default_factory=dict)

    def run(self) -> str:
        """Returns what ended it."""
        try:
            stopped = ""
            while not stopped:
                stopped = self.patience.through(self.step)
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
            return "timeout" if self.running and self.is_late() else ""
        if stopped == "n_trials" and not self.is_late() and self.claims.others_are_busy():
            time.sleep(POLL)  # a point of theirs that gets lost will be ours to evaluate
            return ""
        return stopped

    def wait(self) -> None:
        """Until an evaluation has ended or it is time to look around; tell what came of it."""
        done, _ = wait(self.running, max(0, min(POLL, self.deadline - time.monotonic())), FIRST_COMPLETED)
        for future in done:
            if error := _closed(future):
                raise error
            trial = _settle(self.study, self.running[future], future)
            del self.running[future]  # not before it is told, so that an interrupt loses nothing
            self.bar.update(trial, self.study.best, self.study.last_gain)

    def fill(self) -> str:
        """Start an evaluation on every free worker; returns what will end the run if nothing is running."""
        while len(self.running) < self.workers:
            if not self.in_hand:
                stopped = self.take()
                if stopped:
                    return stopped
            elif self.is_late():
                return "timeout"
            self.running[self.submit(dict(self.in_hand[0].params))] = self.in_hand[0]
            self.in_hand.popleft()
        return ""

    def take(self) -> str:
        """Ask for more points; returns why there are none."""
        left = self.n_trials - self.claims.evaluated()
        if left <= 0:
            return "n_trials"
        if self.is_late():
            return "timeout"
        if self.is_worthless():
            return "stop_gain"
        free = self.workers - len(self.running)
        q = free if self.batch_size == self.workers else self.batch_size
        self.in_hand.extend(self.claims.take(int(min(q, left)), self.n_trials, last=left <= q))
        return "" if self.in_hand else "n_trials"

    def is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def is_worthless(self) -> bool:
        """Is one more batch worth less than `stop_gain`? What the last one was worth saves most of the asking."""
        study = self.study
        if self.stop_gain is None or study.best is None or study.trials[-1].source in ("start", "queue"):
            return False
        if study.last_gain is not None and study.last_gain >= self.stop_gain:
            return False
        return study.gain(self.batch_size) < self.stop_gain

    def give_up(self) -> None:
        """Settle what has ended and wait no longer for the rest."""
        unfinished = [trial for future, trial in self.running.items() if _is_unfinished(future)]
        for future, trial in self.running.items():
            if trial not in unfinished:
                self.patience.through(partial(_settle, self.study, trial, future))
        try:
            for trial in (*unfinished, *self.in_hand):
                self.claims.give_back(trial)
        except AWAY as error:
            note(f"{error}; points that could not be given back are offered again when their leases end")


def _settle(study: Study, trial: Trial, future: "Future[Any]") -> Trial:
    """Tell what came of an evaluation. Where somebody else has settled the trial meanwhile, that stands."""
    try:
        reason, result = _outcome(future)
        if reason is not None:
            return study.fail(trial, reason)
        try:
            value, sem = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
            return study.tell(trial, value, sem, check=False)  # nobody typed it
        except (ArgumentError, NotANumberError) as refused:
            return study.fail(trial, describe(refused))
    except ConflictError as error:
        note(error)
        return trial


def _is_unfinished(future: "Future[Any]") -> bool:
    """Is it given up? From now on, then, even if it ends."""
    return future.cancel() or not future.done() or _closed(future) is not None


def _closed(future: "Future[Any]") -> Closed | None:
    """The reason, if the executor ended before this evaluation did."""
    error = None if future.cancelled() else future.exception()
    return error if isinstance(error, Closed) else None


def _outcome(future: "Future[Any]") -> tuple[str | None, Any]:
    """Why an evaluation failed, or its result."""
    error = CancelledError("cancelled") if future.cancelled() else future.exception()
    if error is not None:
        return describe(error), None
    result = future.result()
    return (result.reason, None) if isinstance(result, Failure) else (None, result)
