"""Noise lower bound: the noise variance at the lower end of its 90 % interval.

A few results cannot tell noise from a rough function, and the noise that is learned from them is mostly prior. If it is
overestimated, every measurement seems to tell little, and a batch is spent where the signal is surely large or on
replicates that an exact function does not need. `qkg` therefore chooses a batch as if the noise were at the lower end
of its interval. The more results there are, the closer that is to the estimate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowgrad.acquisition.problem import Question
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Noise


def at_lower_bound(question: Question) -> Question:
    """The question with the noise at its lower bound; unchanged for a last batch and where the noise is known."""
    share = 1.0 if question.last else question.least_noise()
    return question if share == 1.0 else replace(question, noise=[Scaled(noise, share) for noise in question.noise])


@dataclass(frozen=True, eq=False)
class Scaled:
    """A share of σ²(x), and of its gradient."""

    noise: Noise
    share: float

    def __call__(self, U: Array) -> tuple[Array, Array]:
        sigma2, gradient = self.noise(U)
        return self.share * sigma2, self.share * gradient
