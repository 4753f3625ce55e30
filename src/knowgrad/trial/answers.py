"""What a study answers: points to try, what to use, what to expect somewhere, and what more points are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowgrad.text import brief, brief_repr, likelihood, measured, one_line
from knowgrad.trial.trial import Trial

NINETY = 1.6448536269514722  # of a normal distribution, nine tenths lie within so many standard deviations


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Points to try next, where each came from, and what they are expected to be worth together, in user units."""

    params: tuple[dict[str, Any], ...]
    sources: tuple[str, ...]
    gain: float | None = None
    sem: float | None = None
    measures: tuple[tuple[str, ...] | None, ...] = ()
    """Which outcomes to measure of each point, None for all; nothing if that is so of every point."""
    cost: float | None = None
    """The expected cost of all of them, where costs are known."""
    continues: tuple[int | None, ...] = ()
    """For each point, the number of the paused run that it continues; empty if none does."""


@dataclass(frozen=True)
class Recommendation:
    """What to use now: the best tried point by the model, or a better one that was never tried."""

    params: dict[str, Any]
    mean: float
    """The expected noise-free value at `params`."""
    sd: float
    """Its standard deviation. It includes the uncertainty of the model, so it is wider than that of `predict`,
    which the search uses."""
    n_observed: int
    best: Trial | None = field(repr=False)
    """The best observed trial, luck included."""
    outcomes: Mapping[str, tuple[float, float]] = field(default_factory=dict, kw_only=True)
    """Mean and standard deviation of every named outcome at `params`."""
    chance: float | None = field(default=None, kw_only=True)
    """The probability that all limits hold together; None if there are none."""
    chances: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    """The probability that each limit holds, by its text."""

    @property
    def interval(self) -> tuple[float, float]:
        """A 90 % interval of the noise-free value."""
        return self.mean - NINETY * self.sd, self.mean + NINETY * self.sd

    def __str__(self) -> str:
        point = ", ".join(f"{one_line(name)} = {brief(value)}" for name, value in self.params.items())
        return f"{point}: {self.expected} after {self.n_observed} results"

    @property
    def expected(self) -> str:
        """What to expect there, in words: the value, or all outcomes and the chance that the limits hold."""
        if not self.outcomes:
            return measured(self.mean, self.sd)
        each = ", ".join(f"{one_line(name)} {measured(*pair)}" for name, pair in self.outcomes.items())
        return each if self.chance is None else f"{each}; the limits hold with a chance of {likelihood(self.chance)}"

    __repr__ = brief_repr


@dataclass(frozen=True, eq=False)
class Prediction:
    """What the model expects at several points, in user units: arrays as long as there are points.

    `mean` is the posterior mean of the noise-free value and `sd` its standard deviation; the noise of a measurement
    comes on top.
    """

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    outcomes: Mapping[str, "Prediction"] = field(default_factory=dict)
    """The same of each named outcome; `mean` and `sd` are those of the first objective."""
    chance: NDArray[np.float64] | None = None
    """The probability that all limits hold, at each point; None if there are none."""

    def __len__(self) -> int:
        return len(self.mean)


class Gain(float):
    """By how much `q` more points are expected to improve the recommendation, in user units: a float with its error."""

    sem: float
    q: int
    cost: float | None
    """The expected cost of these points; None if no cost is known."""

    def __new__(cls, value: float, sem: float = 0.0, q: int = 1, cost: float | None = None) -> "Gain":
        gain = super().__new__(cls, value)
        gain.sem = float(sem)
        gain.q = int(q)
        gain.cost = None if cost is None else float(cost)
        return gain

    def __getnewargs__(self) -> tuple[float, float, int, float | None]:  # type: ignore[override]
        return float(self), self.sem, self.q, self.cost

    @property
    def value(self) -> float:
        return float(self)

    @property
    def per_cost(self) -> float:
        """By how much per unit of cost; where no cost is known, in all."""
        return self.value if self.cost is None else self.value / self.cost

    def __repr__(self) -> str:
        price = "" if self.cost is None else f", cost={self.cost:.4g}"
        return f"Gain({self.value:.4g} ± {self.sem:.1g}, q={self.q}{price})"
