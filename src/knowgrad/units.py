"""User values in the units of a Gaussian process, and back.

Values are turned so that less is better, divided by the largest in size (so that 1e300 and 1e-300 are ordinary
numbers), centred and divided by their standard deviation. Then the worse half is bent,

    T(z) = z up to the median c,   c + r asinh((z − c)/r) above,   r = c − the first decile,

and centred and scaled once more. Values that span orders of magnitude, heavy tails and outliers on the bad side else
decide the model, while what matters is how the better half differ. Where the search ends up T is a straight line: it
keeps the noise as it is and the recommendation without bias, and means, deviations and gains are those of the user's
values. `docs/model.md` has the comparison.

The result is rounded to twelve digits: the user's choice of unit or offset changes the last bits of y, and must not
change the points that are suggested.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from knowgrad.gp.linalg import Array

DIGITS = 12
MEDIAN, DECILE = 0.5, 0.1
NARROW = 1e-6  # an r below this, in standard deviations of all values, is no measure of the better half
MOST = 1e6  # standard deviations of y: noise beyond this says no more


@dataclass(frozen=True)
class Units:
    """user value = sign · size · (centre + spread · z),  T(z) = middle + unit · model value."""

    sign: float
    size: float
    centre: float
    spread: float
    bend: float = math.inf
    width: float = 1.0
    reach: float = 0.0
    """asinh at the worst value: what the model says beyond e times that is not believed."""
    middle: float = 0.0
    unit: float = 1.0

    @classmethod
    def of(cls, values: Array, direction: str, bent: bool = True) -> Units:
        """`bent=False` leaves the worse half as it is."""
        size = float(np.max(np.abs(values))) or 1.0
        centre, spread = _law(values / size)
        straight = cls(1.0 if direction == "minimize" else -1.0, size, centre, spread)
        z = straight.standardise(values)
        bend, low = (float(np.quantile(z, share)) for share in (MEDIAN, DECILE))
        width = bend - low
        if not bent or width < NARROW:
            return straight
        reach = math.asinh((float(z.max()) - bend) / width)
        middle, unit = _law(_bent(z, bend, width))
        return cls(straight.sign, size, centre, spread, bend, width, reach, middle, unit)

    def standardise(self, values: Array) -> Array:
        z = np.round(self.sign * (values / self.size - self.centre) / self.spread, DIGITS)
        if self.bend == math.inf:
            return z
        return np.round((_bent(z, self.bend, self.width) - self.middle) / self.unit, DIGITS)

    def value(self, standardised: float) -> float:
        t = self.middle + self.unit * standardised
        z = t if t <= self.bend else self.bend + self.width * math.sinh(self._above(t))
        return self.size * (self.centre + self.sign * self.spread * z)

    def difference(self, standardised: float) -> float:
        """A difference of values of the better half, or a standard deviation there, in user units."""
        return self.size * self.spread * self.unit * standardised

    def deviation(self, standardised: float, sd: float) -> float:
        """In user units, the standard deviation of what has this mean and this standard deviation."""
        t = self.middle + self.unit * standardised
        return self.difference(sd) * (1.0 if t <= self.bend else math.cosh(self._above(t)))

    def variance(self, sd: Array, values: Array | None = None) -> Array:
        """The model's variance of a user's standard deviation at these values; without them, in the better half."""
        with np.errstate(over="ignore"):
            relative = np.minimum(sd / self.size / (self.spread * self.unit), MOST)
        slope = 1.0 if values is None else np.exp(self.log_bent(values))
        return np.asarray((relative * slope) ** 2)

    def noise(self, values: Array) -> float:
        """The user's noise that is one in the model's units on average over these values: bending has damped it."""
        return self.difference(1.0) / float(np.sqrt(np.mean(np.exp(2.0 * self.log_bent(values)))))

    def log_slope(self, values: Array) -> Array:
        """ln of the derivative of the model's values by the user's; the size alone may be beyond a float."""
        return np.asarray(self.log_bent(values) - math.log(self.size) - math.log(self.spread) - math.log(self.unit))

    def log_bent(self, values: Array) -> Array:
        """ln T′."""
        z = self.sign * (values / self.size - self.centre) / self.spread
        return np.asarray(-0.5 * np.log1p((np.maximum(z - self.bend, 0.0) / self.width) ** 2))

    def _above(self, t: float) -> float:
        return min((t - self.bend) / self.width, self.reach + 1.0)


def _law(values: Array) -> tuple[float, float]:
    """Mean and standard deviation; one that rounding alone could cause is none, and 1 takes its place."""
    spread = float(np.std(values))
    return float(np.mean(values)), spread if spread > 1e-13 else 1.0


def _bent(z: Array, bend: float, width: float) -> Array:
    return np.where(z > bend, bend + width * np.arcsinh(np.maximum(z - bend, 0.0) / width), z)
