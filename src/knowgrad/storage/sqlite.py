"""A log in an SQLite file on a local disk, which may hold many studies.

Write-ahead log with a sync at every commit: when `append` returns, the events are on disk. Every write begins with
`BEGIN IMMEDIATE`, because a transaction that reads first and writes later cannot wait for its turn, only fail.
"""

import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ParamSpec, TypeVar

from knowgrad.errors import StorageError, StorageFullError, StorageUnreachableError
from knowgrad.storage import tables
from knowgrad.storage.base import Decide, Page, StoredStudy
from knowgrad.storage.connection import Connection
from knowgrad.storage.file import File, code, keep_log, open_file, open_to_read, schema, transaction
from knowgrad.storage.patience import patience
from knowgrad.storage.room import is_full
from knowgrad.storage.rows import Rows
from knowgrad.storage.tables import Run
from knowgrad.trial import Event

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_CONSTRAINT)
WORDS = ("no such table", "no such column", "malformed", "decode", "already exists")  # where there is no such code

P = ParamSpec("P")
T = TypeVar("T")


class SQLite:
    """The log of one study in a file; the file is made if there is none."""

    def __init__(self, path: str | Path, study: str, *, open: Callable[[Path], File] = open_file) -> None:
        """`open`: how the file is opened; `open_to_read` leaves it as it is."""
        self._path = where = Path(path)
        self._rows = Rows(study)
        # The functions know nothing of self: the file is closed with the last reference to it.
        self._connection = Connection(lambda: open(where), lambda db: not db.in_transaction)

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        attempt = self._rows.appending(events, expected)
        return self._do(lambda db: _exclusively(db, attempt))

    def amend(self, after: int, decide: Decide) -> None:
        attempt = self._rows.amending(after, decide)
        self._do(lambda db: _exclusively(db, lambda run: attempt(run, self.now, db.version())))

    def alter(self, work: Callable[[Run], T], also: str | None = None) -> T:
        """As `naming.Alterable` says; what is deleted is overwritten, so that no rescue brings it back."""

        def wiping(db: File) -> T:
            self._rows.forget()
            db.execute("PRAGMA secure_delete=ON")
            return _exclusively(db, work)

        return self._do(wiping)

    def read(self, after: int = 0) -> Page:
        def look(db: File) -> Page:
            db.check(writing=False)
            return self._rows.read(db.run, after, db.version())

        return self._do(look)

    def now(self) -> float:
        return time.time()

    def _do(self, work: Callable[[File], T]) -> T:
        return _patiently(self._path, self._connection.run, work)


def studies(path: str | Path) -> list[StoredStudy]:
    """What a file holds. It must be there; nothing is changed."""
    where = Path(path)
    if not where.exists():
        raise StorageError(f"storage: expected a file, got {str(where)!r}, which does not exist; check the path")

    def attempt() -> list[StoredStudy]:
        db = open_to_read(where, oldest=0)
        try:
            return transaction(db, "BEGIN", tables.listing) if schema(db) else []
        finally:
            db.close()

    return _patiently(where, attempt)


def _exclusively(db: File, work: Callable[[Run], T]) -> T:
    keep_log(db)
    return transaction(db, "BEGIN IMMEDIATE", work, to_file=True)


def _patiently(path: Path, operation: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Do it, waiting for other writers; what SQLite has to say otherwise, as an error of ours."""
    begun = time.monotonic()
    while True:
        try:
            return operation(*args, **named)
        except UnicodeDecodeError as error:  # of the text of an error about a damaged file
            raise tables.damaged(f"{path}: {error}") from error
        except sqlite3.Error as error:
            if code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise _explained(path, error) from error
            if time.monotonic() - begun > (limit := patience()):
                raise StorageUnreachableError(
                    f"storage {str(path)!r}: expected to read and write it, got {error} for {limit:.0f} s; "
                    "find out which process keeps it locked"
                ) from error
        time.sleep(random.uniform(0.01, 0.1))


def _explained(path: Path, error: sqlite3.Error) -> StorageError:
    """Only damage is called damage."""
    what = f"storage {str(path)!r}: expected to read and write it, got {error}"
    found = code(error)
    if found == sqlite3.SQLITE_FULL or (found not in DAMAGE and is_full(path)):
        return StorageFullError(f"{what}; make room on the disk and continue: what was written before is intact")
    if found == sqlite3.SQLITE_READONLY:
        return StorageError(f"{what}; it can be read as it is; to write, get the right to, or work on a copy")
    if found in DAMAGE or any(words in str(error) for words in WORDS):
        return tables.damaged(f"{path}: {error}")
    return StorageError(f"{what}; check the path, its rights and the disk")
