"""Linear constraints as half-spaces over the unit cube."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from knowgrad.errors import EmptyDomainError
from knowgrad.space.constraints import Linear
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.shapes.polytope import Polytope
from knowgrad.text import shown

BoolArray = npt.NDArray[np.bool_]

SLACK = 1e-9  # tolerance, as a share of the largest swing of any one term


@dataclass(frozen=True)
class Row:
    """normal · w <= bound, where w is each parameter's share of its range; the largest entry of normal is ±1."""

    text: str
    normal: FloatArray
    bound: float
    tolerance: float  # what `contains` forgives
    margin: float  # how far inside a projection stays, so that user units with their rounding still comply
    redundant: bool  # holds everywhere in the box


def to_row(linear: Linear, parameters: Mapping[str, Parameter], columns: Mapping[str, int], dim: int) -> Row:
    """The inequality over the cube, scaled. Exact arithmetic: bounds near ±1e308 must not overflow on the way."""
    swing, size, bound = {}, abs(linear.bound), linear.bound
    for name, factor in linear.coefficients.items():
        low, high = parameters[name].ends
        swing[name] = factor * (high - low)
        size += abs(factor) * max(abs(low), abs(high))
        bound -= factor * low
    scale = max(abs(s) for s in swing.values())
    noise = min(float(min(size / scale, Fraction(10**12))) * (len(swing) + 2) * sys.float_info.epsilon, 1e-6)
    smooth = any(parameters[name].cells == math.inf for name in swing)
    tolerance = (SLACK if smooth else 0.0) + 4 * noise
    least, most = (sum(pick(s / scale, Fraction(0)) for s in swing.values()) for pick in (min, max))
    if bound / scale < least - Fraction(tolerance):
        raise EmptyDomainError(f"constraint {shown(linear.text)} excludes every point within the bounds; relax it")
    normal = np.zeros(dim)
    for name, s in swing.items():
        normal[columns[name]] = float(s / scale)
    redundant = bound / scale >= most
    return Row(linear.text, normal, float(min(bound / scale, most)), tolerance, 2 * noise, redundant)


class HalfSpaces:
    """All the constraints of a space. `polytope` is made of those that are flat in the cube: no log scale in them."""

    def __init__(
        self, linears: Sequence[Linear], parameters: Mapping[str, Parameter], columns: Mapping[str, int], dim: int
    ) -> None:
        rows = [to_row(linear, parameters, columns, dim) for linear in linears]
        self.rows = [row for row in rows if not row.redundant]
        self._normals = np.array([row.normal for row in self.rows]).reshape(-1, dim)
        self._limits = np.array([row.bound + row.tolerance for row in self.rows])
        nonlinear = [(p, columns[name]) for name, p in parameters.items() if p.nonlinear]
        self._nonlinear = [(p, c) for p, c in nonlinear if self._normals[:, c].any()]
        flat = [row for row in self.rows if not row.normal[[c for _, c in self._nonlinear]].any()]
        self.polytope: Polytope | None = None
        if flat:
            bounds, margins = np.array([row.bound for row in flat]), np.array([row.margin for row in flat])
            self.polytope = Polytope(np.array([row.normal for row in flat]), bounds, margins)
            if self.polytope.depth < -max(row.tolerance for row in flat):
                texts = sorted({row.text for row in flat})
                raise EmptyDomainError(f"no point satisfies the constraints {shown(texts)} together; relax one of them")

    def shares(self, snapped: FloatArray) -> FloatArray:
        """Points (n, dim) as each parameter's share of its range."""
        if not self._nonlinear:
            return snapped
        shares = snapped.copy()
        for p, column in self._nonlinear:
            shares[:, column] = p.linear(snapped[:, column : column + 1])
        return shares

    def project(self, U: FloatArray) -> FloatArray:
        """The nearest points (n, dim) of the box and of the constraints flat in the cube."""
        return np.minimum(np.maximum(U, 0.0), 1.0) if self.polytope is None else self.polytope.project(U)

    def check(self, snapped: FloatArray) -> BoolArray:
        """Which points (n, dim) satisfy which constraints (m): (n, m)."""
        fine: BoolArray = self.shares(snapped) @ self._normals.T <= self._limits
        return fine
