"""The noise at the low end of what the results allow.

Few results cannot tell noise from a rough function, and the noise that is learned from them is then mostly prior. Taken
at its word it makes measuring seem to tell little, and a batch is spent on places where the signal is surely large, or
on second looks that an exact function would not need. A batch is therefore chosen as if the noise were at the lower end
of its 90 % interval. The more results there are, the closer that is to the estimate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knowgrad.acquisition.problem import Question
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Noise


def at_its_least(question: Question) -> Question:
    """The question under the least noise that is likely; as it is, if no batch comes after this one to learn from."""
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
