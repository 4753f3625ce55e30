"""A test of `when` as intervals of its parameter's coordinate: where it holds, and the pieces that several tests leave.

Comparisons with a continuous parameter hold up to rounding, as constraints do: 1e-9 of its range is forgiven.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.conditions.when import Test
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.parameters import Choice
from knowgrad.text import shown

SLACK = 1e-9


class Piece(NamedTuple):
    """Coordinates from first to last, between which no test changes its mind; `share` is its part of the range."""

    first: float
    last: float
    share: float


def end_of(parameter: Parameter) -> float:
    """The highest coordinate."""
    if parameter.cells == math.inf:
        return 1.0
    return parameter.levels - 1 if parameter.nonlinear else parameter.cells


def intervals(test: Test, parameter: Parameter) -> FloatArray:
    """The coordinates (k, 2), ends included, at which the test holds; none if it never does."""
    if test.sign:
        found = _compared(test, parameter)
    elif parameter.cells == math.inf:
        name = shown(test.parent)
        raise SpaceError(
            f'{name} is a continuous Float, which hits no value exactly; compare it, as in when="{test.parent} >= 0.5"'
        )
    else:
        levels = sorted({parameter.position(parameter.check(value)) for value in test.values})
        found = [(level, level) for level in levels]
    return np.array([pair for pair in found if pair[0] <= pair[1]], dtype=np.float64).reshape(-1, 2)


def _compared(test: Test, parameter: Parameter) -> list[tuple[float, float]]:
    if isinstance(parameter, Choice):
        raise SpaceError(
            f"{shown(test.parent)} is a Choice, which has no order; list its options, as in "
            f"when={{{test.parent!r}: {[parameter.options[0]]!r}}}"
        )
    return _smooth(test, parameter) if parameter.cells == math.inf else [_stepped(test, parameter)]


def _stepped(test: Test, parameter: Parameter) -> tuple[float, float]:
    """By the values of the levels themselves, which rise with them."""
    last, bound = int(end_of(parameter)), test.bound

    def first(strictly: bool) -> int:
        low, high = 0, last + 1
        while low < high:
            middle = (low + high) // 2
            value = parameter.value(middle)
            assert isinstance(value, int | float)
            reached = value > bound if strictly else value >= bound
            low, high = (low, middle) if reached else (middle + 1, high)
        return low

    at_least, above = first(False), first(True)
    return {
        ">=": (at_least, last),
        ">": (above, last),
        "<=": (0, above - 1),
        "<": (0, at_least - 1),
        "==": (at_least, above - 1),
    }[test.sign]


def _smooth(test: Test, parameter: Parameter) -> list[tuple[float, float]]:
    low, high = (float(end) for end in parameter.ends)
    if test.sign == "==":
        raise SpaceError(
            f"{shown(test.parent)} is a continuous Float, which hits no value exactly; compare by <= or >="
        )
    rising, strict = test.sign[0] == ">", len(test.sign) == 1
    if test.bound < low or (test.bound == low and rising != strict):
        return [(0.0, 1.0)] if rising else []
    if test.bound > high or (test.bound == high and rising == strict):
        return [] if rising else [(0.0, 1.0)]
    at, slack = parameter.position(test.bound), SLACK if strict else -SLACK
    return [(max(at + slack, 0.0), 1.0)] if rising else [(0.0, min(at - slack, 1.0))]


def within(coordinate: FloatArray, where: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Is each coordinate (…) in one of the intervals?"""
    if len(where) == 1:
        return np.asarray((coordinate >= where[0, 0]) & (coordinate <= where[0, 1]))
    near = coordinate[..., None]
    return np.asarray(((near >= where[:, 0]) & (near <= where[:, 1])).any(axis=-1))


def pieces(parameter: Parameter, tests: Sequence[FloatArray]) -> list[list[Piece]]:
    """The range, cut where tests change their minds; pieces on which all tests agree are together."""
    end, smooth = end_of(parameter), parameter.cells == math.inf
    step = 0.0 if smooth else 1.0
    edges = sorted({0.0, end + step, *(float(e) for test in tests for e in (*test[:, 0], *(test[:, 1] + step)))})
    found: dict[tuple[bool, ...], list[Piece]] = {}
    for first, after in pairwise(edges):
        piece = Piece(first, after - step, (after - first) / (end + step))
        middle = np.array(first if not smooth else 0.5 * (first + after))
        found.setdefault(tuple(bool(within(middle, test)) for test in tests), []).append(piece)
    return list(found.values())
