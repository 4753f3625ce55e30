"""Which number of an output is the result: text with a placeholder, `loss: {value}`, or a regular expression."""

import re

import click

# A run of digits, or of white space, is read once and nothing of it given back (`++`); else a long one would be read
# many times. For the same reason a pattern that begins with one is looked for only where a run begins.
DIGITS = r"[-+]?(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:e[-+]?\d++)?|inf(?:inity)?|nan)"
AFTER = r"(?!\w|[.:,-]\d)"  # what follows a number that is not part of a date, a time, a version or a longer number
SPACE = r"\s++"
PLACE = re.compile(r"\{(value|sem)\}")


def compiled(text: str) -> re.Pattern[str]:
    """The expression that finds the result, with a group `value` and perhaps `sem`."""
    try:
        found = re.compile(_expression(text) if "{value}" in text else text, re.MULTILINE | re.IGNORECASE)
    except re.error as error:
        said = f"--result: expected 'loss: {{value}}' or a regular expression, got {text!r} ({error})"
        raise click.BadParameter(said) from None
    if not found.groups:
        raise click.BadParameter(
            f"--result: expected the place of the number, got {text!r}; write 'loss: {{value}}', or a regular "
            "expression with a group for it"
        )
    return found


def _expression(text: str) -> str:
    """Literal text, in which any white space stands for any other."""
    parts, end = [], 0
    for place in PLACE.finditer(text):
        follows = text[place.end() : place.end() + 1]
        parts += [_literal(text[end : place.start()]), f"(?P<{place[1]}>{DIGITS}){'' if follows.strip() else AFTER}"]
        end = place.end()
    whole = "".join([*parts, _literal(text[end:])])
    if whole.startswith(SPACE):
        return r"(?<!\s)" + whole
    return r"(?:(?<!\d)|(?!\d))" + whole if PLACE.match(text) else whole


def _literal(text: str) -> str:
    return SPACE.join(map(re.escape, re.split(r"\s+", text)))
