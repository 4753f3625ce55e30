"""Which number of an output is the result: text with a placeholder, `loss: {value}`, or a regular expression."""

import re
from collections.abc import Mapping, Sequence

import click

# A run of digits, or of white space, is read once and nothing of it given back (`++`); else a long one would be read
# many times. For the same reason a pattern that begins with one is looked for only where a run begins.
DIGITS = r"[-+]?(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?|inf(?:inity)?|nan)"
AFTER = r"(?!\w|[.:,-]\d)"  # what follows a number that is not part of a date, a time, a version or a longer number
SPACE = r"\s++"


def groups(outcomes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The groups in which values and standard errors of named outcomes are found: {yield} and {yield_sem}."""
    return {name: (f"outcome_{i}", f"error_{i}") for i, name in enumerate(outcomes)}


def compiled(text: str, outcomes: Sequence[str] = ()) -> re.Pattern[str]:
    """The expression that finds the result, with a group `value` and perhaps `sem`, or one for each named outcome."""
    places = {"value": "value", "sem": "sem"}
    for name, (value, sem) in groups(outcomes).items():
        places |= {name: value, f"{name}_sem": sem}
    has_place = any(f"{{{name}}}" in text for name in ("value", *outcomes))
    try:
        found = re.compile(_expression(text, places) if has_place else text, re.MULTILINE | re.IGNORECASE)
    except re.error as error:
        said = f"--result: expected 'loss: {{value}}' or a regular expression, got {text!r} ({error})"
        raise click.BadParameter(said) from None
    if not found.groups:
        raise click.BadParameter(
            f"--result: expected the place of the number, got {text!r}; write 'loss: {{value}}', or a regular "
            "expression with a group for it"
        )
    return found


def _expression(text: str, places: Mapping[str, str]) -> str:
    """Literal text, in which any white space stands for any other."""
    parts, end = [], 0
    found = re.compile(rf"\{{({'|'.join(map(re.escape, places))})\}}")
    for place in found.finditer(text):
        follows, group = text[place.end() : place.end() + 1], places[place[1]]
        parts += [_literal(text[end : place.start()]), f"(?P<{group}>{DIGITS}){'' if follows.strip() else AFTER}"]
        end = place.end()
    whole = "".join([*parts, _literal(text[end:])])
    if whole.startswith(SPACE):
        return r"(?<!\s)" + whole
    return r"(?:(?<!\d)|(?!\d))" + whole if found.match(text) else whole


def _literal(text: str) -> str:
    return SPACE.join(map(re.escape, re.split(r"\s+", text)))
