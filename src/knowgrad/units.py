"""User values in the units of a Gaussian process, and back.

Values are turned so that less is better and divided by the largest in size, so that 1e300 and 1e-300 are ordinary
numbers. Of these z the worse half is bent,

    T(z) = z up to the median c,   c + r asinh((z − c)/r) above,   r = c − the first decile,

then centred and divided by the standard deviation. Values that span orders of magnitude, heavy tails and outliers on
the bad side else decide the model, while what matters is how the better half differ. Where the search ends up T is a
straight line: it keeps the noise as it is and the recommendation without bias, and means, deviations and gains are
those of the user's values. `docs/model.md` has the comparison.

The result is rounded to twelve digits: the user's choice of unit or offset changes the last bits of y, and must not
change the points that are suggested.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from knowgrad.gp.linalg import Array

DIGITS = 12
SHARES = (0.1, 0.5, 0.75)  # the first decile, the median, and the quartile that stands for the worse half
NARROW, ROUNDING = 1e-6, 1e-12  # an r below this share of the spread, or this size, measures nothing
MOST = 1e6  # standard deviations of y: noise beyond this says no more


@dataclass(frozen=True)
class Units:
    """user value = sign · size · z,   T(z) = middle + unit · model value."""

    sign: float
    size: float
    middle: float
    unit: float
    bend: float = math.inf
    width: float = 1.0
    reach: float = 0.0
    """asinh at the worst value: what the model says beyond e times that is not believed."""

    @classmethod
    def of(cls, values: Array, direction: str, bent: bool = True) -> Units:
        """`bent=False` leaves the worse half as it is."""
        sign = 1.0 if direction == "minimize" else -1.0
        size = float(np.max(np.abs(values))) or 1.0
        z = sign * values / size
        low, bend, high = (float(np.quantile(z, share)) for share in SHARES)
        width = bend - low
        if not bent or width <= max(NARROW * (high - low), ROUNDING):
            return cls(sign, size, *_law(z))
        reach = math.asinh((float(z.max()) - bend) / width)
        return cls(sign, size, *_law(_bent(z, bend, width)), bend, width, reach)

    def standardise(self, values: Array) -> Array:
        t = _bent(self.sign * values / self.size, self.bend, self.width)
        return np.round((t - self.middle) / self.unit, DIGITS)

    def value(self, standardised: float) -> float:
        t = self.middle + self.unit * standardised
        z = t if t <= self.bend else self.bend + self.width * math.sinh(self._above(t))
        return self.sign * self.size * z

    def difference(self, standardised: float) -> float:
        """A difference of values of the better half, or a standard deviation there, in user units."""
        return self.size * self.unit * standardised

    def deviation(self, standardised: float, sd: float) -> float:
        """In user units, the standard deviation of what has this mean and this standard deviation."""
        t = self.middle + self.unit * standardised
        return self.difference(sd) * (1.0 if t <= self.bend else math.cosh(self._above(t)))

    def variance(self, sd: Array, values: Array | None = None) -> Array:
        """The model's variance of a user's standard deviation at these values; without them, in the better half."""
        with np.errstate(over="ignore"):
            relative = np.minimum(sd / self.size / self.unit, MOST)
        slope = 1.0 if values is None else np.exp(self._log_bent(values))
        return np.asarray((relative * slope) ** 2)

    def noise(self, values: Array) -> float:
        """The user's noise that is one in the model's units on average over these values: bending has damped it."""
        return self.difference(1.0) / float(np.sqrt(np.mean(np.exp(2.0 * self._log_bent(values)))))

    def log_slope(self, values: Array) -> Array:
        """ln of the derivative of the model's values by the user's; the derivative itself may be beyond a float."""
        return np.asarray(self._log_bent(values) - math.log(self.size) - math.log(self.unit))

    def _log_bent(self, values: Array) -> Array:
        """ln T′."""
        above = np.maximum(self.sign * values / self.size - self.bend, 0.0)
        return np.asarray(-np.log(np.hypot(1.0, above / self.width)))

    def _above(self, t: float) -> float:
        return min((t - self.bend) / self.width, self.reach + 1.0)


def _law(values: Array) -> tuple[float, float]:
    """Mean and standard deviation; one that rounding alone could cause is none, and 1 takes its place."""
    spread = float(np.std(values))
    return float(np.mean(values)), spread if spread > 1e-13 else 1.0


def _bent(z: Array, bend: float, width: float) -> Array:
    return np.where(z > bend, bend + width * np.arcsinh(np.maximum(z - bend, 0.0) / width), z)
