"""How far a run may go, checked: evaluations, how many at once, seconds, and what is not worth going on for."""

import math
import time
from dataclasses import dataclass
from typing import Self

from knowgrad.checked import count, seconds, spread


@dataclass(frozen=True)
class Limits:
    n_trials: float
    """Evaluations that the study is to have in all."""
    workers: int
    batch_size: int
    deadline: float
    """On the monotonic clock."""
    trial_timeout: float | None
    stop_gain: float | None

    @classmethod
    def checked(
        cls,
        n_trials: int | None,
        workers: int,
        batch_size: int | None,
        timeout: float | None,
        trial_timeout: float | None,
        stop_gain: float | None,
    ) -> Self:
        workers = count(workers, "workers")
        return cls(
            math.inf if n_trials is None else count(n_trials, "n_trials"),
            workers,
            workers if batch_size is None else count(batch_size, "batch_size"),
            math.inf if timeout is None else time.monotonic() + seconds(timeout, "timeout"),
            None if trial_timeout is None else seconds(trial_timeout, "trial_timeout"),
            None if stop_gain is None else spread(stop_gain, "stop_gain", "leave it out to go on"),
        )

    @property
    def is_by_the_clock(self) -> bool:
        """May an evaluation have to be ended? That takes a process of its own."""
        return self.deadline < math.inf or self.trial_timeout is not None

    @property
    def is_late(self) -> bool:
        return time.monotonic() >= self.deadline
