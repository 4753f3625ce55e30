"""A space in which some parameters keep to given values: one context, or one of several.

    rest      the space of the other parameters: what is allowed in every context
    pinned    (D,) bool: the columns of the parameters that are given, and of what they decide: parameters that do not
              exist then, and marks of conditions
    rows      (m, D): what these columns are in each context; other columns are not read

Points have all columns of the space; those that are pinned are those of one of the rows.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowgrad.errors import ArgumentError
from knowgrad.space.conditions.decided import decided
from knowgrad.space.domain import Array
from knowgrad.space.lists import sublists
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.lists.sublists import of_the_list
from knowgrad.space.rest import Context, rest_of
from knowgrad.space.space import Space


class Contexts:
    """`space` where the parameters that the contexts name have the values of one of them."""

    def __init__(self, space: Space, contexts: Sequence[Context]) -> None:
        self.rest, self.within = rest_of(space, contexts), space.within
        self.pinned, self.rows = pins(space, contexts)
        self._settled = None if space.activity is None else space.settled
        self._open = np.flatnonzero(columns_of(space, *self.rest.columns))
        self.dim, self.n_params = space.dim, self.rest.n_params + (len(self.rows) > 1)
        self.free, self.continuous = space.free & ~self.pinned, space.continuous & ~self.pinned
        self.is_unconstrained = self.rest.is_unconstrained
        self.listed = None if self.rest.listed is None else self.every(self.rest.listed)

    @property
    def usual_params(self) -> float:
        """How many parameters a point has on average."""
        return self.rest.usual_params + (len(self.rows) > 1)

    def stratified(self, V: Array) -> Array:
        """Uniform numbers of a Latin hypercube, even over the points of the rest that have a parameter."""
        n = self.rest.n_params
        return np.hstack([self.rest.stratified(V[:, :n]), V[:, n:]])

    def movable(self, U: Array) -> NDArray[np.bool_] | None:
        """As of the rest: what is pinned does not move."""
        if (found := self.rest.movable(self.lower(U))) is None:
            return None
        moves = np.zeros(U.shape, dtype=bool)
        moves[..., self._open] = found[..., : len(self._open)]
        return moves

    def every(self, V: Array) -> Array:
        """Points of the rest (n, d) in each of the contexts."""
        return np.vstack([self.lift(V, k) for k in range(len(self.rows))])

    @property
    def size(self) -> float:
        return self.rest.size * len(self.rows)

    def around(self, points: Array) -> Contexts:
        """The same with points (k, D) that were tried: what they have of the rest is known to be allowed."""
        other = copy.copy(self)
        other.rest = self.rest.around(self.lower(points))
        return other

    def lift(self, V: Array, which: NDArray[np.intp] | int = 0) -> Array:
        """Points of the rest (…, d), each in one of the contexts: (…, D)."""
        U = np.where(self.pinned, self.rows[which], np.zeros((*V.shape[:-1], self.dim)))
        U[..., self._open] = V[..., : len(self._open)]
        return U if self._settled is None else self._settled(U)

    def lower(self, U: Array) -> Array:
        """What points (…, D) have of the rest: (…, d)."""
        V = U[..., self._open]
        if self.rest.activity is None:
            return V
        marks = np.zeros((*V.shape[:-1], self.rest.dim - len(self._open)))
        return self.rest.settled(np.concatenate([V, marks], axis=-1))

    def nearest(self, U: Array) -> NDArray[np.intp]:
        """The context that each point is in, or nearest to."""
        if len(self.rows) == 1:
            return np.zeros(U.shape[:-1], dtype=np.intp)
        gaps = (U[..., None, self.pinned] - self.rows[:, self.pinned]) ** 2
        return np.asarray(np.argmin(gaps.sum(axis=-1), axis=-1))

    def project(self, U: Array) -> Array:
        return self.lift(self.rest.project(self.lower(U)), self.nearest(U))

    def snap(self, U: Array) -> Array:
        return self.lift(self.rest.snap(self.lower(U)), self.nearest(U))

    def contains(self, U: Array) -> NDArray[np.bool_]:
        return self.rest.contains(self.lower(U))

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        V = self.rest.sample(n, rng)
        return self.lift(V, rng.integers(len(self.rows), size=n) if len(self.rows) > 1 else 0)

    def from_uniform(self, V: Array) -> Array:
        """Points of uniform numbers; where there are several contexts, the last number chooses one."""
        m = len(self.rows)
        which = np.minimum((V[:, -1] * m).astype(np.intp), m - 1) if m > 1 else 0
        return self.lift(self.rest.from_uniform(V[:, : self.rest.n_params]), which)

    def moves(self, u: Array) -> Array:
        here = int(self.nearest(u))
        others = [k for k in range(len(self.rows)) if k != here]
        elsewhere = [self.lift(self.rest.snap(self.lower(u)), k)[None] for k in others]
        return np.vstack([self.lift(self.rest.moves(self.lower(u)), here), *elsewhere])

    def enumerate(self, limit: int) -> Array:
        if self.size > limit:
            raise ArgumentError(f"cannot list a space of {self.size} points, more than the limit of {limit}")
        return self.every(self.rest.enumerate(limit))


def in_contexts(space: Space, contexts: Sequence[Context]) -> Space | Contexts:
    """Where points may lie: of a list its rows with these values, of what is beside it these values alone."""
    if not isinstance(space, Candidates) or not (names := of_the_list(space, contexts[0])):
        return Contexts(space, contexts)
    rows = sublists.in_contexts(space, contexts)
    beside = [{name: value for name, value in each.items() if name not in names} for each in contexts]
    different = [dict(each) for each in dict.fromkeys(tuple(each.items()) for each in beside)]
    return Contexts(rows, different) if beside[0] else rows


def pins(space: Space, contexts: Sequence[Context]) -> tuple[NDArray[np.bool_], Array]:
    """The columns (D,) that contexts of the same names fix, and what they are in each (m, D)."""
    columns, rows = columns_of(space, *contexts[0]), np.array([_row(space, context) for context in contexts])
    if space.activity is None:
        return columns, rows
    found = decided(space.parameters, contexts[0])
    for name, mark in space.activity.marked.items():
        if name in found.gone or found.left[name] is None:
            columns[mark] = True
            rows[:, mark] = name not in found.gone
    at_rest = columns_of(space, *found.gone)
    rows[:, at_rest] = space.activity.at_rest[at_rest]
    return columns | at_rest, rows


def columns_of(space: Space, *names: str) -> NDArray[np.bool_]:
    """The columns (D,) of these parameters."""
    columns = np.zeros(space.dim, dtype=bool)
    for name in names:
        columns[space.columns[name]] = True
    return columns


def _row(space: Space, context: Context) -> Array:
    row = np.zeros(space.dim)
    for name, value in context.items():
        parameter = space.parameters[name]
        row[space.columns[name]] = parameter.place(parameter.position(value))
    return row
