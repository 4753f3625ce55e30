"""The prior of the hyperparameters θ = (ln ℓ_1 … ln ℓ_d, ln s², [ln σ²]).

It is normal, but for length scales: a parameter may matter much less than the others, so these have the tails of a
Student distribution. That is a mixture of normal distributions with unknown variances (a Student scale mixture), and
`reweighted` puts their expectation in place of the variances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from knowgrad.gp.linalg import Array


@dataclass(frozen=True, eq=False)
class Prior:
    """Centres and standard deviations of θ; the centre of ln ℓ is in units of ½√d.

    Length scales share a common part, ln ℓ_j = common + own_j: before anything is known of a problem its parameters are
    alike, so what one of them shows says something about the others. The own parts have a Student distribution with
    `tail` degrees of freedom, represented by a normal one whose standard deviations are `stretch` times as large. The
    prior of the noise is wide: under a narrow one, data with less signal than noise are explained as all noise or none.
    """

    ell: float = 0.0
    common: float = 1.0
    own: float = 0.5
    tail: float = 4.0
    stretch: float | Array = 1.0
    s2: tuple[float, float] = (0.0, 2.0)
    noise: tuple[float, float] = (math.log(0.1), 2.0)

    def moments(self, d: int, learned: bool) -> tuple[Array, Array]:
        """The mean of θ, and the Cholesky factor of its covariance."""
        rest = [self.s2, self.noise][: 1 + learned]
        centre = [self.ell + math.log(0.5 * math.sqrt(d))] * d + [r[0] for r in rest]
        cov = np.diag(np.append((self.own * self.stretch * np.ones(d)) ** 2, [r[1] ** 2 for r in rest]))
        cov[:d, :d] += self.common**2
        return np.array(centre), np.linalg.cholesky(cov)

    def reweighted(self, gap: Array) -> Prior:
        """The E-step of expectation maximisation where ln ℓ is `gap` from its centre (d,).

        Given an own part of t standard deviations, the expected precision of its scale mixture is that of the variance
        (tail + t²)/(tail + 1), in units of own².
        """
        variance = (self.own * self.stretch * np.ones(len(gap))) ** 2
        own = variance * np.linalg.solve(np.diag(variance) + self.common**2, gap)
        return replace(self, stretch=np.sqrt((self.tail + (own / self.own) ** 2) / (self.tail + 1.0)))


BOLD = Prior(common=0.5, s2=(math.log(22.0), 0.5))
"""A function that varies far more than its results so far, slowly: what was not measured may be much better."""
