"""Equality constraints: each is solved for one parameter, which has no column and is computed from the others.

What is left is a problem in the coordinates of the affine subspace: fewer columns, and an inequality for each bound of
a computed parameter. Everything is exact: user units, decimal fractions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import EmptyDomainError, SpaceError
from knowgrad.space.constraints import Form, Linear
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.text import shown

BoolArray = npt.NDArray[np.bool_]

FORGIVEN = 1e-6  # of a computed parameter's range: what the value told may differ from the one computed


@dataclass(frozen=True)
class Computed:
    """name = Σ coefficients[other] * other + constant, as the constraint `text` says."""

    text: str
    coefficients: dict[str, Fraction]
    constant: Fraction


class Equalities:
    """The equalities among the constraints, solved. `computed` holds the parameters they decide, by name."""

    def __init__(self, linears: Sequence[Linear], parameters: Mapping[str, Parameter]) -> None:
        self.parameters = parameters
        self.computed: dict[str, Computed] = {}
        for linear in linears:
            if linear.equal:
                self._solve(linear)
        self.kept = {name: p for name, p in parameters.items() if name not in self.computed}
        if self.computed and not self.kept:
            texts = list(dict.fromkeys(each.text for each in self.computed.values()))
            raise SpaceError(
                f"the constraints {shown(texts)} leave a single point, nothing to choose; drop one of them"
            )
        left = [self._without(linear) for linear in linears if not linear.equal]
        self.inequalities = [linear for linear in (*left, *self._bounds()) if linear is not None]

    def _solve(self, linear: Linear) -> None:
        coefficients, constant = self._substituted(linear.coefficients)
        missing = linear.bound - constant
        if not coefficients:
            if missing:
                raise EmptyDomainError(f"constraint {shown(linear.text)} contradicts those before it; drop one of them")
            return
        name = min(coefficients, key=lambda each: self._rank(each, coefficients[each]))
        pivot = coefficients.pop(name)
        solved = Computed(linear.text, {each: -c / pivot for each, c in coefficients.items()}, missing / pivot)
        for other, old in self.computed.items():
            if factor := old.coefficients.get(name):
                form = {**old.coefficients, name: Fraction(0)}
                for each, c in solved.coefficients.items():
                    form[each] = form.get(each, Fraction(0)) + factor * c
                constant = old.constant + factor * solved.constant
                self.computed[other] = Computed(old.text, {each: c for each, c in form.items() if c}, constant)
        self.computed[name] = solved

    def _rank(self, name: str, factor: Fraction) -> tuple[bool, bool, Fraction, int]:
        """Computed is what has no levels and no log scale, then what has the widest range, then what comes last."""
        p = self.parameters[name]
        low, high = ends(p)
        return p.cells < math.inf, p.nonlinear, -abs(factor) * (high - low), -list(self.parameters).index(name)

    def _substituted(self, coefficients: Mapping[str, Fraction]) -> Form:
        total: dict[str, Fraction] = {}
        constant = Fraction(0)
        for name, factor in coefficients.items():
            found = self.computed.get(name)
            for each, c in (found.coefficients if found else {name: Fraction(1)}).items():
                total[each] = total.get(each, Fraction(0)) + factor * c
            constant += factor * found.constant if found else 0
        return {name: c for name, c in total.items() if c}, constant

    def _without(self, linear: Linear) -> Linear | None:
        """The inequality without computed parameters; None if it holds everywhere."""
        coefficients, constant = self._substituted(linear.coefficients)
        bound = linear.bound - constant
        if coefficients:
            return Linear(linear.text, coefficients, bound)
        if bound < 0:
            raise EmptyDomainError(f"constraint {shown(linear.text)} excludes every point that the equalities leave")
        return None

    def _bounds(self) -> list[Linear | None]:
        """A computed parameter keeps to its range."""
        found = []
        for name, computed in self.computed.items():
            low, high = ends(self.parameters[name])
            found.append(self._without(Linear(computed.text, {name: Fraction(1)}, high)))
            found.append(self._without(Linear(computed.text, {name: Fraction(-1)}, -low)))
        return found

    def value(self, name: str, params: Mapping[str, Any]) -> Any:
        """What a computed parameter is, given the others: its nearest value within its range."""
        p, (low, high) = self.parameters[name], ends(self.parameters[name])
        number = min(max(self._number(name, params), low), high)
        near = (high - low) / 10**12  # a share of nothing is nothing, whatever rounding left of it
        number = low if number - low < near else high if high - number < near else number
        if p.cells == math.inf:
            return float(number)
        return p.value(p.position(round(number) if isinstance(p.value(0), int) else float(number)))

    def _number(self, name: str, params: Mapping[str, Any]) -> Fraction:
        computed = self.computed[name]
        terms = (factor * Fraction(repr(params[other])) for other, factor in computed.coefficients.items())
        return sum(terms, computed.constant)

    def settle(self, params: dict[str, Any]) -> None:
        """Put what is computed in place of what was told for it, or raise SpaceError if these differ."""
        for name, computed in self.computed.items():
            low, high = ends(self.parameters[name])
            given, right = params[name], self._number(name, params)
            if abs(Fraction(repr(given)) - right) > Fraction(FORGIVEN) * (high - low):
                raise SpaceError(
                    f"params {shown(params)} violate the constraint {computed.text!r}: given the others, {name!r} has "
                    f"to be {float(right):.12g}, got {shown(given)}; change one of them"
                )
            params[name] = self.value(name, params)

    def on_level(self, shares: FloatArray, columns: Mapping[str, int]) -> BoolArray:
        """Which rows (n, dim) of shares of the ranges give every computed parameter a value that it has."""
        fine = np.ones(len(shares), dtype=bool)
        for offset, row in self.leveled:
            level = offset + sum(factor * shares[:, columns[other]] for other, factor in row.items())
            fine &= np.abs(level - np.rint(level)) < 1e-6
        return fine

    @cached_property
    def leveled(self) -> list[tuple[float, dict[str, float]]]:
        """The levels of computed parameters, but for those that always come out whole, as offset and row of shares."""
        found = []
        for name, computed in self.computed.items():
            if (width := _width(self.parameters[name])) is None:
                continue
            steps = {other: _width(self.parameters[other]) for other in computed.coefficients}
            lows = {other: ends(self.parameters[other])[0] for other in computed.coefficients}
            offset = computed.constant + sum(c * lows[other] for other, c in computed.coefficients.items())
            offset = (offset - ends(self.parameters[name])[0]) / width
            per_step = [step and computed.coefficients[other] * step / width for other, step in steps.items()]
            if all(each is not None and each.denominator == 1 for each in (*per_step, offset)):
                continue
            spans = {other: ends(self.parameters[other])[1] - low for other, low in lows.items()}
            row = {other: float(c * spans[other] / width) for other, c in computed.coefficients.items()}
            found.append((float(offset), row))
        return found


def ends(parameter: Parameter) -> tuple[Fraction, Fraction]:
    """The lowest and the highest value, as the decimal fractions that they are written as."""
    last = 1.0 if parameter.cells == math.inf else parameter.cells
    return Fraction(repr(parameter.value(0.0))), Fraction(repr(parameter.value(last)))


def _width(parameter: Parameter) -> Fraction | None:
    """From one level to the next; None if there are none."""
    low, high = ends(parameter)
    return None if parameter.cells == math.inf else (high - low) / (int(parameter.levels) - 1)
