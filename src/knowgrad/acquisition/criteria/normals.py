"""Quasi-random normals: scrambled Sobol points through the normal quantile."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri
from scipy.stats import qmc

from knowgrad.gp.linalg import Array

qmc.Sobol(1)  # has modules and tables of its own: they are loaded here, not at the first question


def normals(N: int, r: int, rng: np.random.Generator) -> Array:
    """N (a power of two) standard normal vectors of dimension r, spread more evenly than independent draws."""
    points = qmc.Sobol(r, scramble=True, rng=rng).random_base2(N.bit_length() - 1)
    return np.asarray(ndtri(np.clip(points, 1e-12, 1.0 - 1e-12)))
