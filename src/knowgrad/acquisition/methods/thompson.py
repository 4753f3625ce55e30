"""`thompson`: Thompson sampling (Thompson, 1933; Hernández-Lobato et al., 2017, for batches).

    z_j = argmin f_j(z),   f_j a sample path of the posterior, drawn afresh for each point

The posteriors of the model take turns, in random order. A path is a differentiable function (`gp/paths.py`), minimised
over the domain by the common maximiser. Chance alone keeps the batch apart: points pending or already chosen are not
conditioned on, because the paths differ anyway. Only where results are exact is a point never proposed twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.problem import Answer, Question, Rows
from knowgrad.acquisition.search.greedy import Climb, observed
from knowgrad.gp.linalg import Array
from knowgrad.gp.paths import Paths


@dataclass(frozen=True)
class Thompson:
    """Option: random frequencies of a path's prior part."""

    features: int = 512
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        climb, taken = Climb.prepare(question, rng), observed(question)
        turns = rng.permutation(len(question.model))
        for j in range(question.q):
            post = question.model[turns[j % len(turns)]]
            z = climb.best(Path(Paths.draw(post, 1, rng, F=self.features)), taken)
            taken = np.vstack([taken, z])
        return Answer(taken[len(taken) - question.q :])


@dataclass(frozen=True, eq=False)
class Path:
    """Minus one sample path, in the form that `search` takes."""

    paths: Paths

    def value(self, Z: Array) -> Array:
        return np.asarray(-self.paths.values(Z[:, 0])[0])

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        value, gradient = self.paths.value_and_gradient(Z[:, 0], np.zeros(len(Z), dtype=np.intp))
        return -value, -gradient[:, None]
