"""`Rows`: the rows of a table, each with its point in the cube, found by what they say and by where they are."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from knowgrad.space.coordinates import FloatArray
from knowgrad.space.scalars import Scalar
from knowgrad.space.table import Columns

NEAR = 48  # rows next to one, for coordinate exchange
BLOCK = 2**21  # distances that are worked on at a time

Numbers = npt.NDArray[np.intp]


class Rows:
    """Columns of values, and the points (n, width) of their rows."""

    def __init__(self, columns: Columns, points: FloatArray) -> None:
        self.columns, self.points = columns, points

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, i: int) -> dict[str, Scalar]:
        return {name: column[i] for name, column in self.columns.items()}

    @cached_property
    def _at(self) -> dict[bytes, int]:
        """Rows by their points."""
        return {point.tobytes(): i for i, point in enumerate(self.points)}

    def twins(self) -> tuple[int, int] | None:
        """Two rows that are the same point; None if there are none."""
        if len(self._at) == len(self.points):
            return None
        i = next(i for i, point in enumerate(self.points) if self._at[point.tobytes()] != i)
        return i, self._at[self.points[i].tobytes()]

    def having(self, name: str, value: Scalar, among: Numbers) -> Numbers:
        """Those among these rows that have the value in this column."""
        column = self.columns[name]
        return np.array([i for i in among.tolist() if same(column[i], value)], dtype=np.intp)

    def nearest(self, U: FloatArray) -> Numbers:
        """The numbers of the rows nearest to points (n, width)."""
        found = np.array([self._at.get(u.tobytes(), -1) for u in np.ascontiguousarray(U)], dtype=np.intp)
        away = np.flatnonzero(found < 0)
        found[away] = nearest(self.points, U[away])
        return found

    def around(self, u: FloatArray) -> FloatArray:
        """The points of the rows next to the one at u (width,)."""
        return around(self.points, u)

    def only(self, which: Numbers) -> Rows:
        """Some of the rows."""
        return Rows({name: [column[i] for i in which] for name, column in self.columns.items()}, self.points[which])

    def drawn(self, n: int, rng: np.random.Generator) -> FloatArray:
        """The points of n different rows at random; all of them, and some twice, if there are no more."""
        m = len(self.points)
        found = rng.choice(m, min(n, m), replace=False)
        return np.asarray(self.points[np.concatenate([found, rng.integers(m, size=n - len(found))])])


def nearest(points: FloatArray, U: FloatArray) -> Numbers:
    """The numbers of the points (m, d) of a list nearest to others (n, d), which are taken into the cube."""
    squares, parts = (points**2).sum(axis=1), np.array_split(np.clip(U, 0.0, 1.0), len(U) * len(points) // BLOCK + 1)
    return np.concatenate([np.argmin(squares - 2.0 * part @ points.T, axis=1) for part in parts])


def around(points: FloatArray, u: FloatArray) -> FloatArray:
    """Those of the points (m, d) of a list that are next to u (d,), without u."""
    gaps = ((points - u) ** 2).sum(axis=1)
    near = np.argpartition(gaps, NEAR)[:NEAR] if len(gaps) > NEAR else np.arange(len(gaps))
    return np.asarray(points[near[gaps[near] > 0.0]])


def same(cell: Scalar, value: Scalar) -> bool:
    """Equal, numbers up to rounding."""
    if isinstance(cell, float) and isinstance(value, (int, float)):
        return abs(cell - value) <= 1e-9 * max(abs(cell), abs(value))
    return type(cell) is type(value) and cell == value
