"""What a cell means, and how text is written into one.

A number has a decimal point. A comma may be meant as one, or part thousands: 1,234 is refused unless the reader was
told (`decimal=","`). Text is made harmless when it is written (`knowgrad.text`), in CSV against spreadsheets, too: what
looks like a formula with a call in it gets an apostrophe. Reading takes both back.
"""

import json
import numbers
import re
from typing import Any

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space import Choice, Parameter, Scalar
from knowgrad.text import plain, shown

# Without a call or a pipe a formula does nothing; options such as -O2 are to stay as they are.
FORMULA = re.compile(r"\s*[=+\-@][^(|]*[(|]")
WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")


def clean(value: Any) -> Any:
    """Text that any file can hold; all else as it is."""
    return plain(value) if isinstance(value, str) else value


def unarmed(value: Any) -> Any:
    """What no spreadsheet runs."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def rearmed(text: str) -> str:
    """The text that `unarmed` was given."""
    return text[1:] if text.startswith("'") and FORMULA.match(text[1:]) else text


def is_missing(cell: Any) -> bool:
    """None, an empty text or NaN, which is how a table of numbers says that a cell is empty."""
    if isinstance(cell, str):
        return not cell.strip()
    return cell is None or (isinstance(cell, numbers.Real) and cell != cell)


def number(text: str, decimal: str = ".") -> int | float:
    """The number that a text is; an ArgumentError if it is none, or could be two."""
    written = text.strip()
    if decimal == "," and "." not in written:
        written = written.replace(",", ".", 1)
    elif COMMA.fullmatch(written):
        point = written.replace(",", ".")
        raise ArgumentError(f"expected a number with a decimal point, got {text!r}; write {point}")
    if WHOLE.fullmatch(written):
        return int(written) if len(written) < 400 else float(written)
    if not NUMBER.fullmatch(written) or (decimal == "," and "." in text):
        raise ArgumentError(
            f"expected a number, got {shown(text)}; write it with digits and a decimal {_mark(decimal)}"
        )
    return float(written)


def _mark(decimal: str) -> str:
    return "comma" if decimal == "," else "point"


def meaning(cell: Any, parameter: Parameter, decimal: str = ".") -> Any:
    """The value of a parameter that a cell stands for. Whether it is in range is for the space to say."""
    if isinstance(parameter, Choice):
        return _option(cell, parameter)
    if is_missing(cell):
        raise SpaceError("expected a value, got an empty cell; fill it in")
    return number(cell, decimal) if isinstance(cell, str) else cell


def _option(cell: Any, choice: Choice) -> Any:
    if not isinstance(cell, str):
        return None if is_missing(cell) and None in choice.options else cell
    meant = [option for option in choice.options if cell in _spellings(option)]
    if not meant and not cell.strip() and None in choice.options:
        return None
    if len(meant) > 1:
        raise SpaceError(
            f"expected one option, got {shown(cell)}, which could be any of {shown(meant)}; add it in Python"
        )
    return meant[0] if meant else _numeric(cell)


def _spellings(option: Scalar) -> set[str]:
    if isinstance(option, str):
        return {option, plain(option), unarmed(plain(option))}
    return {str(option), json.dumps(option)}


def _numeric(text: str) -> int | float | str:
    """A number may be written in more than one way: 8 and 8.0."""
    try:
        return number(text)
    except ArgumentError:
        return text
