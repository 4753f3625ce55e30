"""A space in which some parameters keep to given values: one context, or one of several.

    rest      the space of the other parameters: what is allowed in every context
    pinned    (D,) bool: the columns of the parameters that are given
    rows      (m, D): what these columns are in each context; other columns are not read

Points have all columns of the space; those that are pinned are those of one of the rows.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space.constraints import Linear, read_constraint
from knowgrad.space.domain import Array
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.rules import Constraint
from knowgrad.space.scalars import Scalar
from knowgrad.space.space import Params, Space
from knowgrad.text import shown

Context = Mapping[str, Scalar]


class Contexts:
    """`space` where the parameters that the contexts name have the values of one of them."""

    def __init__(self, space: Space, contexts: Sequence[Context]) -> None:
        self.rest, self.within = rest_of(space, contexts), space.within
        self.pinned, self.rows = pins(space, contexts)
        self.dim, self.n_params = space.dim, self.rest.n_params + (len(self.rows) > 1)
        self.free, self.continuous = space.free & ~self.pinned, space.continuous & ~self.pinned
        self.is_unconstrained = self.rest.is_unconstrained
        self.listed = None if self.rest.listed is None else self.every(self.rest.listed)

    @property
    def usual_params(self) -> float:
        """How many parameters a point has: all."""
        return self.n_params

    def stratified(self, V: Array) -> Array:
        """Uniform numbers of a Latin hypercube as they are."""
        return V

    def movable(self, U: Array) -> NDArray[np.bool_] | None:
        """As of the rest: what is pinned does not move."""
        if (found := self.rest.movable(U[..., ~self.pinned])) is None:
            return None
        moves = np.zeros(U.shape, dtype=bool)
        moves[..., ~self.pinned] = found
        return moves

    def every(self, V: Array) -> Array:
        """Points of the rest (n, D − pinned) in each of the contexts."""
        return np.vstack([self.lift(V, k) for k in range(len(self.rows))])

    @property
    def size(self) -> float:
        return self.rest.size * len(self.rows)

    def around(self, points: Array) -> Contexts:
        """The same with points (k, D) that were tried: what they have of the rest is known to be allowed."""
        other = copy.copy(self)
        other.rest = self.rest.around(points[:, ~self.pinned])
        return other

    def lift(self, V: Array, which: NDArray[np.intp] | int = 0) -> Array:
        """Points of the rest (…, D − pinned), each in one of the contexts: (…, D)."""
        U = np.where(self.pinned, self.rows[which], np.zeros((*V.shape[:-1], self.dim)))
        U[..., ~self.pinned] = V
        return U

    def nearest(self, U: Array) -> NDArray[np.intp]:
        """The context that each point is in, or nearest to."""
        if len(self.rows) == 1:
            return np.zeros(U.shape[:-1], dtype=np.intp)
        gaps = (U[..., None, self.pinned] - self.rows[:, self.pinned]) ** 2
        return np.asarray(np.argmin(gaps.sum(axis=-1), axis=-1))

    def project(self, U: Array) -> Array:
        return self.lift(self.rest.project(U[..., ~self.pinned]), self.nearest(U))

    def snap(self, U: Array) -> Array:
        return self.lift(self.rest.snap(U[..., ~self.pinned]), self.nearest(U))

    def contains(self, U: Array) -> NDArray[np.bool_]:
        return self.rest.contains(U[:, ~self.pinned])

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
        elsewhere = [self.lift(self.rest.snap(u[~self.pinned]), k)[None] for k in others]
        return np.vstack([self.lift(self.rest.moves(u[~self.pinned]), here), *elsewhere])

    def enumerate(self, limit: int) -> Array:
        if self.size > limit:
            raise ArgumentError(f"cannot list a space of {self.size} points, more than the limit of {limit}")
        return self.every(self.rest.enumerate(limit))


def pins(space: Space, contexts: Sequence[Context]) -> tuple[NDArray[np.bool_], Array]:
    """The columns (D,) that contexts of the same names fix, and what they are in each (m, D)."""
    return columns_of(space, *contexts[0]), np.array([_row(space, context) for context in contexts])


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


def rest_of(space: Space, contexts: Sequence[Context]) -> Space:
    """The space of the parameters that the contexts leave open: what the constraints leave of it in each of them."""
    fixed = contexts[0].keys()
    if isinstance(space, Candidates):
        return space.without(fixed)
    left = {name: parameter for name, parameter in space.parameters.items() if name not in fixed}
    if not left:
        raise ArgumentError(
            f"expected at least one parameter that is left to choose, got values for all of {shown(list(fixed))}; "
            "leave one out, or use predict()"
        )
    texts = dict.fromkeys(text for context in contexts for text in _left_of(space, context))
    feasible = space.feasible

    def allowed(params: Params) -> bool:
        assert feasible is not None
        return all(feasible({name: {**params, **context}[name] for name in space.names}) for context in contexts)

    rest = Space(left, constraints=list(texts), feasible=None if feasible is None else allowed)
    return rest.reaching() if space.reaches else rest


def _left_of(space: Space, context: Context) -> list[Constraint]:
    """The constraints with the values of a context in them; those that mention none of its names as they are."""
    texts: list[Constraint] = []
    for text in space.constraints:
        linears = read_constraint(text, space.parameters) if isinstance(text, str) else []
        if not any(name in context for linear in linears for name in linear.coefficients):
            texts.append(text)
            continue
        for linear in linears:
            texts += _substituted(linear, context)
    return texts


def _substituted(linear: Linear, context: Context) -> list[str]:
    bound = linear.bound
    for name in linear.coefficients.keys() & context.keys():
        bound -= linear.coefficients[name] * Fraction(str(context[name]))
    terms = [f"({factor})*{name}" for name, factor in linear.coefficients.items() if name not in context]
    if terms:
        return [f"{' + '.join(terms)} <= {bound}"]
    if bound < 0:
        raise SpaceError(f"{shown(dict(context))} violates the constraint {linear.text!r}; change the values or it")
    return []
