"""`Float`: a real number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from typing import Any

import numpy as np

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
from knowgrad.space.scalars import finite, flag
from knowgrad.text import shown


def _decimal(number: float) -> Fraction:
    return Fraction(repr(number))


@dataclass(frozen=True, repr=False)
class Float(Parameter):
    """A real number from low to high, both included; with `step` one of low, low + step, …"""

    low: float
    high: float
    _: KW_ONLY
    log: bool = False
    step: float | None = None
    when: Any = None

    def __post_init__(self) -> None:
        low, high = finite(self.low, "Float: low"), finite(self.high, "Float: high")
        log = flag(self.log, "Float: log")
        ordered(low, high, "Float")
        if log:
            positive(low, "Float")
        if log and self.step is not None:
            raise SpaceError(f"Float takes log=True or a step, not both, got step={shown(self.step)}; drop one")
        nonlinear = log and math.log(high) - math.log(low) > NARROW
        store(self, low=low, high=high, log=log, nonlinear=nonlinear, when=read_when(self.when))
        if self.step is not None:
            self._set_step(finite(self.step, "Float: step"))

    def _set_step(self, step: float) -> None:
        if step <= 0:
            raise SpaceError(f"Float: step must be positive, got {step}")
        # The levels are meant in decimal: 3 steps of 0.1 are 0.3. The allowance lets eleven steps of 1/11 reach 1.
        cells = math.floor((_decimal(self.high) - _decimal(self.low)) / _decimal(step) + Fraction(1, 10**9))
        if cells < 1:
            raise SpaceError(f"Float: step={step} is wider than {self.low} to {self.high}; use a smaller step")
        if cells > FINEST or step < 8 * math.ulp(max(abs(self.low), abs(self.high))):
            raise SpaceError(f"Float: step={step} is too fine for {self.low} to {self.high}; leave the step out")
        store(self, step=step, cells=cells)

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.low), Fraction(self.high if self.step is None else self.value(self.cells))

    def check(self, value: Any) -> float:
        number = finite(value, "the value")
        inside(number, self.low, self.high)
        if self.step is None:
            return number
        nearest = self.value(self.position(number))
        if abs(nearest - number) > 1e-6 * self.step:
            raise SpaceError(f"expected {self.low} plus a multiple of {self.step}, got {number}; nearest is {nearest}")
        return nearest

    def position(self, value: float) -> float:
        if self.step is not None:
            return min(round((_decimal(value) - _decimal(self.low)) / _decimal(self.step)), self.cells)
        if self.nonlinear:
            return min(max(self.on_scale(value), 0.0), 1.0)
        span = self.high - self.low
        if span == math.inf:
            return (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return (value - self.low) / span

    def positions(self, values: Sequence[Any]) -> FloatArray:
        if self.step is not None or self.nonlinear or self.high - self.low == math.inf:
            return super().positions(values)
        return (np.array(values, dtype=np.float64) - self.low) / (self.high - self.low)

    def spot(self, value: Any) -> FloatArray:
        number = finite(value, "the value")
        with suppress(SpaceError):
            return self.place(self.position(self.check(number)))
        if self.nonlinear:
            on_log(number)
            return np.array([self.on_scale(number)])
        top = self.value(1.0 if self.step is None else self.cells)
        return np.array([(number / 2 - self.low / 2) / (top / 2 - self.low / 2)])

    def value(self, coordinate: float) -> float:
        if self.step is not None:
            return min(float(_decimal(self.low) + int(coordinate) * _decimal(self.step)), self.high)
        if coordinate in (0.0, 1.0):
            return self.high if coordinate else self.low
        if self.nonlinear:
            number = float(self.off_scale(np.array(coordinate)))
        else:
            number = self.low * (1 - coordinate) + self.high * coordinate  # high - low may overflow
        return min(max(number, self.low), self.high)

    def on_scale(self, number: float) -> float:
        """Where a number stands on the scale that is not linear, from 0 to 1."""
        bottom = math.log(self.low)
        return (math.log(number) - bottom) / (math.log(self.high) - bottom)

    def off_scale(self, unit: FloatArray) -> FloatArray:
        """The numbers that stand there."""
        bottom = math.log(self.low)
        return np.asarray(np.exp(bottom + unit * (math.log(self.high) - bottom)))

    def linear(self, block: FloatArray) -> FloatArray:
        if not self.nonlinear:
            return block[..., 0]
        number = self.off_scale(block[..., 0])
        share: FloatArray = (number - self.low) / (self.high - self.low)
        return np.clip(share, 0.0, 1.0)

    def describe(self) -> dict[str, Any]:
        return numeric_record(self, "float")

    __repr__ = numeric_repr
