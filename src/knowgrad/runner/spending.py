"""What a run may spend: costs as evaluations have them, their seconds where nobody says otherwise, and a budget."""

import math
import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from knowgrad.checked import price
from knowgrad.runner.failure import Failure
from knowgrad.runner.objective import Measured
from knowgrad.runner.studies import Runnable
from knowgrad.trial import Trial

LEAST = 1e-6  # seconds that an evaluation takes at least


@dataclass
class Spending:
    """`budget`: in the unit of the study's costs; `seconds`: evaluations are timed, and that is what they cost."""

    study: Runnable
    budget: float
    seconds: bool
    _times: dict[int, tuple[float, float | None]] = field(default_factory=dict)

    @classmethod
    def checked(cls, study: Runnable, budget: float | None) -> "Spending":
        limit = math.inf if budget is None else price(budget, "budget")
        timed = study.are_costs_learned or (budget is not None and not callable(study.cost))
        return cls(study, limit, timed)

    @property
    def is_over(self) -> bool:
        """Is the budget spent, with the expected costs of what is running?"""
        return self.budget < math.inf and self.so_far() >= self.budget

    def so_far(self) -> float:
        """What was paid, and what pending trials will cost; nothing is known of these before the first result."""
        pending = [self.study.price(trial) for trial in self.study.pending] if self.study.best else []
        return self.study.spent + sum(each for each in pending if each is not None)

    def begin(self, trial: Trial) -> None:
        """The evaluation of a trial is about to begin."""
        self._times[trial.number] = time.monotonic(), None

    def follow(self, trial: Trial, future: "Future[Any]") -> None:
        """Look at the clock when it ends, not when somebody finds the time to hear of it."""
        begun = self._times[trial.number][0]

        def ended(_: object) -> None:
            self._times[trial.number] = begun, time.monotonic()

        if self.seconds:
            future.add_done_callback(ended)

    def paid(self, trial: Trial, came: Measured | Failure) -> Measured | Failure:
        """What came of a trial, with what it has cost: as its objective says, else its seconds."""
        begun, ended = self._times.get(trial.number, (0.0, None))
        if came.cost is not None or not self.seconds or ended is None:
            return came
        return replace(came, cost=max(ended - begun, LEAST))
