"""Functions with a little noise, and the same with gross errors: "errors-levy4" is Levy's function with them.

Noise is a twentieth of the function's spread. Every tenth result, by chance, is off by ten spreads, up or down. The
noise of the others is that of the search without errors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.problems.functions import ALL, NOISES
from benchmarks.problems.noisy import Noisy, on_the_cube

PREFIX = "errors-"
SHARE, SPREADS = 0.1, 10.0


def make(problem: str, noise: str, seed: int, data: Path | None, scale: str) -> Noisy:
    name = problem.removeprefix(PREFIX)
    sd, wrong = ALL[name].sd, name != problem

    def disturbed(true: float, rng: np.random.Generator) -> float:
        observed = float(NOISES[noise](np.array([true]), sd, rng)[0])
        return observed + SPREADS * sd * rng.choice([-1.0, 1.0]) if wrong and rng.random() < SHARE else observed

    return on_the_cube(name, "exact", seed).disturbed(disturbed)
