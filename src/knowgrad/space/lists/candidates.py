"""`Candidates`: a space that is a list. Only the rows of a table exist, and the model sees some of their columns."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space.coordinates import FloatArray
from knowgrad.space.halfspaces import BoolArray
from knowgrad.space.lists.features import as_parameters, beside_of, points_of, seen_of
from knowgrad.space.lists.rows import Rows
from knowgrad.space.moving import along_levels
from knowgrad.space.space import Params, Space
from knowgrad.space.table import Columns, read_columns
from knowgrad.space.values import read_params
from knowgrad.text import shown

MOST = 100_000  # rows


class Candidates(Space):
    """Only the rows of `table` can be tried: a list of dicts, the path of a CSV file, or a data frame.

    Args:
        table: up to 100,000 rows. Every column is part of the params of a trial.
        features: the columns that the model sees. None: numbers, and texts with few different values.
        labels: columns that the model does not see, such as names.
        beside: fidelities or sources, `{"method": kg.Source(["simulation", "lab"], target="lab")}`: each row can be
            tried at each of their values.

    A column of numbers is seen on a linear scale, one of texts as a choice. Rows that differ in no feature would be the
    same to the model, and are refused.
    """

    def __init__(
        self,
        table: Any,
        *,
        features: Iterable[str] | None = None,
        labels: Iterable[str] = (),
        beside: Mapping[str, Any] | None = None,
    ) -> None:
        columns = read_columns(table, "Candidates")
        n = len(next(iter(columns.values())))
        if n > MOST:
            raise SpaceError(f"Candidates: expected at most {MOST} rows, got {n}; leave out those that cannot be best")
        seen = seen_of(columns, features, labels)
        parameters = as_parameters(columns)
        self.beside = beside_of(beside, columns)
        super().__init__({**{name: parameters[name] for name in seen}, **self.beside})
        self.parameters, self.names = {**parameters, **self.beside}, (*parameters, *self.beside)
        self.seen = (*seen, *self.beside)
        self.parts: dict[tuple[Any, ...], Candidates] = {}  # lists made of this one, each once
        self._origin: tuple[Candidates, npt.NDArray[np.intp]] | None = None
        points = np.concatenate([points_of(parameters[name], columns[name]) for name in seen], axis=1)
        self._rows, self._width = Rows(columns, points), self.dim - sum(each.width for each in self.beside.values())
        self._refuse_twins()
        # A table of all combinations is the space of these: nothing has to be looked up.
        self.is_complete = not self.beside and len(self._rows) == super().size
        if not self.is_complete:
            self._list()

    def _list(self) -> None:
        """From now on only the rows exist."""
        self.is_complete, self.listed = False, self._every_row()
        of_the_list = np.arange(self.dim) < self._width
        self.free, self.continuous = self.free & ~of_the_list, self.continuous & ~of_the_list

    @property
    def table(self) -> Columns:
        """The columns of the table, by name."""
        return self._rows.columns

    @property
    def usual_params(self) -> float:
        """How many columns there are in which rows differ."""
        columns = self._rows.columns
        return sum(len(set(columns[name])) > 1 for name in self.seen if name in columns) + len(self.beside)

    def without(self, names: Iterable[str]) -> Candidates:
        """The list with these fidelities and sources taken away."""
        left = {name: each for name, each in self.beside.items() if name not in names}
        if tuple(left) not in self.parts:  # a long list is not to be read again for every question
            self.parts[tuple(left)] = self.with_beside(left)
        return self.parts[tuple(left)]

    def with_beside(self, beside: Mapping[str, Any]) -> Candidates:
        """The list with these fidelities and sources beside it, and no others."""
        if self._origin is not None:
            return self._origin[0].with_beside(beside).kept(self._origin[1])
        rows = [self._rows[i] for i in range(len(self._rows))]
        return Candidates(rows, features=[name for name in self.seen if name not in self.beside], beside=beside)

    def kept(self, which: npt.NDArray[np.intp]) -> Candidates:
        """Some of the rows, in the same columns of the cube."""
        other = copy.copy(self)
        other._origin, other.parts, other._rows = (self, which), {}, self._rows.only(which)
        other._list()
        return other

    def _every_row(self) -> FloatArray | None:
        """All rows at all values of what is beside them, if these can be counted and are not too many."""
        levels = math.prod(each.levels for each in self.beside.values())
        if levels * len(self._rows) > 2 * MOST:
            return None
        every = self._rows.points
        for each in self.beside.values():
            places = each.place(np.arange(int(each.levels)))
            every = np.hstack([np.repeat(every, len(places), axis=0), np.tile(places, (len(every), 1))])
        return every

    def _refuse_twins(self) -> None:
        if twins := self._rows.twins():
            raise SpaceError(
                f"Candidates: rows {twins[0]} and {twins[1]} differ in no feature, which are {shown(list(self.seen))}; "
                "make a column in which they differ a feature, or leave one of them out"
            )

    def _beside_at(self, U: FloatArray) -> FloatArray:
        """What is beside the list, at the nearest values: the last columns of points (…, dim)."""
        return super().snap(U)[..., self._width :]

    def is_told_by(self, names: Iterable[str]) -> bool:
        return bool(names) and {*self.beside} <= {*names}

    def can_omit(self, name: str, params: Mapping[str, Any]) -> bool:
        return name not in self.beside

    # Between params and points.

    def validate(self, params: Mapping[str, Any]) -> Params:
        """The row that params mean: all of its columns, or as many as it takes to tell it from the others."""
        params = read_params(params)
        if not params:
            raise SpaceError(f"expected some of the columns {shown(list(self.names))}, got none; give those of a row")
        if unknown := [name for name in params if name not in self.parameters]:
            raise SpaceError(f"expected the columns {shown(list(self.names))}, got the unknown names {shown(unknown)}")
        if missing := [name for name in self.beside if name not in params]:
            raise SpaceError(f"expected a value for {shown(missing)}, which are beside the list, got {shown(params)}")
        also: Params = {}
        rows = np.arange(len(self._rows))
        for name, value in params.items():
            try:
                value = self.parameters[name].check(value)
            except SpaceError as error:
                raise SpaceError(f"parameter {name!r}: {error}") from None
            if name in self.beside:
                also[name] = value
                continue
            rows = self._rows.having(name, value, rows)
            if not len(rows):
                raise SpaceError(f"no candidate has the params {shown(dict(params))}; only the rows of the table exist")
        if len(rows) > 1:
            raise SpaceError(
                f"{len(rows)} candidates have the params {shown(dict(params))}; give more of their columns"
            )
        return {**self._rows[int(rows[0])], **{name: also[name] for name in self.beside}}

    def _decode_rows(self, U: FloatArray) -> list[Params]:
        if np.isnan(U).any():
            raise ArgumentError("a point of the unit cube must be made of numbers, got NaN")
        U = self.snap(U)
        rows = [self._rows[i] for i in self._rows.nearest(U[:, : self._width]).tolist()]
        for name, each in self.beside.items():
            values = each.locate(U[:, self.columns[name]]).tolist()
            rows = [{**row, name: each.value(value)} for row, value in zip(rows, values, strict=True)]
        return rows

    def from_uniform(self, V: npt.ArrayLike) -> FloatArray:
        return self.snap(super().from_uniform(V))

    # The cube, and points of the domain.

    @property
    def size(self) -> float:
        return len(self._rows) * math.prod(each.levels for each in self.beside.values())

    def snap(self, U: npt.ArrayLike) -> FloatArray:
        """The points of the nearest rows."""
        given = np.asarray(U, dtype=np.float64)
        if self.is_complete:
            return super().snap(given)
        rows = self._rows.points[self._rows.nearest(given[..., : self._width].reshape(-1, self._width))]
        found = rows.reshape(*given.shape[:-1], self._width)
        return np.concatenate([found, self._beside_at(given)], axis=-1) if self.beside else np.asarray(found)

    def contains(self, U: npt.ArrayLike) -> BoolArray:
        return np.ones(len(np.atleast_2d(np.asarray(U))), dtype=bool)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """n different rows at random; all of them, and some twice, if there are no more."""
        if self.is_complete:
            return super().sample(n, rng)
        rows = self._rows.drawn(n, rng)
        if not self.beside:
            return rows
        return np.hstack([rows, super().from_uniform(rng.random((n, self.n_params)))[:, self._width :]])

    def around(self, points: FloatArray) -> Candidates:
        return self

    def enumerate(self, limit: int) -> FloatArray:
        if self.size > limit or (self.listed is None and not self.is_complete):
            raise ArgumentError(f"cannot list {self.size} candidates, more than the limit of {limit}")
        return super().enumerate(limit) if self.listed is None else self.listed.copy()

    def moves(self, u: npt.ArrayLike) -> FloatArray:
        """The rows next to u."""
        if self.is_complete:
            return super().moves(u)
        here = self.snap(u)
        rows = self._rows.around(here[: self._width])
        if not self.beside:
            return rows
        beside = np.tile(here[self._width :], (len(rows), 1))
        switched = along_levels(
            here, [(p, self.columns[name]) for name, p in self.beside.items() if p.cells < math.inf]
        )
        return np.vstack([np.hstack([rows, beside]), switched])

    # What it is.

    def to_dict(self) -> dict[str, Any]:
        """The list as plain JSON values."""
        rows = [list(row) for row in zip(*self._rows.columns.values(), strict=True)]
        seen = [name for name in self.seen if name not in self.beside]
        told: dict[str, Any] = {"names": list(self._rows.columns), "features": seen, "rows": rows}
        beside = {"beside": {name: each.describe() for name, each in self.beside.items()}} if self.beside else {}
        return self.outline() | {"candidates": told | beside}

    def outline(self) -> dict[str, Any]:
        """The same without the rows."""
        names = self._rows.columns
        kinds: dict[str, Any] = {name: {"type": "feature" if name in self.seen else "label"} for name in names}
        kinds |= {name: each.describe() for name, each in self.beside.items()}
        return {"parameters": kinds, "constraints": [], "feasible": False, "candidates": {"n": len(self._rows)}}

    def __repr__(self) -> str:
        return f"Candidates({len(self._rows)} rows, features={list(self.seen)})"
