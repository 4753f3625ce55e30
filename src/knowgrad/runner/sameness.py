"""A warning when the first results of a run are all the same: perhaps it is not the result that is looked at."""

import warnings

from knowgrad.errors import ObjectiveWarning
from knowgrad.text import shown
from knowgrad.trial import Trial

FEW = 4  # results that are told apart from chance


class Sameness:
    """Looks at the results of a run until two differ, or it has warned."""

    def __init__(self, workers: int) -> None:
        self._enough = max(FEW, 2 * workers)
        self._same: list[Trial] = []
        self._is_over = False

    def see(self, trial: Trial) -> None:
        """One more result: two batches of them are enough to speak up."""
        if self._is_over or trial.state != "complete":
            return
        self._is_over = bool(self._same) and _result(trial) != _result(self._same[0])
        self._same.append(trial)
        if len(self._same) >= self._enough:
            self.close(FEW)

    def close(self, least: int = FEW) -> None:
        """No more will come."""
        points = {repr(sorted(trial.params.items())) for trial in self._same}
        if self._is_over or len(self._same) < least or len(points) < 2:
            return
        self._is_over, what = True, shown(_result(self._same[0]))
        warnings.warn(
            f"the first {len(self._same)} results of this run are all {what}, at {len(points)} "
            "different points; does the objective use its params, and is the right number read? For a program, "
            "--result 'loss: {value}' says which number is meant",
            ObjectiveWarning,
            stacklevel=2,
        )


def _result(trial: Trial) -> object:
    return {name: each.value for name, each in trial.outcomes.items()} if trial.outcomes else trial.value
