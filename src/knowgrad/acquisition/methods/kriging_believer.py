"""`kriging-believer`: greedy EI that believes the model (Ginsbourger, Le Riche & Carraro, 2010).

    z_j = argmax EI(z | y(z_i) = μ^(n)(z_i), i < j)

The points already in the batch, and those pending, enter the data with their posterior mean as result and the noise of
a real one. Hyperparameters and prior mean stay as they are. For q = 1 with none pending this is `ei`; `ei` itself
makes its batches this way. Batches tend to crowd where the mean is low, because belief never disappoints.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.improvement import expected_improvement
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import greedy, know


@dataclass(frozen=True)
class KrigingBeliever:
    """No options."""

    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        return Answer(greedy(question, rng, lambda model, _: expected_improvement(model), know))
