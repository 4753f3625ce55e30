"""`random`: points drawn uniformly from the domain. The floor that every method must beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.problem import Answer, Question


@dataclass(frozen=True)
class Random:
    """No options."""

    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        return Answer(question.domain.sample(question.q, rng))
