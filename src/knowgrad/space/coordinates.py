"""Between a parameter's values and its columns of the unit cube.

A parameter turns a value into one *coordinate* and the coordinate into its columns, and back:

    value  --position-->  coordinate  --place-->   columns
    value  <--value-----  coordinate  <--locate--  columns

The coordinate of a continuous parameter is the number in [0, 1] itself, that of any other the number of its level.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.space.scalars import Scalar

FloatArray = npt.NDArray[np.float64]


class Parameter(ABC):
    """What the space needs to know of a parameter. Here: `cells + 1` levels, equally spaced on one column."""

    width = 1
    cells: float = math.inf  # levels told apart, less one; inf: continuous
    nonlinear = False  # is the value something else than an affine function of the column?
    one_hot = 0  # of its columns, from the first: one for each option
    when: Any = None  # where it exists, as `when.read_when` reads it; None: everywhere

    @property
    def parts(self) -> tuple[int, ...]:
        """How many of its columns share a length scale, one number for each of these."""
        return (self.width,)

    @property
    def levels(self) -> float:
        """How many values there are: an int, or math.inf."""
        return self.cells + 1

    def locate(self, block: FloatArray) -> FloatArray:
        """The coordinates nearest to columns (…, width)."""
        unit = np.minimum(np.maximum(block[..., 0], 0.0), 1.0)
        return unit if self.cells == math.inf else np.rint(unit * self.cells)

    def place(self, coordinate: npt.ArrayLike) -> FloatArray:
        """Columns (…, width) of coordinates."""
        column = np.asarray(coordinate, dtype=np.float64)[..., None]
        return column if self.cells == math.inf else column / self.cells

    def spot(self, value: Any) -> FloatArray:
        """Columns (width,) of any value that has a place on its scale, also beyond the bounds or between levels."""
        return self.place(self.position(value))

    def draw(self, uniform: FloatArray) -> FloatArray:
        """Columns of uniform numbers, such that all levels are equally likely."""
        if self.cells == math.inf:
            return self.place(uniform)
        return self.place(np.minimum(np.floor(uniform * (self.cells + 1)), self.cells))

    def linear(self, block: FloatArray) -> FloatArray:
        """(value - lowest) / (highest - lowest): what linear constraints are linear in."""
        return block[..., 0]

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The values at columns 0 and 1, of a numeric parameter."""
        raise NotImplementedError

    @abstractmethod
    def check(self, value: Any) -> Scalar:
        """The canonical form of a user's value, or SpaceError."""

    @abstractmethod
    def position(self, value: Any) -> float:
        """The coordinate of a canonical value."""

    def positions(self, values: Sequence[Any]) -> FloatArray:
        """Those of many."""
        return np.array([self.position(value) for value in values], dtype=np.float64)

    @abstractmethod
    def value(self, coordinate: float) -> Scalar:
        """The value at a coordinate."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The parameter as JSON."""


def described(record: dict[str, Any], when: Any) -> dict[str, Any]:
    """The record with its condition, if there is one."""
    return record if when is None else {**record, "when": when.form()}


def store(owner: object, **fields: Any) -> None:
    """Set the canonical fields of a frozen value."""
    for name, content in fields.items():
        object.__setattr__(owner, name, content)
