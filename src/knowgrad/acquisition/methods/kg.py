"""`kg`: the knowledge gradient of one measurement, exactly (Frazier, Powell & Dayanik, 2009; Scott et al., 2011).

    KG(z) = min μ^(n) − E[min μ^(n+1) | z],   the minima over A ∪ {z}

On a finite A the fantasised minimum is one of lines in the single normal that matters, and its mean has a closed form
(`piecewise`). A holds minima of the mean, sampled optima and observed points; then, for the best z found, the
minimisers of its fantasised means over the whole domain are added and the search is repeated (column generation).

Sequential. For q > 1 or with points pending, these are believed to return their posterior mean (the variance falls, the
mean stays): their worth is not shared with the new point, as it is in `qkg`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import ndtri

from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.discretize import distinct, lowest_lcb, sampled_optima
from knowgrad.acquisition.search.greedy import Climb, believe, observed
from knowgrad.acquisition.search.starts import settle, starts
from knowgrad.acquisition.search.worth import enrich, factors
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model


@dataclass(frozen=True)
class KG:
    """Options: sampled optima and size of A per posterior, fantasies and rounds of column generation, screened points
    that are kept."""

    takes_targets: ClassVar[bool] = True

    paths: int = 64
    size: int = 128
    fantasies: int = 16
    rounds: int = 2
    starts: int = 32
    fit: str = "map"

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        sets, climb = self._prepare(question, rng)
        taken, none = observed(question), np.empty((0, question.domain.dim))
        # Quantiles of the one normal that a single measurement depends on.
        levels = ndtri((np.arange(self.fantasies) + 0.5) / self.fantasies)[:, None]
        model: Model = believe(question.model, question.noise, question.pending)
        for _ in range(question.q):
            asked = replace(question, model=model)
            parts = factors(asked, sets, none, levels)
            kg = Average(parts)
            order = np.argsort(-kg.value(climb.points[:, None]), kind="stable")
            near = replace(climb, points=climb.points[order[: self.starts]])
            z = near.best(kg, taken)
            for _ in range(self.rounds):
                sets = [enrich(part.ahead, z, levels, question.domain) for part in parts]
                parts = factors(asked, sets, none, levels)
                kg = Average(parts)
                z = replace(near, points=np.vstack([near.points, z])).best(kg, taken, keep=2)
            model, taken = believe(model, question.noise, z), np.vstack([taken, z])
        return Answer(taken[len(taken) - question.q :])

    def _prepare(self, question: Question, rng: np.random.Generator) -> tuple[list[Array], Climb]:
        """A for each posterior, with the points pending; and the search, from the sampled optima too."""
        begin = starts(question, rng)
        sets = []
        for post, low in zip(question.model, begin.lows, strict=True):
            optima = sampled_optima(post, question.domain, begin.spread, self.paths, rng, question.target)
            optima = settle(question.domain, optima)
            tried = question.domain.within(post.X)
            known = lowest_lcb(post, np.vstack([optima, tried, question.pending]), self.size, question.target)
            sets.append(distinct(np.vstack([low, known]), post.ell))
        return sets, Climb.of(question, begin, rng, *sets)
