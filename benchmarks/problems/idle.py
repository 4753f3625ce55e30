"""Functions most of whose variables are idle: known ones, of a few of many variables.

Tuning is often like that, and nobody knows beforehand which of the variables matter.
"""

from __future__ import annotations

from benchmarks.problems.functions import ALL, Problem
from benchmarks.problems.textbook import TEXTBOOK


def among(name: str, d: int) -> Problem:
    """The function of some of d variables, spread evenly over them."""
    inner = {**ALL, **TEXTBOOK}[name]
    at = [(2 * j + 1) * d // (2 * inner.d) for j in range(inner.d)]
    return Problem(f"{name}of{d}", d, lambda U: inner.f(U[:, at]), inner.optimum)


_PAIRS = (("branin", 8), ("camel2", 9), ("goldstein2", 10), ("rosenbrock3", 7), ("levy4", 10), ("hartmann6", 12))
IDLE = {problem.name: problem for problem in (among(*pair) for pair in _PAIRS)}
