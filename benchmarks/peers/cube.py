"""For optimizers that know nothing but the unit cube, or keep no results themselves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems.task import Parameter, Params, clean

Array = NDArray[np.float64]


class Cube:
    """Keeps all results as arrays in the unit cube; whole numbers are relaxed and rounded."""

    def __init__(self, parameters: tuple[Parameter, ...]) -> None:
        self.parameters = parameters
        self.X, self.y = np.empty((0, len(parameters))), np.empty(0)
        self._asked: list[Params] = []

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self.X = np.vstack([self.X, [[self._unit(p, params[p.name]) for p in self.parameters] for params in points]])
        self.y = np.append(self.y, values)

    def asked(self, rows: Array) -> list[Params]:
        """Rows of the cube as points, remembered until their values come."""
        self._asked = [self.point(row) for row in rows]
        return self._asked

    def tell(self, values: Sequence[float]) -> None:
        self.add(self._asked, values)

    def point(self, row: Array) -> Params:
        raw = {p.name: p.low + float(x) * (p.high - p.low) for p, x in zip(self.parameters, row, strict=True)}
        return clean(raw, self.parameters)

    @staticmethod
    def _unit(p: Parameter, value: float) -> float:
        return (value - p.low) / (p.high - p.low)
