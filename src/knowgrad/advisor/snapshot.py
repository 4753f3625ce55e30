"""`Snapshot`: a study at one moment, with the model of it, fitted once for all views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from knowgrad.acquisition.methods import resolve
from knowgrad.advisor.recommend import answer
from knowgrad.advisor.suggest import worth
from knowgrad.advisor.threads import one_thread
from knowgrad.errors import NoDataError
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted, chosen_fit, fitted, mean_and_sd
from knowgrad.space import Space
from knowgrad.trial import Gain, Recommendation, Settings, Trial

Z95 = 1.959963984540054  # of a normal law, 95 % lie within so many standard deviations


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The space, the trials that were handed out or added, by number, and the settings."""

    space: Space
    trials: tuple[Trial, ...]
    settings: Settings

    @cached_property
    def complete(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if trial.state == "complete")

    @property
    def sign(self) -> float:
        """+1 if less is better, else −1."""
        return 1.0 if self.settings.direction == "minimize" else -1.0

    @cached_property
    @one_thread
    def model(self) -> Fitted:
        if not self.complete:
            raise NoDataError("the model: expected at least one result, got none; tell() or add() one first")
        how = chosen_fit(self.settings, resolve(self.settings.method).fit)
        return fitted(self.space, self.trials, self.settings, how)

    @property
    def spread(self) -> float:
        """The standard deviation of all results; 1 if they are all the same."""
        return self.model.units.difference(1.0)

    @cached_property
    @one_thread
    def recommendation(self) -> Recommendation:
        return answer(self.space, self.trials, self.settings, self.model)

    @one_thread
    def gain(self, q: int) -> Gain:
        return worth(self.trials, q, self.settings, self.model)

    @one_thread
    def predict(self, U: Array) -> tuple[Array, Array]:
        """Posterior mean and standard deviation at points of the unit cube (n, D), in user units."""
        mean, sd = mean_and_sd(self.model.model, U)
        units = self.model.units
        return np.array([units.value(m) for m in mean]), np.array(
            [units.deviation(m, s) for m, s in zip(mean, sd, strict=True)]
        )

    def before(self, trials: Sequence[Trial]) -> Snapshot:
        """The study when only these trials were known."""
        return replace(self, trials=tuple(trials))
