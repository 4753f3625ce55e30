"""Log lines that a terminal can show: text from outside cannot move the cursor or change colors."""

from __future__ import annotations

import logging
from typing import Any


def harmless(text: str) -> str:
    """The text with everything that is not printable, new lines and tabs apart, written as an escape."""
    return "".join(each if each.isprintable() or each in "\n\t" else _escaped(each) for each in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class Plain(logging.Formatter):
    """A level, a message, a traceback."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))


# Only errors: a line for every odd request would be a way to fill a disk.
CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": Plain}},
    "handlers": {"plain": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {"uvicorn": {"handlers": ["plain"], "level": "ERROR", "propagate": False}},
}
