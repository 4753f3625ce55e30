"""`constant-liar`: greedy EI that pretends to know the results (Ginsbourger, Le Riche & Carraro, 2010).

    z_j = argmax EI(z | y(z_i) = lie, i < j),   lie = min, mean or max of y_1:n

The lie really enters the data, as an exact result, for the points already in the batch and for those pending;
hyperparameters and prior mean stay as they are. Values are to be minimised here: "min" is the best result so far and
keeps the batch near it, "max" the worst and drives the batch apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from knowgrad.acquisition.criteria.improvement import expected_improvement
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import condition, exact, greedy
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model, Noise

LIES: dict[str, Callable[[Array], Any]] = {"min": np.min, "mean": np.mean, "max": np.max}


@dataclass(frozen=True)
class ConstantLiar:
    """Option: the lie."""

    lie: Literal["min", "mean", "max"] = "min"
    fit: str = "map"

    def __post_init__(self) -> None:
        if self.lie not in LIES:
            raise ValueError(f"lie: expected one of {', '.join(map(repr, LIES))}, got {self.lie!r}; pass one of these")

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        lies = [float(LIES[self.lie](post.y)) for post in question.model]

        def pretend(model: Model, noise: Sequence[Noise], U: Array) -> Model:
            return [condition(post, exact, U, np.full(len(U), lie)) for post, lie in zip(model, lies, strict=True)]

        return Answer(greedy(question, rng, lambda model, _: expected_improvement(model), pretend))
