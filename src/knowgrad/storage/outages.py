"""What a PostgreSQL server says when it does not do what it was asked: whether to wait for it, and errors of ours.

A server that has answered once is waited for when it is down. One that never has may not exist: the address may be
mistyped, and whoever mistyped it is to hear of it at once.
"""

import random
import time
from collections.abc import Callable
from typing import TypeVar

import psycopg

from knowgrad.errors import StorageError, StorageFullError, StorageUnreachableError
from knowgrad.storage.address import without_password
from knowgrad.storage.patience import patience
from knowgrad.text import note

LONGEST = 1.0  # seconds between two attempts
QUIET = 3.0  # seconds of waiting after which a line says so
PASSING = ("starting up", "shutting down", "recovery mode", "too many", "terminating", "not yet accepting", "slots")
IO_ERROR = "58030"
AWAY = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.IdleInTransactionSessionTimeout)

T = TypeVar("T")

_answered: set[str] = set()


def has_answered(url: str) -> None:
    """There is a server at this address: from now on it is waited for."""
    _answered.add(url)


def patiently(url: str, operation: Callable[[], T], reset: Callable[[], None]) -> T:
    """Do it, connecting again while the server is down; its other errors become errors of ours."""
    limit, begun, pause, said = patience(), time.monotonic(), 0.05, False
    while True:
        try:
            return operation()
        except psycopg.Error as error:
            text = without_password(url, str(error).strip())
            waited = time.monotonic() - begun
            if not isinstance(error, AWAY) or _is_full(error) or waited > limit or not _is_worth_waiting(url, text):
                raise _explained(error, url, text, limit) from None  # the cause might tell the password
            reset()
            if waited > QUIET and not said:
                said = True
                note(f"waiting for the database, for {limit:.0f} s at most ({text})")
        time.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, LONGEST)


def _explained(error: psycopg.Error, url: str, text: str, limit: float) -> StorageError:
    if _is_full(error):
        return StorageFullError(
            f"storage: expected room on the server's disk, got {text}; make room and go on: "
            "what was written before is intact"
        )
    if isinstance(error, AWAY) and not _is_there(url, text):
        return StorageUnreachableError(
            f"storage: expected a PostgreSQL server at this address, got {text}; check the host and the port, or start "
            "the server: only one that has answered before is waited for"
        )
    if isinstance(error, AWAY):
        return StorageUnreachableError(
            f"storage: expected a database that answers within {limit:.0f} s, got {text}; "
            "check the address and the server"
        )
    return StorageError(f"storage: expected a database to write to, got {text}; check its rights")


def _is_full(error: psycopg.Error) -> bool:
    return isinstance(error, psycopg.errors.DiskFull) or ("quota" in str(error) and error.sqlstate == IO_ERROR)


def _is_worth_waiting(url: str, answer: str) -> bool:
    return _is_there(url, answer) and not is_refusal(answer)


def _is_there(url: str, answer: str) -> bool:
    """Has a server ever answered? FATAL is an answer: that it is starting up, say, or has no free connection."""
    return url in _answered or "FATAL" in answer


def is_refusal(answer: str) -> bool:
    """Did a server that is up say no, to a password or the name of a database, say? Asking again would not help."""
    return "FATAL" in answer and not any(words in answer for words in PASSING)
