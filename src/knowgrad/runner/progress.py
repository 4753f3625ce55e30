"""One line that says how a run is going."""

from types import TracebackType
from typing import Any, Self

from knowgrad.text import one_line
from knowgrad.trial import Gain, Trial


class Progress:
    """A progress bar with the best observed value and what the latest points were expected to be worth."""

    def __init__(self, total: int | None, *, show: bool, done: int = 0) -> None:
        self._bar: Any = None
        if show:
            from tqdm import tqdm

            self._bar = tqdm(total=total, initial=done, unit="trial", dynamic_ncols=True)

    def update(self, trial: Trial, best: Trial | None, gain: Gain | None) -> None:
        """Count one more trial that has ended."""
        if self._bar is None:
            return
        words = [] if best is None or best.value is None else [f"best {best.value:.4g}"]
        if gain is not None:
            words.append(f"gain {gain:.2g}")
        if trial.state == "failed":
            words.append(f"trial {trial.number} failed: {one_line(trial.reason):.40}")
        self._bar.set_postfix_str(", ".join(words), refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
