"""Text from outside, made harmless: reasons, messages of exceptions, names, whatever a program printed.

A terminal obeys control characters, a bidi override makes text read as something else, and half of a surrogate pair
cannot be written to a file or sent anywhere. Each is replaced by what Python would write for it, such as `\\x1b`; all
other text stays as it is. What is clean stays the same when it is cleaned again.
"""

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


def describe(error: BaseException) -> str:
    """An exception in one line; by its type only if it cannot say what it is."""
    kind = one_line(type(error).__name__)
    try:
        words = one_line(error)
    except Exception:  # the error in hand is what matters, not one in its __str__
        return f"{kind} (its message cannot be shown)"
    return f"{kind}: {words:.{LONGEST}}" if words else kind


def note(message: object) -> None:
    """Say something to whoever started this process: one line on stderr."""
    print(f"knowgrad: {one_line(message)}", file=sys.stderr, flush=True)
