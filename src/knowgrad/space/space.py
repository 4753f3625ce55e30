"""The space: user units to points of the unit cube and back, constraints, feasible samples."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space.conditions.existence import Existence
from knowgrad.space.coordinates import FloatArray
from knowgrad.space.described import Described
from knowgrad.space.halfspaces import BoolArray
from knowgrad.space.mixtures import Mixture
from knowgrad.space.moving import along_levels
from knowgrad.space.parameters import Choice
from knowgrad.space.rules import Constraint, Rules
from knowgrad.space.sampling import Sampler
from knowgrad.space.scalars import Scalar
from knowgrad.space.values import check_values
from knowgrad.text import shown

Params = dict[str, Scalar]


class Space(Existence, Described):
    """Parameters by name, with the part of their box that is allowed.

    `constraints` are linear, "x + 2*y <= 1" or "x + y + z == 1", or a `Mixture`. `feasible(params) -> bool` is any
    further test. Constraints hold up to rounding: a violation below 1e-9 of the largest swing of any one term is
    forgiven. Points from `project` keep a few units of rounding error away from the border wherever the domain is
    thick enough for that. A parameter that an equality decides is in the params, but has no column of the cube.
    """

    reaches = False
    """May there be results outside of it? So in a study whose space was changed."""

    def __init__(
        self,
        params: Mapping[str, Any] | Mixture,
        *,
        constraints: Iterable[Constraint] | Constraint = (),
        feasible: Callable[[Params], bool] | None = None,
    ) -> None:
        _refuse_spaces(params)
        self.rules = Rules(params, constraints)
        self.parameters, self.constraints = self.rules.parameters, self.rules.constraints
        self.names, self.columns = tuple(self.parameters), self.rules.columns
        self.seen = self.names  # what the model learns about
        self.listed: FloatArray | None = None  # all points, where the space is a list
        kinds = list(self.rules.kept.values())
        self.n_params, self.dim, self.activity = len(kinds), self.rules.dim, self.rules.activity
        self._pieces = list(zip(kinds, self.columns.values(), strict=True))
        self._stepped = [(p, where) for p, where in self._pieces if p.cells < math.inf]
        parts, widths = [columns for p in kinds for columns in p.parts], [p.width for p in kinds]
        marks = self.dim - sum(widths)
        none = np.zeros(marks, dtype=bool)
        self.groups = np.repeat(np.arange(len(parts) + marks), [*parts, *[1] * marks])
        self.free = np.append(np.repeat([not isinstance(p, Choice) for p in kinds], widths), none)
        hot = [(tuple(range(at.start, at.start + p.one_hot)), p.width) for p, at in self._pieces if p.one_hot > 1]
        self.choices = tuple(columns for columns, _ in hot)  # the one-hot columns of each
        self.described = tuple(columns for columns, width in hot if len(columns) < width)  # of those with descriptors
        self.continuous = np.append(np.repeat([p.cells == math.inf for p in kinds], widths), none)
        self.groups.flags.writeable = self.free.flags.writeable = self.continuous.flags.writeable = False
        if feasible is not None and not callable(feasible):
            raise SpaceError(f"feasible must be a function params -> bool or None, got {shown(feasible)}")
        self.feasible = feasible
        self.is_unconstrained = self.rules.are_none and feasible is None
        self._listed: FloatArray | None = None
        self._sampler = Sampler(self, self.rules, np.empty((0, self.dim)))

    @property
    def size(self) -> float:
        """The number of distinct points before constraints: an int, or math.inf."""
        return math.prod(p.levels for p, _ in self._pieces) if self.activity is None else self.activity.size

    # Between params and points.

    def validate(self, params: Mapping[str, Any]) -> Params:
        """The canonical form of params from outside, or a SpaceError that says what is wrong with them."""
        checked = check_values(params, self.parameters, self.activity)
        self.rules.equalities.settle(checked)
        if not self.is_unconstrained:
            self.rules.refuse(self.encode(checked), checked)
            if not self._is_feasible(dict(checked)):
                raise SpaceError(f"params {shown(checked)} are refused by the space's feasible function")
        return checked

    def encode(self, params: Mapping[str, Any]) -> FloatArray:
        """The point (dim,) of canonical params; if it `reaches`, also of params beyond its bounds, outside the cube."""
        if self.activity is not None:
            return self.activity.encode(params, reaches=self.reaches)
        if self.reaches:
            return np.concatenate([p.spot(params[name]) for name, p in self.rules.kept.items()])
        return np.concatenate([p.place(p.position(params[name])) for name, p in self.rules.kept.items()])

    def encode_many(self, params: Sequence[Mapping[str, Any]]) -> FloatArray:
        """The points (n, dim) of canonical params."""
        if self.activity is not None or self.reaches or len(params) < 2:
            return np.array([self.encode(one) for one in params]).reshape(-1, self.dim)
        # By parameter: a row at a time is several times as slow.
        coordinates = [(p, p.positions([one[name] for one in params])) for name, p in self.rules.kept.items()]
        return np.concatenate([p.place(each) for p, each in coordinates], axis=1)

    def decode(self, u: npt.ArrayLike) -> Params:
        """The params at the representable point nearest to u (dim,): plain Python values, within bounds."""
        return self._decode_rows(np.asarray(u, dtype=np.float64)[None])[0]

    def _decode_rows(self, U: FloatArray) -> list[Params]:
        if np.isnan(U).any():
            raise ArgumentError("a point of the unit cube must be made of numbers, got NaN")
        U = self.snap(U) if self.rules.blends else U
        lists = [[p.value(c) for c in p.locate(U[:, where]).tolist()] for p, where in self._pieces]
        rows = [dict(zip(self.columns, row, strict=True)) for row in zip(*lists, strict=True)]
        rows = [self.rules.complete(row) for row in rows] if len(self.columns) < len(self.names) else rows
        return rows if self.activity is None else self.activity.without(rows, U)

    def from_uniform(self, V: npt.ArrayLike) -> FloatArray:
        """Points (n, dim) of uniform numbers (n, n_params): levels are equally likely (log: by their width)."""
        V = np.asarray(V, dtype=np.float64)
        blocks = [p.draw(V[:, j]) for j, (p, _) in enumerate(self._pieces)]
        U = np.concatenate(blocks, axis=1) if self.activity is None else self.activity.padded(blocks)
        return self.rules.spaced(U)

    # The cube.

    def snap(self, U: npt.ArrayLike) -> FloatArray:
        """The nearest representable points, rows in any shape (…, dim)."""
        given = np.asarray(U, dtype=np.float64)
        snapped: FloatArray = np.minimum(np.maximum(given, 0.0), 1.0)
        for p, where in self._stepped:
            snapped[..., where] = p.place(p.locate(given[..., where]))
        return self.rules.snap(given, snapped)

    def project(self, U: npt.ArrayLike) -> FloatArray:
        """The nearest points of the box and of the constraints flat in the cube, rows in any shape (…, dim)."""
        given = np.asarray(U, dtype=np.float64)
        return self.rules.project(given.reshape(-1, self.dim)).reshape(given.shape)

    def contains(self, U: npt.ArrayLike) -> BoolArray:
        """Are the snapped rows (n, dim) in the domain?"""
        return self._allowed(self.snap(np.atleast_2d(np.asarray(U, dtype=np.float64))))

    def _allowed(self, snapped: FloatArray) -> BoolArray:
        """Which rows (n, dim) of levels are in the domain, as they are."""
        inside = self.rules.contain(snapped)
        if self.feasible is not None and inside.any():
            inside[inside] = [self._is_feasible(params) for params in self._decode_rows(snapped[inside])]
        return inside

    def _is_feasible(self, params: Params) -> bool:
        if self.feasible is None:
            return True
        try:
            answer = self.feasible(params)
            if answer is None:
                raise TypeError("it returned None, not True or False")
            return bool(answer)
        except Exception as error:
            raise SpaceError(f"the space's feasible function failed: {type(error).__name__}: {error}") from error

    def reaching(self) -> Space:
        """The same space, in which results may lie outside."""
        other = copy.copy(self)
        other.reaches = True
        other._sampler = Sampler(other, self.rules, np.empty((0, self.dim)))
        return other

    def within(self, U: FloatArray) -> FloatArray:
        """The points of results (n, dim) as points that can be tried: in place of those outside, the nearest inside."""
        if not self.reaches:
            return U
        inside = self.holds(U)
        if inside.all():
            return U
        near = self.snap(self.project(U[~inside]))
        found = np.vstack([U[inside], near[self._allowed(near)]])
        return found if len(found) else near

    def holds(self, U: FloatArray) -> BoolArray:
        """Which of the points (n, dim) lie in the domain as they are, without being snapped to it."""
        snapped = self.snap(U)
        return np.asarray((snapped == U).all(axis=1) & self._allowed(snapped))

    # Points of the domain.

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """n feasible snapped points (n, dim), uniform over the parameters; EmptyDomainError if none was found."""
        return self._sampler.sample(n, rng)

    def around(self, points: FloatArray) -> Space:
        """The same space with points (k, dim) known to lie in it, which lead to others where sampling finds too few."""
        other = copy.copy(self)
        other._sampler = Sampler(other, self.rules, points)
        return other

    def enumerate(self, limit: int) -> FloatArray:
        """All feasible points (m, dim) of a space of at most `limit` points before constraints."""
        if self.size > limit:
            raise ArgumentError(f"cannot list a space of {self.size} points, more than the limit of {limit}")
        if self._listed is None:
            everything = self._every() if self.activity is None else self.activity.enumerate()
            self._listed = everything[self._allowed(everything)]
        return self._listed.copy()

    def _every(self) -> FloatArray:
        levels = np.unravel_index(np.arange(int(self.size)), [int(p.levels) for p, _ in self._pieces])
        return np.concatenate([p.place(k) for (p, _), k in zip(self._pieces, levels, strict=True)], axis=1)

    def moves(self, u: npt.ArrayLike) -> FloatArray:
        """Feasible points (m, dim) that differ from u in one discrete parameter: all levels if few, else near ones."""
        u = self.snap(u)
        moved = along_levels(u, self._stepped)
        points = np.concatenate([moved, *(blend.moves(u) for _, blend in self.rules.blends)])
        if self.activity is not None:
            points = self.snap(self.activity.neighbours(u, points))
            points = points[(points != u).any(axis=1)]
        return points if self.is_unconstrained or not len(points) else points[self._allowed(points)]


def _refuse_spaces(params: Any) -> None:
    if isinstance(params, Space):
        raise SpaceError(
            f"expected parameters, got {shown(params)}, a space already; pass it to the study as it is, with only the "
            "rows that are allowed if it is a list"
        )
    for name, form in params.items() if isinstance(params, Mapping) else ():
        if isinstance(form, Space):
            raise SpaceError(
                f"parameter {shown(name)}: expected a parameter, got {shown(form)}, a space of its own; give it "
                "alone, or beside other parameters as kg.Choice(names, features=table)"
            )


def as_space(obj: Any) -> Space:
    """A Space as it is, or one made of a mapping of parameters or of a mixture; a list may be one of the parameters."""
    lists = [name for name, each in obj.items() if isinstance(each, Space)] if isinstance(obj, Mapping) else []
    if len(lists) == 1 and hasattr(obj[lists[0]], "with_beside"):
        made: Space = obj[lists[0]].with_beside({name: each for name, each in obj.items() if name != lists[0]})
        return made
    return obj if isinstance(obj, Space) else Space(obj)
