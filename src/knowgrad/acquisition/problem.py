"""What every method shares: the question it is asked, and the answer it gives.

A measurement is f at a point, with a noise and a cost. The target is what is minimised: f, or a weighted sum of f at
rows that belong to a point (`target`).

symbol     name       shape       meaning
z^(1:q)    Z, z       (q, D)      the batch; with a leading axis (S, q, D) for S batches at once
p points   pending    (p, D)      asked, not yet told
𝔸          domain                 where points may lie
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.target import Target
from knowgrad.acquisition.ties import Tie
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model, Noise, Posterior
from knowgrad.space.domain import Domain

PRECISE = 0.01  # noise variance, relative to that of all results, below which gains get rare before they get small

Rows = NDArray[np.intp]
# What is maximised: (Z (s, q, D), rows (s,)) -> values (s,), gradients (s, q, D); rows says which starts these are.
Objective = Callable[[Array, Rows], tuple[Array, Array]]


class Cost(Protocol):
    """c(x) > 0 of measuring at x, in any unit: of rows (…, D) the cost (…), and with its gradient (…, D)."""

    def value(self, U: Array) -> Array: ...
    def value_and_gradient(self, U: Array) -> tuple[Array, Array]: ...


def is_precise(posterior: Posterior, noise: Noise) -> bool:
    """Is the noise of all results small beside what they differ by?"""
    return bool(noise(posterior.X)[0].max() < PRECISE)


def certain() -> float:
    """The lower bound of noise that is known, as a share of it: all of it."""
    return 1.0


@dataclass(frozen=True, eq=False)
class Question:
    """Where to sample next: q points, given a model, p pending points and the noise σ²(x) of what will be measured.

    `noise[k]` is σ² in the units of `model[k]`. `last`: no batch comes after this one. `least_noise` is
    the lower bound of σ², as a share of it: 1 where it is known. `target` is what the methods of the knowledge gradient
    minimise, `None` f itself; the other methods minimise f. `ties` are settings that the points of the batch share; of
    the methods only `qkg` keeps them. `crowd`: so many of the last points of every posterior are not results but
    running, believed to return their means (`criteria/crowd`). `cost` is what a measurement costs, where that
    is not the same everywhere: `qkg` then chooses by value per cost. `hurried`: many wait for points, and a batch found
    at a fraction of the cost is better than one that is worth a little more. `again` (k, D) is a point whose good
    result may be luck: measured again, it tells noise from detail of f.
    """

    model: Model
    noise: Sequence[Noise]
    domain: Domain
    pending: Array
    q: int
    last: bool = False
    least_noise: Callable[[], float] = certain
    target: Target | None = None
    ties: tuple[Tie, ...] = ()
    crowd: int = 0
    cost: Cost | None = None
    hurried: bool = False
    again: Array | None = None


@dataclass(frozen=True, eq=False)
class Answer:
    """A batch (q, D) inside the domain; where the method knows it, its value and the standard error of that."""

    Z: Array
    value: float | None = None
    sem: float | None = None


class Criterion(Protocol):
    """What batches are worth under one posterior: values (S,) of (S, q, D), and with gradients (S, q, D)."""

    def value(self, Z: Array) -> Array: ...
    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]: ...


class Method(Protocol):
    """One acquisition method: a frozen value object whose fields are its options."""

    @property
    def fit(self) -> str:
        """How hyperparameters are found for it, unless the user says otherwise: "map" or "mle"."""
        ...

    def propose(self, question: Question, rng: np.random.Generator) -> Answer:
        """The next batch. Pure in its arguments."""
        ...
