"""Text that a user wrote as a formula, parsed by Python's own parser, and nothing of it run."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from knowgrad.errors import SpaceError

LONGEST = 10_000  # characters: the parser is given no more, because nothing can interrupt it
T = TypeVar("T")


def parsed(text: str, read: Callable[[ast.expr], T], refuse: Callable[[str], SpaceError]) -> T:
    """What `read` makes of the text's tree; what cannot be read is refused."""
    if len(text) > LONGEST:
        raise refuse(f"cannot be read, being longer than {LONGEST} characters")
    try:
        return read(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise refuse(f"cannot be read ({type(error).__name__})") from error
    except ValueError as error:  # null bytes, lone surrogates
        if isinstance(error, SpaceError):
            raise
        raise refuse("cannot be read") from error
