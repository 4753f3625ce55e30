"""`ppes`: parallel predictive entropy search. The batch that, as a whole, says most about where the minimum is.

    PPES(z) = H[y(W)] − E_{x*} H[y(W) | x*],   W = pending ∪ z,   H from the determinant of the joint covariance of y(W)

The acquisition and its approximations are those of `pes`, of which it is the joint form: greedily, then all points
together along the gradient. For one point the two are the same.

Source: Shah & Ghahramani, "Parallel predictive entropy search for batch global optimization of expensive objective
functions", 2015. There the conditions on the batch are found by expectation propagation; here, after it has been run
on the competitors of x*, they are taken in one after the other, which can be differentiated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.methods.pes import PES, information, prepare
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import maximise


@dataclass(frozen=True)
class PPES(PES):
    """The options of `PES`."""

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        minimisers, candidates = prepare(question, rng, self.paths, self.size)
        return Answer(maximise(question, lambda fixed: information(question, minimisers, fixed), candidates, rng))
