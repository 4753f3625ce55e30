"""Why an evaluation failed, in words that survive the way between processes."""

import traceback
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from knowgrad.text import describe, plain

LONGEST = 10_000  # characters of a traceback
OURS = ("knowgrad.runner", "knowgrad.cli")
ENGINES = ("concurrent.futures.", "distributed.", "ray.")  # what they raise is not the objective's


@dataclass(frozen=True)
class Failure:
    """A failed evaluation: the reason in a line, and where it failed."""

    reason: str
    traceback: str | None = None
    """The traceback of an exception, or the last lines that a program printed."""
    kinds: tuple[str, ...] = ()
    """The class of the exception and those it derives from, by name; none if it was no exception of the objective."""
    error: Any = field(default=None, repr=False, compare=False)
    """The exception itself where there is one in this process."""
    cost: float | None = None

    def is_one_of(self, kinds: tuple[type[BaseException], ...]) -> bool:
        """Is it such an exception? By name: a class that was sent to another process is another class there."""
        return not {_name(kind) for kind in kinds}.isdisjoint(self.kinds)


def failed(error: BaseException) -> Failure:
    """What an exception of the objective says."""
    kinds = tuple(_name(kind) for kind in type(error).__mro__)
    if kinds[0].startswith(ENGINES):
        return Failure(describe(error), error=error)
    lines = traceback.format_exception(type(error), error, _theirs(error.__traceback__))
    return Failure(describe(error), plain("".join(lines))[-LONGEST:], kinds, error)


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__name__}"  # not __qualname__, which is lost on the way


def _theirs(frames: TracebackType | None) -> TracebackType | None:
    """Without the frames that led to the objective."""
    while frames is not None and str(frames.tb_frame.f_globals.get("__name__")).startswith(OURS):
        frames = frames.tb_next
    return frames
