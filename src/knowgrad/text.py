"""Text from outside, made harmless: reasons, messages of exceptions, names, whatever a program printed.

A terminal obeys control characters, a bidi override makes text read as something else, and half of a surrogate pair
cannot be written to a file or sent anywhere. Each is replaced by what Python would write for it, such as `\\x1b`; all
other text stays as it is. What is clean stays the same when it is cleaned again.
"""

import dataclasses
import math
import re
import sys

LONGEST = 400  # characters of an exception's message
# Control characters but tab and newline, separators of lines and paragraphs, bidi embeddings, overrides and isolates,
# and halves of surrogate pairs.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: object) -> str:
    """Text that any terminal, file and table can take; its lines stay lines."""
    return UNSAFE.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode(), str(text))


def one_line(text: object) -> str:
    """The same in a single line, each white space a blank."""
    return plain(" ".join(str(text).split()))


def shown(value: object) -> str:
    """A short repr that cannot fail."""
    try:
        text = repr(value)
    except Exception:  # an int of thousands of digits, or an object in no state to be printed
        return f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else text[:77] + "..."


def brief(value: object) -> str:
    """A value for people: a float to six digits, all else in one line."""
    if not isinstance(value, float):
        return one_line(value)
    return f"{value:.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:.6g}"


def measured(value: float, error: float | None) -> str:
    """A value and its error, which is known to two digits; the value to as many as that leaves."""
    if error is None or not (math.isfinite(value) and 0 < error < math.inf):
        return brief(value) if error is None else f"{brief(value)} ± {error:.2g}"
    size = math.floor(math.log10(abs(value))) if value else 0
    digits = size - math.floor(math.log10(error)) + 2
    return f"{value:.{min(max(digits, 2), 15)}g} ± {error:.2g}"


def likelihood(chance: float) -> str:
    """A probability for people, never rounded to certainty."""
    if chance > 0.9995 or chance < 0.0005:
        return "more than 99.9%" if chance > 0.5 else "less than 0.1%"
    return f"{chance:.1%}"


def brief_repr(value: object) -> str:
    """A repr whose floats have six digits; of a dataclass only what is set."""
    if type(value).__module__ in ("builtins", "numpy") and isinstance(value, float):
        return repr(float(brief(float(value))))
    if type(value) is tuple:
        return f"({', '.join(map(brief_repr, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {brief_repr(each)}' for key, each in value.items())}}}"
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return repr(value)
    pairs = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value) if field.repr)
    said = ", ".join(f"{name}={brief_repr(each)}" for name, each in pairs if each not in (None, "", (), {}))
    return f"{type(value).__name__}({said})"


def describe(error: BaseException) -> str:
    """An exception in one line; by its type only if it cannot say what it is."""
    kind = one_line(type(error).__name__)
    try:
        words = one_line(error)
    except Exception:  # the error in hand is what matters, not one in its __str__
        return f"{kind} (its message cannot be shown)"
    return f"{kind}: {words:.{LONGEST}}" if words else kind


def note(message: object) -> None:
    """Say something to whoever started this process: one line on stderr, written at once, for others may write too."""
    sys.stderr.write(f"knowgrad: {one_line(message)}\n")
    sys.stderr.flush()
