"""Log lines that a terminal can show: text from outside cannot move the cursor or change colors."""

from __future__ import annotations

import logging
from typing import Any

from knowgrad.text import plain


class Plain(logging.Formatter):
    """A level, a message, a traceback."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return plain(super().format(record))


# Only errors: a line for every odd request would be a way to fill a disk.
CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": Plain}},
    "handlers": {"plain": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {"uvicorn": {"handlers": ["plain"], "level": "ERROR", "propagate": False}},
}
