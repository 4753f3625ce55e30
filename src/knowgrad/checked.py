"""Numbers and names from outside, checked: a plain Python value, or an error that names the remedy."""

import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import numpy as np

from knowgrad.errors import ArgumentError, KnowgradError, NotANumberError
from knowgrad.text import describe, shown

LONGEST = 200  # characters of a name
LARGEST = 10_000  # points of a batch
WHOLE = (int, np.integer)
NO_NUMBERS = (bool, np.timedelta64)


def is_line(text: object) -> TypeGuard[str]:
    """Can it be a name: of a study, a person, a request?"""
    return isinstance(text, str) and 0 < len(text) <= LONGEST and text.isprintable()


def line(text: object, what: str) -> str:
    """`text` if it can be a name."""
    if is_line(text):
        return text
    raise ArgumentError(
        f"{what}: expected a printable text of at most {LONGEST} characters, got {shown(text)}; pass one"
    )


def as_mapping(value: object) -> Mapping[Any, Any] | None:
    """A mapping, or the row of a data frame without its empty cells as one; None for anything else."""
    if hasattr(value, "index") and hasattr(value, "items") and not hasattr(value, "columns"):
        value = {name: cell for name, cell in value.items() if not (isinstance(cell, float) and math.isnan(cell))}
    return value if isinstance(value, Mapping) else None


def is_number(value: object) -> bool:
    """A real number of Python or NumPy; truth values and durations are none."""
    return isinstance(value, numbers.Real) and not isinstance(value, NO_NUMBERS)


def as_float(value: object) -> float | None:
    """A number as a float, infinite if it is too large for one; None for what is no number."""
    if type(value) is float:  # as most are: an abstract class takes its time
        return value
    if not isinstance(value, numbers.Real) or not is_number(value):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def real(value: object, what: str) -> float:
    """`value` as a float if it is a real number that a float can hold, NaN and the infinities included."""
    number = as_float(value)
    if number is None:
        raise NotANumberError(
            f"{what}: expected a real number (int, float, NumPy scalar), got {type(value).__name__} {shown(value)}; "
            "convert it first, for example with float(...)"
        )
    if math.isinf(number) and number != value:
        raise ArgumentError(f"{what}: expected at most about 1.8e308 in size, got more; rescale it")
    return number


def count(value: object, what: str, least: int = 1) -> int:
    """`value` as an int if it is a whole number of at least one, or what else is the `least`."""
    if not isinstance(value, WHOLE) or isinstance(value, NO_NUMBERS) or value < least:
        raise ArgumentError(
            f"{what}: expected a whole number of at least {least}, got {shown(value)}; pass {what}={least} or more"
        )
    return int(value)


def batch(value: object) -> int:
    """`value` as a number of points that can be chosen at once."""
    if (q := count(value, "q")) > LARGEST:
        raise ArgumentError(f"q: expected at most {LARGEST:,} points at once, got {shown(q)}; ask for fewer, and again")
    return q


def seconds(value: object, what: str) -> float:
    """`value` as a float if it can be a time to wait."""
    number = real(value, what)
    if not 0 <= number < math.inf:
        raise ArgumentError(f"{what}: expected a finite number of seconds of at least 0, got {number}; pass 60, say")
    return number


def price(value: object, what: str) -> float:
    """`value` as a float if it can be what something costs."""
    number = real(value, what)
    if not 0 < number < math.inf:
        raise ArgumentError(f"{what}: expected a finite number above 0, got {number}; leave it out if it is not known")
    return number


def called(function: Callable[[dict[str, Any]], Any], params: Mapping[str, Any], what: str) -> Any:
    """What a user's function of params says; an ArgumentError if it fails."""
    try:
        return function(dict(params))
    except KnowgradError:
        raise
    except Exception as error:
        raise ArgumentError(
            f"{what}: expected a number for all params of the space, got {describe(error)} at {shown(dict(params))}; "
            "correct the function"
        ) from error


def spread(value: object, what: str, remedy: str = "pass 0 for an exact value") -> float:
    """`value` as a float if it can be a standard deviation, or a difference that is not negative."""
    number = real(value, what)
    if not 0 <= number < math.inf:
        raise ArgumentError(f"{what}: expected a finite number of at least 0, got {number}; {remedy}")
    return number
