"""`Candidates`: a space that is a list. Only the rows of a table exist, and the model sees some of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space.coordinates import FloatArray
from knowgrad.space.features import as_parameters, points_of, seen_of
from knowgrad.space.halfspaces import BoolArray
from knowgrad.space.scalars import Scalar
from knowgrad.space.space import FORMS, Params, Space
from knowgrad.space.table import read_columns
from knowgrad.text import shown

MOST = 100_000  # rows
NEAR = 48  # rows next to one, for coordinate exchange
BLOCK = 2**21  # distances that are worked on at a time


class Candidates(Space):
    """Only the rows of `table` can be tried: a list of dicts, the path of a CSV file, or a data frame.

    Args:
        table: up to 100,000 rows. Every column is part of the params of a trial.
        features: the columns that the model sees. None: numbers, and texts of which there are few different ones.
        labels: columns that the model does not see, such as names.

    A column of numbers is seen on a linear scale, one of texts as a choice. Rows that differ in no feature would be the
    same to the model, and are refused.
    """

    def __init__(self, table: Any, *, features: Iterable[str] | None = None, labels: Iterable[str] = ()) -> None:
        columns = read_columns(table, "Candidates")
        n = len(next(iter(columns.values())))
        if n > MOST:
            raise SpaceError(f"Candidates: expected at most {MOST} rows, got {n}; leave out those that cannot be best")
        seen = seen_of(columns, features, labels)
        parameters = as_parameters(columns)
        super().__init__({name: parameters[name] for name in seen})
        self.parameters, self.names, self.seen = parameters, tuple(parameters), seen
        self._table = columns
        self._rows = np.concatenate([points_of(parameters[name], columns[name]) for name in seen], axis=1)
        self._refuse_twins()
        # A table of all combinations is the space of these: nothing has to be looked up.
        self.is_complete = len(self._rows) == super().size
        if not self.is_complete:
            self.listed = self._rows
            self.free, self.continuous = np.zeros(self.dim, dtype=bool), np.zeros(self.dim, dtype=bool)

    @cached_property
    def _at(self) -> dict[bytes, int]:
        """Rows by their points."""
        return {point.tobytes(): i for i, point in enumerate(self._rows)}

    def _refuse_twins(self) -> None:
        if len(self._at) == len(self._rows):
            return
        i = next(i for i, point in enumerate(self._rows) if self._at[point.tobytes()] != i)
        j = self._at[self._rows[i].tobytes()]
        raise SpaceError(
            f"Candidates: rows {i} and {j} differ in no feature, which are {shown(list(self.seen))}; "
            "make a column in which they differ a feature, or leave one of them out"
        )

    def _row(self, i: int) -> Params:
        return {name: column[i] for name, column in self._table.items()}

    def _nearest(self, U: FloatArray) -> npt.NDArray[np.intp]:
        """The numbers of the rows nearest to points (n, dim)."""
        found = np.array([self._at.get(u.tobytes(), -1) for u in np.ascontiguousarray(U)], dtype=np.intp)
        away, squares = np.flatnonzero(found < 0), (self._rows**2).sum(axis=1)
        for part in np.array_split(away, len(away) * len(squares) // BLOCK + 1):
            found[part] = np.argmin(squares - 2.0 * np.clip(U[part], 0.0, 1.0) @ self._rows.T, axis=1)
        return found

    # Between params and points.

    def validate(self, params: Mapping[str, Any]) -> Params:
        """The row that params mean: all of its columns, or as many as it takes to tell it from the others."""
        if not isinstance(params, Mapping) or not params:
            raise SpaceError(f"params must be a mapping from names to values, got {shown(params)}")
        if unknown := [name for name in params if name not in self.parameters]:
            raise SpaceError(f"expected the columns {shown(list(self.names))}, got the unknown names {shown(unknown)}")
        rows = np.arange(len(self._rows))
        for name, value in params.items():
            try:
                value = self.parameters[name].check(value)
            except SpaceError as error:
                raise SpaceError(f"parameter {name!r}: {error}") from None
            column = self._table[name]
            rows = np.array([i for i in rows.tolist() if _same(column[i], value)], dtype=np.intp)
            if not len(rows):
                raise SpaceError(f"no candidate has the params {shown(dict(params))}; only the rows of the table exist")
        if len(rows) > 1:
            raise SpaceError(
                f"{len(rows)} candidates have the params {shown(dict(params))}; give more of their columns"
            )
        return self._row(int(rows[0]))

    def _decode_rows(self, U: FloatArray) -> list[Params]:
        if np.isnan(U).any():
            raise ArgumentError("a point of the unit cube must be made of numbers, got NaN")
        return [self._row(i) for i in self._nearest(self.snap(U)).tolist()]

    def from_uniform(self, V: npt.ArrayLike) -> FloatArray:
        return self.snap(super().from_uniform(V))

    # The cube, and points of the domain.

    @property
    def size(self) -> float:
        return len(self._rows)

    def snap(self, U: npt.ArrayLike) -> FloatArray:
        """The points of the nearest rows."""
        given = np.asarray(U, dtype=np.float64)
        if self.is_complete:
            return super().snap(given)
        return np.asarray(self._rows[self._nearest(given.reshape(-1, self.dim))].reshape(given.shape))

    def contains(self, U: npt.ArrayLike) -> BoolArray:
        return np.ones(len(np.atleast_2d(np.asarray(U))), dtype=bool)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """n different rows at random; all of them, and some twice, if there are no more."""
        if self.is_complete:
            return super().sample(n, rng)
        m = len(self._rows)
        found = rng.choice(m, min(n, m), replace=False)
        return np.asarray(self._rows[np.concatenate([found, rng.integers(m, size=n - len(found))])])

    def around(self, points: FloatArray) -> Candidates:
        return self

    def enumerate(self, limit: int) -> FloatArray:
        if len(self._rows) > limit:
            raise ArgumentError(f"cannot list {len(self._rows)} candidates, more than the limit of {limit}")
        return super().enumerate(limit) if self.is_complete else self._rows.copy()

    def moves(self, u: npt.ArrayLike) -> FloatArray:
        """The rows next to u."""
        if self.is_complete:
            return super().moves(u)
        gaps = ((self._rows - self.snap(u)) ** 2).sum(axis=1)
        near = np.argpartition(gaps, NEAR)[:NEAR] if len(gaps) > NEAR else np.arange(len(gaps))
        return np.asarray(self._rows[near[gaps[near] > 0.0]])

    # What it is.

    def to_dict(self) -> dict[str, Any]:
        """The list as plain JSON values."""
        rows = [list(row) for row in zip(*self._table.values(), strict=True)]
        return self.outline() | {"candidates": {"names": list(self.names), "features": list(self.seen), "rows": rows}}

    def outline(self) -> dict[str, Any]:
        """The same without the rows."""
        kinds = {name: {"type": "feature" if name in self.seen else "label"} for name in self.names}
        return {"parameters": kinds, "constraints": [], "feasible": False, "candidates": {"n": len(self._rows)}}

    def __repr__(self) -> str:
        return f"Candidates({len(self._rows)} rows, features={list(self.seen)})"


def _same(cell: Scalar, value: Scalar) -> bool:
    """Equal, numbers up to rounding."""
    if isinstance(cell, float) and isinstance(value, (int, float)):
        return abs(cell - value) <= 1e-9 * max(abs(cell), abs(value))
    return type(cell) is type(value) and cell == value


def read_candidates(record: Any) -> Candidates:
    """The list that `Candidates.to_dict` made this record of; rows may also be tables by name."""
    rows = record.get("rows") if isinstance(record, Mapping) else None
    if not isinstance(rows, list) or set(record) - {"names", "features", "labels", "rows"}:
        raise SpaceError(
            f"candidates: expected a table with rows, and names, features or labels, got {shown(record)}; write for "
            'example {"names": ["x", "y"], "rows": [[0, 1], [2, 3]]}'
        )
    names = record.get("names")
    if names is not None:
        if not isinstance(names, list) or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
            raise SpaceError(
                f"candidates: expected rows of as many values as there are names, got names {shown(names)}"
            )
        rows = [dict(zip(names, row, strict=True)) for row in rows]
    return Candidates(rows, features=record.get("features"), labels=record.get("labels", ()))


FORMS["candidates"] = read_candidates
