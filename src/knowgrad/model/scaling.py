"""User values in the units of a Gaussian process, and back.

Values are turned so that less is better and divided by the largest in size, so that 1e300 and 1e-300 are ordinary
numbers. These z are warped, t = T(z) (`warp`), then centred and divided by the standard deviation.
`docs/experiments.md` has the comparison.

A result that is worse by very much more than the better half differ, a penalty say, counts as just so much worse:
1e300 says no more than 1e12, and divided by either, all others would be the same number.

The result is rounded to twelve digits: the user's choice of unit or offset changes the last bits of y, and must not
change the points that are suggested.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.model.warp import AsinhWarp, Warp, better_half
from knowgrad.trial import sign_of

DIGITS = 12
NONE = np.empty(0)
WORST = 1e6  # times the distance from the first decile to the median: results are no worse than this beyond the median
MOST = 1e6  # standard deviations of y: noise beyond this says no more
HUGE = 1e100  # times the largest of the results that units are made of: others are no farther out than this


@dataclass(frozen=True)
class Units:
    """user value = sign · size · z,   T(z) = middle + unit · model value,   z at most `worst`."""

    sign: float
    size: float
    middle: float
    unit: float
    warp: Warp
    worst: float = math.inf

    @classmethod
    def of(
        cls,
        values: Array,
        direction: str,
        fitting: Callable[..., Warp] = AsinhWarp.of,
        limits: Array = NONE,
    ) -> Units:
        """`fitting` chooses the parameters of the warp, with the limits of such an outcome."""
        sign = sign_of(direction)
        size = float(np.max(np.abs(values))) or 1.0
        size, worst = _scale(sign * values / size, size)
        z = _cut(sign, values, size, worst)
        warp = fitting(z, *_cut(sign, limits, size, worst))
        return cls(sign, size, *_moments(warp.warp(z)), warp, worst)

    def standardise(self, values: Array) -> Array:
        return np.round((self.warp.warp(self._z(values)) - self.middle) / self.unit, DIGITS)

    def value(self, standardised: float) -> float:
        return self.sign * self.size * self._back(standardised)

    def turned(self, standardised: Array) -> tuple[Array, Array]:
        """User values turned so that less is better, and their slopes by the model's values."""
        z, slope = self.warp.inverses(self.middle + self.unit * standardised)
        return self.size * z, self.size * self.unit * slope

    def predictions(self, mean: Array, sd: Array) -> tuple[Array, Array]:
        """Means and standard deviations (n,) of predictions, in user units."""
        values = [self.value(float(each)) for each in mean]
        return np.array(values), np.array([self.deviation(*map(float, each)) for each in zip(mean, sd, strict=True)])

    def difference(self, standardised: float) -> float:
        """A difference of good values, or a standard deviation there, in user units."""
        return self.size * self.unit * self.warp.steep * standardised

    def deviation(self, standardised: float, sd: float) -> float:
        """In user units, the standard deviation of what has this mean and this standard deviation."""
        log_slope = self.warp.log_slope(np.array([self._back(standardised)]))[0]
        return self.size * self.unit * sd * math.exp(-log_slope)

    def variance(self, sd: Array, values: Array | None = None) -> Array:
        """The model's variance of a user's standard deviation at these values; without them, at good ones."""
        with np.errstate(over="ignore"):
            relative = np.minimum(sd / self.size / self.unit, MOST)
        slope = 1.0 / self.warp.steep if values is None else np.exp(self.warp.log_slope(self._z(values)))
        return np.asarray((relative * slope) ** 2)

    def noise(self, values: Array) -> float:
        """The user's noise that is one in the model's units on average over these values: the warp has damped it."""
        return self.size * self.unit / float(np.sqrt(np.mean(np.exp(2.0 * self.warp.log_slope(self._z(values))))))

    def log_slope(self, values: Array) -> Array:
        """ln of the derivative of the model's values by the user's; the derivative itself may be beyond a float."""
        return np.asarray(self.warp.log_slope(self._z(values)) - math.log(self.size) - math.log(self.unit))

    def _z(self, values: Array) -> Array:
        return _cut(self.sign, values, self.size, self.worst)

    def _back(self, standardised: float) -> float:
        return self.warp.inverse(self.middle + self.unit * standardised)


def _moments(values: Array) -> tuple[float, float]:
    """Mean and standard deviation; one that rounding alone could cause is none, and 1 takes its place."""
    spread = float(np.std(values))
    return float(np.mean(values)), spread if spread > 1e-13 else 1.0


def _scale(z: Array, size: float) -> tuple[float, float]:
    """The size by which to divide, and the worst z that counts then: those given and infinity, but for penalties."""
    middle, width = better_half(z)
    worst = middle + WORST * width
    if width == 0.0 or z.max() <= worst:
        return size, math.inf
    largest = float(np.max(np.abs(np.minimum(z, worst))))
    return size * largest, worst / largest


def _cut(sign: float, values: Array, size: float, worst: float) -> Array:
    with np.errstate(over="ignore"):  # what is beyond a float is beyond the worst
        return np.clip(sign * values / size, -HUGE, min(worst, HUGE))
