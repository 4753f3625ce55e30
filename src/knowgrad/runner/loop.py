"""The loop: ask, evaluate, tell, until something says stop. It knows no mathematics and no executor."""

import sys
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from typing import Any

from knowgrad.errors import KnowgradError
from knowgrad.progress import Progress
from knowgrad.runner.evaluators import Submit
from knowgrad.runner.processes import Failure, describe
from knowgrad.study import Study
from knowgrad.trial import Trial

POLL = 1.0  # seconds; on some systems a wait without an end cannot be interrupted


@dataclass
class Loop:
    """One run: what it may use, and where it stands."""

    study: Study
    submit: Submit
    bar: Progress
    n_trials: int
    workers: int
    batch_size: int
    deadline: float
    stop_gain: float | None
    asked: int = 0
    in_hand: deque[Trial] = field(default_factory=deque)
    running: dict[Future[Any], Trial] = field(default_factory=dict)

    def run(self) -> str:
        """Returns what ended it."""
        try:
            while True:
                stopped = self.fill()
                if not self.running:
                    return stopped
                done, _ = wait(self.running, max(0, min(POLL, self.deadline - time.monotonic())), FIRST_COMPLETED)
                for future in done:
                    trial = _settle(self.study, self.running.pop(future), future)
                    self.bar.update(trial, self.study.best, self.study.last_gain)
                if self.running and time.monotonic() >= self.deadline:
                    return "timeout"
        except KeyboardInterrupt:
            print("knowgrad: interrupted, returning what is known", file=sys.stderr)
            return "interrupted"
        except BrokenExecutor as error:
            print(f"knowgrad: the executor broke ({error}), returning what is known", file=sys.stderr)
            return "executor broke"
        finally:
            self.give_up()

    def fill(self) -> str:
        """Start an evaluation on every free worker; returns what will end the run if nothing is running."""
        while len(self.running) < self.workers:
            if time.monotonic() >= self.deadline and (self.in_hand or self.asked < self.n_trials):
                return "timeout"
            if not self.in_hand and self.asked == self.n_trials:
                return "n_trials"
            if not self.in_hand:
                if self.is_worthless():
                    return "stop_gain"
                free = self.workers - len(self.running)
                q = free if self.batch_size == self.workers else self.batch_size
                self.in_hand.extend(self.study.ask(min(q, self.n_trials - self.asked)))
                self.asked += len(self.in_hand)
            self.running[self.submit(dict(self.in_hand[0].params))] = self.in_hand[0]
            self.in_hand.popleft()
        return ""

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
        for future, trial in self.running.items():
            if future.cancel() or not future.done():
                self.study.expire(trial)
            else:
                _settle(self.study, trial, future)
        for trial in self.in_hand:
            self.study.expire(trial)


def _settle(study: Study, trial: Trial, future: "Future[Any]") -> Trial:
    """Tell what came of an evaluation."""
    error = CancelledError("cancelled") if future.cancelled() else future.exception()
    if error is not None:
        return study.fail(trial, describe(error))
    result = future.result()
    if isinstance(result, Failure):
        return study.fail(trial, result.reason)
    try:
        value, sem = result if isinstance(result, tuple) and len(result) == 2 else (result, None)
        return study.tell(trial, value, sem)
    except KnowgradError as refused:
        return study.fail(trial, describe(refused))
