"""What follows a run: the progress bar, the warning about results that are all the same, and callbacks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.runner.progress import Progress
from knowgrad.runner.sameness import Sameness
from knowgrad.runner.studies import Runnable
from knowgrad.text import shown
from knowgrad.trial import Trial

Callback = Callable[[Any, Trial], object]


def checked_callbacks(callbacks: Iterable[Callback]) -> tuple[Callback, ...]:
    found = tuple(callbacks) if isinstance(callbacks, Iterable) else (callbacks,)
    if not all(map(callable, found)):
        raise ArgumentError(
            f"callbacks: expected functions of a study and a trial, got {shown(callbacks)}; pass callbacks=[function]"
        )
    return found


@dataclass(frozen=True)
class Watch:
    """Is told of every trial that has ended. What a callback raises ends the run."""

    study: Runnable
    bar: Progress
    sameness: Sameness
    callbacks: tuple[Callback, ...]

    def __call__(self, trial: Trial) -> None:
        self.bar.update(trial, self.study.best, self.study.last_gain)
        self.sameness.see(trial)
        for callback in self.callbacks:
            callback(self.study, trial)
