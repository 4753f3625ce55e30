"""Plain Python scalars out of whatever a user or NumPy hands over, or a SpaceError that says what was expected."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from knowgrad.checked import as_float, is_number
from knowgrad.errors import SpaceError
from knowgrad.text import shown

Scalar = str | int | float | bool | None

LARGEST_INT = 2**62


def finite(value: Any, what: str) -> float:
    """A finite float, or a SpaceError about `what`."""
    number = as_float(value)
    if number is None:
        raise SpaceError(f"{what} must be a real number, got {shown(value)}")
    if not math.isfinite(number):
        raise SpaceError(f"{what} must be finite, got {shown(value)}")
    return number


def whole(value: Any, what: str) -> int:
    """An int of at most 2**62 in size, or a SpaceError about `what`."""
    if not isinstance(value, (int, np.integer)) and finite(value, what) % 1:
        raise SpaceError(f"{what} must be a whole number, got {shown(value)}")
    if not is_number(value) or abs(int(value)) > LARGEST_INT:
        raise SpaceError(f"{what} must be a whole number between -2**62 and 2**62, got {shown(value)}")
    return int(value)


def flag(value: Any, what: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise SpaceError(f"{what} must be True or False, got {shown(value)}")
    return bool(value)


def scalar(value: Any, what: str) -> Scalar:
    """A plain Python str, int, float, bool or None, or a SpaceError about `what`."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (int, np.integer)) and is_number(value):
        return whole(value, what)
    if isinstance(value, (float, np.floating)):
        return finite(value, what)
    raise SpaceError(f"{what} must be a str, int, float, bool or None, got {shown(value)}")
