"""`Int`: a whole number."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import SpaceError
from knowgrad.space.conditions.when import read_when
from knowgrad.space.coordinates import FloatArray, Parameter, store
from knowgrad.space.numeric.ranges import (
    FINEST,
    NARROW,
    inside,
    numeric_record,
    numeric_repr,
    on_log,
    ordered,
    positive,
)
from knowgrad.space.scalars import finite, flag, whole


@dataclass(frozen=True, repr=False)
class Int(Parameter):
    """A whole number from low to high, both included; with `step` one of low, low + step, …

    Beyond 2**50 levels (on the log scale: beyond values of about 2**40) neighbours share a point of the cube.
    """

    low: int
    high: int
    _: KW_ONLY
    log: bool = False
    step: int = 1
    when: Any = None

    def __post_init__(self) -> None:
        low, high = whole(self.low, "Int: low"), whole(self.high, "Int: high")
        step, log = whole(self.step, "Int: step"), flag(self.log, "Int: log")
        ordered(low, high, "Int")
        if step < 1 or step > high - low:
            raise SpaceError(f"Int: step must be from 1 to high - low = {high - low}, got {step}")
        if log:
            positive(low, "Int")
        if log and step != 1:
            raise SpaceError(f"Int takes log=True or a step, not both, got step={step}; drop one")
        nonlinear = log and math.log(high / low) > NARROW
        cells = min((high - low) // step, FINEST)
        store(self, low=low, high=high, log=log, step=step, nonlinear=nonlinear, cells=cells, when=read_when(self.when))

    @property
    def levels(self) -> int:
        return (self.high - self.low) // self.step + 1

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.low), Fraction(self.low + (self.levels - 1) * self.step)

    def check(self, value: Any) -> int:
        number = whole(value, "the value")
        inside(number, self.low, self.high)
        if (number - self.low) % self.step:
            raise SpaceError(f"expected {self.low} plus a multiple of {self.step}, got {number}")
        return number

    def position(self, value: int) -> float:
        level = (value - self.low) // self.step
        if self.nonlinear or self.levels - 1 == self.cells:
            return level
        return round(Fraction(level * int(self.cells), self.levels - 1))

    def spot(self, value: Any) -> FloatArray:
        number = finite(value, "the value")
        with suppress(SpaceError):
            return self.place(self.position(self.check(number)))
        if self.nonlinear:
            return self.on_scale(np.array([math.exp(on_log(number))]))
        return np.array([(number - self.low) / (self.step * (self.levels - 1))])

    def value(self, coordinate: float) -> int:
        level = int(coordinate)
        if not self.nonlinear and self.levels - 1 != self.cells:
            level = round(Fraction(level * (self.levels - 1), int(self.cells)))
        return min(self.low + level * self.step, self.high)

    def _log_span(self) -> float:
        return math.log(self.high / self.low)

    def on_scale(self, number: FloatArray) -> FloatArray:
        """Where numbers stand on the scale that is not linear, from 0 to 1."""
        return np.asarray(np.log(number / self.low) / self._log_span())

    def off_scale(self, unit: FloatArray) -> FloatArray:
        """The numbers that stand there."""
        return np.asarray(self.low * np.exp(unit * self._log_span()))

    def locate(self, block: FloatArray) -> FloatArray:
        if not self.nonlinear:
            return super().locate(block)
        unit = np.clip(block[..., 0], 0.0, 1.0)
        number = self.off_scale(unit)
        below = np.floor(number)
        nearest = below + (number * number > below * (below + 1.0))  # nearest on the log scale
        top = float(self.high - self.low)
        level: FloatArray = np.where(unit == 1.0, top, np.clip(nearest - self.low, 0.0, top))
        return level

    def place(self, coordinate: npt.ArrayLike) -> FloatArray:
        if not self.nonlinear:
            return super().place(coordinate)
        number = np.asarray(coordinate, dtype=np.float64) + self.low
        span = self._log_span()
        # A grid far coarser than rounding errors makes placing what was located give the same bits, however dense
        # the integers are: where they are sparser than the grid each keeps its own point, elsewhere they share.
        grid = 2.0 ** math.floor(40 + math.log2(min(span, 1.0)))
        unit: FloatArray = np.rint(self.on_scale(number) * grid) / grid
        return np.minimum(unit, 1.0)[..., None]

    def draw(self, uniform: FloatArray) -> FloatArray:
        if not self.nonlinear:
            return super().draw(uniform)
        # Uniform on the log scale; half a level is added at both ends so that the end levels get their full share.
        bottom, top = self.low - 0.5, self.high + 0.5
        number = np.rint(bottom * np.exp(uniform * math.log(top / bottom)))
        return self.place(np.clip(number, self.low, self.high) - self.low)

    def linear(self, block: FloatArray) -> FloatArray:
        if not self.nonlinear:
            return block[..., 0]
        return self.locate(block) / float(self.high - self.low)

    def describe(self) -> dict[str, Any]:
        return numeric_record(self, "int")

    __repr__ = numeric_repr
