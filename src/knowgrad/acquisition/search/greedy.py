"""A batch built one point after the other, each the best by some acquisition given those before it.

Points that are pending or already in the batch are, unless a method says otherwise, believed to return their posterior
mean: conditioning on that leaves every mean as it is and takes away the variance that measuring them will take away.
Methods of improvement treat such a result as exact: with the noise of a real one, much variance would be left at a
point just chosen, and they would choose the same place again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.ascent import Acquisition, search
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.starts import Starts, common_scale, starts
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model, Noise, Posterior, is_exact


@dataclass(frozen=True, eq=False)
class Climb:
    """Where a search for one point begins, and how it goes on."""

    question: Question
    points: Array
    scale: Array
    rng: np.random.Generator

    @classmethod
    def prepare(cls, question: Question, rng: np.random.Generator) -> Climb:
        return cls.of(question, starts(question, rng), rng)

    @classmethod
    def of(cls, question: Question, begin: Starts, rng: np.random.Generator, *more: Array) -> Climb:
        """From all that `begin` holds, and the points of `more`."""
        points = np.unique(np.vstack([begin.points, begin.spread, *more]), axis=0)
        return cls(question, points, common_scale(question.model), rng)

    def best(self, acquisition: Acquisition, taken: Array, keep: int = 8) -> Array:
        """The best point found (1, D), inside the domain; where results are exact, none of those taken (t, D)."""
        domain = self.question.domain
        value = acquisition.value(self.points[:, None])
        order = np.argsort(-value, kind="stable")
        top = self.points[order[:keep], None]
        z = search(acquisition, top, domain, self.scale, keep=keep, steps=20, tol=1e-5)
        z = exchange(acquisition.value, z, domain, self.scale, self.rng)
        # What was climbed between levels may be worth less on them than a point that never moved.
        if value[order[0]] > acquisition.value(z[None])[0]:
            z = exchange(acquisition.value, top[0], domain, self.scale, self.rng)
        if is_exact(self.question.noise, z) and repeats(z, taken)[0]:
            fresh = order[~repeats(self.points[order], taken)]
            z = self.points[fresh[:1]] if len(fresh) else z
        return z


def repeats(U: Array, taken: Array) -> NDArray[np.bool_]:
    """Which rows of U are among those taken."""
    return np.asarray((U[:, None] == taken[None]).all(axis=2).any(axis=1))


def observed(question: Question) -> Array:
    """All points that have been or are being measured."""
    return np.vstack([question.model[0].X, question.pending])


def condition(posterior: Posterior, noise: Noise, U: Array, y: Array | None = None) -> Posterior:
    """The posterior given results y at U (their means, if left out), with the noise they will have."""
    return posterior.condition(U, noise(U)[0] + posterior.nugget, y) if len(U) else posterior


def believe(model: Model, noise: Sequence[Noise], U: Array) -> Model:
    """The model if the results at U were their posterior means: less variance, the same mean."""
    return [condition(post, sigma2, U) for post, sigma2 in zip(model, noise, strict=True)]


def exact(U: Array) -> tuple[Array, Array]:
    """No noise, in the form of a noise function."""
    return np.zeros(U.shape[:-1]), np.zeros(U.shape)


def condition_exact(model: Model, noise: Sequence[Noise], U: Array) -> Model:
    """The model if f at U were measured to be its posterior mean, without noise."""
    return [condition(post, exact, U) for post in model]


# From the model given the points chosen so far, and their number, to what the next point maximises.
Step = Callable[[Model, int], Acquisition]
# The model given that points U are running.
Update = Callable[[Model, Sequence[Noise], Array], Model]


def greedy(question: Question, rng: np.random.Generator, step: Step, update: Update = believe) -> Array:
    """The batch (q, D)."""
    climb, taken = Climb.prepare(question, rng), observed(question)
    model = update(question.model, question.noise, question.pending)
    for j in range(question.q):
        z = climb.best(step(model, j), taken)
        model, taken = update(model, question.noise, z), np.vstack([taken, z])
    return taken[len(taken) - question.q :]
