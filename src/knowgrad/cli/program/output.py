"""What a program printed, as a result: the last number, or a last line of JSON with `value` and perhaps `sem`."""

import json
import re
from typing import Any

from knowgrad.runner.serving import Failure
from knowgrad.text import shown

# A run of digits is read once and nothing of it given back (`++`); else a long one would be read many times.
COLORS = re.compile(r"\x1b\[[0-9;]*+[A-Za-z]")
# Parts of words, dates, times, versions and numbers with a thousands separator are no numbers.
NUMBER = re.compile(
    r"(?<![\w.-])(?<!\d[:,])[-+]?(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?|inf(?:inity)?|nan)(?!\w|[.:,-]\d)",
    re.IGNORECASE,
)


def read_result(text: str) -> Any:
    """A number, a pair of a number and its standard error, or a `Failure` that says what was expected."""
    lines = [line.strip() for line in COLORS.sub("", text).splitlines() if line.strip()]
    if lines and lines[-1].startswith("{"):
        return _read_json(lines[-1])
    for line in reversed(lines):
        if numbers := NUMBER.findall(line):
            return float(numbers[-1])
    last = f"its last line is {shown(lines[-1])}" if lines else "it is empty"
    return Failure(f"the output: expected a number, got none; {last}")


def _read_json(line: str) -> Any:
    try:
        found = json.loads(line)
        value, sem = found["value"], found.get("sem")
    except (ValueError, RecursionError, KeyError) as error:
        return Failure(f'the output: expected a last line such as {{"value": 0.5}}, got {shown(line)} ({error!r})')
    return value if sem is None else (value, sem)
