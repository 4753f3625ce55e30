"""What is done to results before a Gaussian process sees them: increasing maps t = T(z), where less is better.

* `Identity`: as they are.
* `AsinhWarp`: T(z) = z up to the median c, c + r asinh((z − c)/r) above, r = c − the first decile. Without it, values
  that span orders of magnitude, heavy tails and outliers on the bad side would decide the model, while what matters is
  how the better half differ. T is linear where the search ends, so the noise there stays as it is and the
  recommendation is not biased.
* `LogWarp`: T(z) = ln z, or −ln(−z) where all are negative. For results that have a zero and noise in proportion:
  durations, concentrations, errors. On this scale such noise is constant, and cannot move the optimum.
* `EdgeWarp`: for an outcome that only has a limit b, T(z) = b + r asinh((z − b)/r) on both sides, r the first decile of
  |z − b|. What matters is where it crosses the limit, not how far it is beyond or how safe.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from knowgrad.gp.linalg import Array

SHARES = (0.1, 0.5, 0.75)  # the first decile, the median, and the quartile that stands for the worse half
LEAST = 1e-12  # |z| of a result whose sign is that of no other
NARROW, ROUNDING = 1e-6, 1e-12  # an r below this share of the spread, or this size, measures nothing
SPAN = 10.0  # largest over smallest result: with less, a logarithm is nearly linear


class Warp(Protocol):
    """T, its inverse, and its slope."""

    @property
    def steep(self) -> float:
        """dz/dt where the results are good."""

    def warp(self, z: Array) -> Array:
        """T(z)."""

    def inverse(self, t: float) -> float:
        """z of T(z) = t; what lies far beyond all results is not believed."""

    def inverses(self, t: Array) -> tuple[Array, Array]:
        """z of T(z) = t for many t, and dz/dt."""

    def log_slope(self, z: Array) -> Array:
        """ln T′(z)."""


def better_half(z: Array) -> tuple[float, float]:
    """The median, and its distance from the first decile: 0 where that is too little to measure anything by."""
    low, middle = (float(each) for each in np.quantile(z, SHARES[:2]))
    rank = int(SHARES[2] * (len(z) - 1))  # rounded down: a value, not one half way to a penalty
    high, width = float(np.partition(z, rank)[rank]), middle - low
    return middle, width if width > max(NARROW * (high - low), 0.0) else 0.0


@dataclass(frozen=True)
class Identity:
    steep: ClassVar[float] = 1.0

    @staticmethod
    def of(z: Array) -> Warp:
        return Identity()

    def warp(self, z: Array) -> Array:
        return z

    def inverse(self, t: float) -> float:
        return t

    def inverses(self, t: Array) -> tuple[Array, Array]:
        return t, np.ones_like(t)

    def log_slope(self, z: Array) -> Array:
        return np.zeros_like(z)


@dataclass(frozen=True)
class AsinhWarp:
    middle: float
    width: float
    reach: float
    """asinh at the worst value: what the model says beyond e times that is not believed."""

    steep: ClassVar[float] = 1.0

    @staticmethod
    def of(z: Array) -> Warp:
        """`Identity` where the better half has no spread to measure by."""
        middle, width = better_half(z)
        if width <= ROUNDING:
            return Identity()
        return AsinhWarp(middle, width, math.asinh((float(z.max()) - middle) / width))

    def warp(self, z: Array) -> Array:
        return np.where(z > self.middle, self.middle + self.width * np.arcsinh(self._above(z)), z)

    def inverse(self, t: float) -> float:
        if t <= self.middle:
            return t
        return self.middle + self.width * math.sinh(min((t - self.middle) / self.width, self.reach + 1.0))

    def inverses(self, t: Array) -> tuple[Array, Array]:
        above = np.maximum(t - self.middle, 0.0) / self.width
        cut = np.minimum(above, self.reach + 1.0)
        z = np.where(above > 0.0, self.middle + self.width * np.sinh(cut), t)
        return z, np.where(above > self.reach + 1.0, 0.0, np.cosh(cut))

    def log_slope(self, z: Array) -> Array:
        return np.asarray(-np.log(np.hypot(1.0, self._above(z))))

    def _above(self, z: Array) -> Array:
        return np.asarray(np.maximum(z - self.middle, 0.0) / self.width)


@dataclass(frozen=True)
class EdgeWarp:
    low: float
    high: float
    """The limits; the same if there is one. Between two, T is linear."""
    width: float
    reach: float
    """asinh at the value farthest from them: what the model says beyond e times that is not believed."""

    steep: ClassVar[float] = 1.0

    @staticmethod
    def of(z: Array, *limits: float) -> Warp:
        """`Identity` where all values lie at a limit."""
        low, high = min(limits), max(limits)
        width = float(np.quantile(np.minimum(np.abs(z - low), np.abs(z - high)), SHARES[0]))
        beyond = float(np.max(np.abs(z - np.clip(z, low, high))))
        if width <= ROUNDING or beyond <= width:
            return Identity()
        return EdgeWarp(low, high, width, math.asinh(beyond / width))

    def warp(self, z: Array) -> Array:
        edge = np.clip(z, self.low, self.high)
        return np.asarray(edge + self.width * np.arcsinh((z - edge) / self.width))

    def inverse(self, t: float) -> float:
        return float(self.inverses(np.array([t]))[0][0])

    def inverses(self, t: Array) -> tuple[Array, Array]:
        edge, most = np.clip(t, self.low, self.high), self.reach + 1.0
        beyond = (t - edge) / self.width
        cut = np.clip(beyond, -most, most)
        return edge + self.width * np.sinh(cut), np.where(np.abs(beyond) > most, 0.0, np.cosh(cut))

    def log_slope(self, z: Array) -> Array:
        return np.asarray(-np.log(np.hypot(1.0, (z - np.clip(z, self.low, self.high)) / self.width)))


@dataclass(frozen=True)
class LogWarp:
    side: float
    """The sign of all results."""
    steep: float
    """|z| at the first decile."""
    reach: float
    """ln of the largest |z|: what the model says beyond e times that is not believed."""

    @staticmethod
    def of(z: Array) -> Warp:
        """`Identity` where results have both signs or none, or span too little."""
        size, side = np.abs(z), float(np.sign(z[0]))
        if np.any(side * z <= 0.0) or size.max() < SPAN * size.min():
            return Identity()
        return LogWarp(side, abs(float(np.quantile(z, SHARES[0]))), math.log(size.max()))

    def warp(self, z: Array) -> Array:
        return np.asarray(self.side * np.log(np.maximum(self.side * z, LEAST)))

    def inverse(self, t: float) -> float:
        return self.side * math.exp(min(self.side * t, self.reach + 1.0))

    def inverses(self, t: Array) -> tuple[Array, Array]:
        size = np.exp(np.minimum(self.side * t, self.reach + 1.0))
        return self.side * size, np.where(self.side * t > self.reach + 1.0, 0.0, size)

    def log_slope(self, z: Array) -> Array:
        return np.asarray(-np.log(np.maximum(self.side * z, LEAST)))
