"""Question and answer where several outcomes count: what `problem` is for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.acquisition.problem import is_precise
from knowgrad.acquisition.search.discretize import reach
from knowgrad.acquisition.ties import Tie
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model, Noise, Posterior
from knowgrad.space.domain import Domain

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SeveralQuestion:
    """Where to measure next, and what: q points, given a model of every outcome.

    `models[k]` and `noises[k]` are those of outcome k; all outcomes have as many posteriors. `measured` (p, K) says
    what is running at the pending points. `options` (o, K) are the sets of outcomes that may be measured at a point, at
    the `costs` (o,); of several, each point has the one that is worth most per cost.
    """

    models: Sequence[Model]
    noises: Sequence[Sequence[Noise]]
    utility: Utility
    domain: Domain
    pending: Array
    measured: Mask
    q: int
    options: Mask
    costs: Array
    last: bool = False
    ties: tuple[Tie, ...] = ()
    known: Array | None = None
    """Where something was measured, as far as it lies in the domain (n, D); None: all points of the models."""

    @property
    def posteriors(self) -> int:
        return len(self.models[0])

    def joint(self, i: int) -> list[Posterior]:
        """The i-th posterior of every outcome."""
        return [model[i] for model in self.models]

    def tried(self) -> Array:
        """All points where some outcome was measured."""
        if self.known is not None:
            return self.known
        return np.unique(np.vstack([model[0].X for model in self.models]), axis=0)

    def is_precise(self) -> bool:
        """Have all outcomes little noise?"""
        pairs = zip(self.models, self.noises, strict=True)
        return all(is_precise(model[0], noise[0]) for model, noise in pairs)

    def scale(self) -> Array:
        """The length over which the models bend in each column (D,)."""
        return np.asarray(np.mean([reach(post) for post in self.model], axis=0))

    @property
    def model(self) -> Model:
        """The posteriors of all objectives."""
        return [post for each in self.utility.objectives for post in self.models[each.outcome]]


@dataclass(frozen=True, eq=False)
class SeveralAnswer:
    """A batch (q, D), what to measure at each point (q, K), and the gain in the best utility with its error."""

    Z: Array
    measured: Mask
    value: float
    sem: float


def given(question: SeveralQuestion, head: Array) -> SeveralQuestion:
    """The rest of the question, once these points are chosen and measured as the only option has it."""
    if not len(head):
        return question
    pending, rows = np.vstack([question.pending, head]), np.repeat(question.options[:1], len(head), axis=0)
    return replace(question, pending=pending, measured=np.vstack([question.measured, rows]), q=question.q - len(head))
