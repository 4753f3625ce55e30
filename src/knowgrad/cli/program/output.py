"""What a program printed, as a result: what a pattern finds last.

Without a pattern it is the last number, or a last line of JSON with `value` and perhaps `sem` and `cost`.
"""

import json
import re
from collections import deque
from collections.abc import Mapping
from typing import Any

from knowgrad.cli.program.pattern import AFTER, DIGITS, compiled, groups
from knowgrad.runner.failure import Failure
from knowgrad.text import shown

# A run of digits is read once and nothing of it given back (`++`); else a long one would be read many times.
COLORS = re.compile(r"\x1b\[[0-9;]*+[A-Za-z]")
# Parts of words, dates, times, versions and numbers with a thousands separator are no numbers.
NUMBER = re.compile(rf"(?<![\w.-])(?<!\d[:,]){DIGITS}{AFTER}", re.IGNORECASE)


def read_result(text: str, pattern: str | None = None, outcomes: tuple[str, ...] = ()) -> Any:
    """A number, a pair of a number and its standard error, or a `Failure` that says what was expected.

    With named `outcomes` a dict of them, from a last line of JSON or from a pattern with a placeholder for each.
    """
    text = COLORS.sub("", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = f"its last line is {shown(lines[-1])}" if lines else "it is empty"
    if pattern is not None:
        return _read_pattern(text, pattern, last, outcomes)
    if lines and lines[-1].startswith("{"):
        return _read_named(lines[-1], outcomes[0]) if outcomes else _read_json(lines[-1])
    if len(outcomes) > 1:
        return Failure(f'the output: expected a last line such as {{"{outcomes[0]}": 0.5, …}}, got none; {last}')
    for line in reversed(lines):
        if numbers := NUMBER.findall(line):
            return float(numbers[-1])
    return Failure(f"the output: expected a number, got none; {last}")


def _read_pattern(text: str, pattern: str, last: str, outcomes: tuple[str, ...] = ()) -> Any:
    """What the last match has in its groups `value` and `sem`, or in its first group; or in those of the outcomes."""
    matches = deque(compiled(pattern, outcomes).finditer(text), maxlen=1)
    if not matches:
        return Failure(f"the output: expected {pattern!r}, got nothing like it; {last}")
    found = matches[0]
    names = found.groupdict()
    try:
        if any(group in names for group, _ in groups(outcomes).values()):
            return _read_groups(names, outcomes)
        value = float(names.get("value") or found[1])
        return value if names.get("sem") is None else (value, float(names["sem"]))
    except (ValueError, TypeError):
        return Failure(f"the output: expected a number where {pattern!r} has it, got {shown(found[0])}")


def _read_groups(found: Mapping[str, str | None], outcomes: tuple[str, ...]) -> dict[str, tuple[float, float | None]]:
    told = {}
    for name, (value, sem) in groups(outcomes).items():
        if (text := found.get(value)) is not None:
            error = found.get(sem)
            told[name] = float(text), None if error is None else float(error)
    return told


def _read_json(line: str) -> Any:
    try:
        found = json.loads(line)
        value, sem, cost = found["value"], found.get("sem"), found.get("cost")
    except (ValueError, RecursionError, KeyError) as error:
        return Failure(f'the output: expected a last line such as {{"value": 0.5}}, got {shown(line)} ({error!r})')
    if cost is not None:
        return {"value": value, "sem": sem, "cost": cost}
    return value if sem is None else (value, sem)


def _read_named(line: str, first: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return Failure(f'the output: expected a last line such as {{"{first}": 0.5}}, got {shown(line)} ({error!r})')
