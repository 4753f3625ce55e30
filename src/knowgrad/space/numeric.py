"""The numeric parameters: Float and Int."""

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
from knowgrad.space.coordinates import FloatArray, Parameter, described, store
from knowgrad.space.scalars import finite, flag, whole
from knowgrad.text import shown

FINEST = 2**50  # cells per axis: u = k / FINEST is exact, and rint(u * cells) finds k again for any smaller count
NARROW = 1e-6  # log(high / low) below this: the log scale cannot be told from the linear one, and loses digits


def _ordered(low: float, high: float, kind: str) -> None:
    if low >= high:
        why = "equal bounds leave nothing to choose: leave the parameter out" if low == high else "swap them"
        raise SpaceError(f"{kind} needs low < high, got low={shown(low)}, high={shown(high)}; {why}")


def _positive(low: float, kind: str) -> None:
    if low <= 0:
        raise SpaceError(f"{kind} with log=True needs low > 0, got low={shown(low)}; raise low or use log=False")


def _inside(value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise SpaceError(f"expected a value between {low} and {high}, got {shown(value)}")


def _on_log(value: float) -> float:
    if value <= 0:
        raise SpaceError(f"expected a value above 0, which a log scale has a place for, got {shown(value)}")
    return math.log(value)


def _decimal(number: float) -> Fraction:
    return Fraction(repr(number))


def _numeric_repr(self: Parameter) -> str:
    told = self.describe()
    log = ", log=True" if told["log"] else ""
    step = "" if told["step"] in (None, 1) and not isinstance(told["step"], float) else f", step={told['step']}"
    when = "" if self.when is None else f", when={self.when!r}"
    return f"{type(self).__name__}({told['low']}, {told['high']}{log}{step}{when})"


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
        _ordered(low, high, "Float")
        if log:
            _positive(low, "Float")
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
        _inside(number, self.low, self.high)
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
            bottom = math.log(self.low)
            return min(max((math.log(value) - bottom) / (math.log(self.high) - bottom), 0.0), 1.0)
        span = self.high - self.low
        if span == math.inf:
            return (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return (value - self.low) / span

    def spot(self, value: Any) -> FloatArray:
        number = finite(value, "the value")
        with suppress(SpaceError):
            return self.place(self.position(self.check(number)))
        if self.nonlinear:
            bottom = math.log(self.low)
            return np.array([(_on_log(number) - bottom) / (math.log(self.high) - bottom)])
        top = self.value(1.0 if self.step is None else self.cells)
        return np.array([(number / 2 - self.low / 2) / (top / 2 - self.low / 2)])

    def value(self, coordinate: float) -> float:
        if self.step is not None:
            return min(float(_decimal(self.low) + int(coordinate) * _decimal(self.step)), self.high)
        if coordinate in (0.0, 1.0):
            return self.high if coordinate else self.low
        if self.nonlinear:
            bottom = math.log(self.low)
            number = math.exp(bottom + coordinate * (math.log(self.high) - bottom))
        else:
            number = self.low * (1 - coordinate) + self.high * coordinate  # high - low may overflow
        return min(max(number, self.low), self.high)

    def linear(self, block: FloatArray) -> FloatArray:
        if not self.nonlinear:
            return block[..., 0]
        bottom = math.log(self.low)
        number = np.exp(bottom + block[..., 0] * (math.log(self.high) - bottom))
        share: FloatArray = (number - self.low) / (self.high - self.low)
        return np.clip(share, 0.0, 1.0)

    def describe(self) -> dict[str, Any]:
        return described(
            {"type": "float", "low": self.low, "high": self.high, "log": self.log, "step": self.step}, self.when
        )

    __repr__ = _numeric_repr


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
        _ordered(low, high, "Int")
        if step < 1 or step > high - low:
            raise SpaceError(f"Int: step must be from 1 to high - low = {high - low}, got {step}")
        if log:
            _positive(low, "Int")
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
        _inside(number, self.low, self.high)
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
            return np.array([(_on_log(number) - math.log(self.low)) / self._log_span()])
        return np.array([(number - self.low) / (self.step * (self.levels - 1))])

    def value(self, coordinate: float) -> int:
        level = int(coordinate)
        if not self.nonlinear and self.levels - 1 != self.cells:
            level = round(Fraction(level * (self.levels - 1), int(self.cells)))
        return min(self.low + level * self.step, self.high)

    def _log_span(self) -> float:
        return math.log(self.high / self.low)

    def locate(self, block: FloatArray) -> FloatArray:
        if not self.nonlinear:
            return super().locate(block)
        unit = np.clip(block[..., 0], 0.0, 1.0)
        number = self.low * np.exp(unit * self._log_span())
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
        unit: FloatArray = np.rint(np.log(number / self.low) / span * grid) / grid
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
        return described(
            {"type": "int", "low": self.low, "high": self.high, "log": self.log, "step": self.step}, self.when
        )

    __repr__ = _numeric_repr
