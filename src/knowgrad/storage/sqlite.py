"""A log in an SQLite file on a local disk, which may hold many studies.

Write-ahead log with a sync at every commit: when `append` returns, the events are on disk. Every write begins with
`BEGIN IMMEDIATE`, because a transaction that reads first and writes later cannot wait for its turn, only fail.
"""

import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from knowgrad.errors import StorageError, StorageFullError, StorageUnreachableError
from knowgrad.storage import tables
from knowgrad.storage.base import Decide, StoredStudy
from knowgrad.storage.carve import PAGE
from knowgrad.storage.connection import Connection
from knowgrad.storage.tables import SCHEMA, Run
from knowgrad.trial import Event

BUSY = 30.0  # seconds SQLite itself waits for a lock
PATIENCE = 60.0  # seconds after which a file that is always locked is an error
APPLICATION = 0x6B677264  # "kgrd", in the header of the file

T = TypeVar("T")


class SQLite:
    """The log of one study in a file; the file is made if there is none."""

    def __init__(self, path: str | Path, study: str) -> None:
        self._path = where = Path(path)
        self._study = study
        self._connection = Connection(lambda: _open(where))  # of no self: the file is closed with the last reference

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        return self._do(_exclusively(tables.appending(self._study, events, expected)))

    def amend(self, after: int, decide: Decide) -> None:
        attempt = tables.amending(self._study, after, decide)
        self._do(_exclusively(lambda run: attempt(run, self.now)))

    def read(self, after: int = 0) -> list[Event]:
        return self._do(lambda db: tables.read(_runner(db), self._study, after))

    def now(self) -> float:
        return time.time()

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def attempt() -> T:
            with self._connection.use() as db:
                return work(db)

        return _patiently(self._path, attempt)


def studies(path: str | Path) -> list[StoredStudy]:
    """What a file holds. It must be there; nothing is changed."""
    where = Path(path)
    if not where.exists():
        raise StorageError(f"storage: expected a file, got {str(where)!r}, which is not there; check the path")

    def attempt() -> list[StoredStudy]:
        db = _connect(where, "rw")
        try:
            return _transaction(db, "BEGIN", lambda run: tables.listing(run) if _schema(db, where) else [])
        finally:
            db.close()

    return _patiently(where, attempt)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # Transactions are ours alone (isolation_level=None); which thread is at work is seen to by Connection.
    db = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False
    )
    try:
        db.execute(f"PRAGMA page_size={PAGE}")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA cell_size_check=ON")
    except BaseException:
        db.close()
        raise
    return db


def _open(path: Path) -> sqlite3.Connection:
    db = _connect(path, "rwc")
    try:
        if not _transaction(db, "BEGIN", lambda run: _schema(db, path)):
            _transaction(db, "BEGIN IMMEDIATE", lambda run: _create(db, path, run))
        if db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            db.execute("PRAGMA journal_mode=WAL")
    except BaseException:
        db.close()
        raise
    return db


def _create(db: sqlite3.Connection, path: Path, run: Run) -> None:
    if _schema(db, path):
        return  # another process was faster
    for statement in (*tables.CREATE, f"PRAGMA application_id={APPLICATION}", f"PRAGMA user_version={SCHEMA}"):
        run(statement, ())


def _schema(db: sqlite3.Connection, path: Path) -> int:
    """The version of the tables, 0 in an empty file; StorageError for files that are none of ours to touch.

    To be asked within a transaction: it reads three times, and another process may be creating the tables.
    """
    ((application,),) = db.execute("PRAGMA application_id")
    ((version,),) = db.execute("PRAGMA user_version")
    if (application, version) == (0, 0) and not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        return 0
    if application != APPLICATION:
        raise StorageError(
            f"storage: expected a file of studies, got {str(path)!r}, an SQLite file of something else; "
            "pass another path"
        )
    if version > SCHEMA:
        raise StorageError(
            f"storage: expected tables of version {SCHEMA} or less, got {version} in {str(path)!r}, written by a newer "
            "knowgrad; upgrade this one"
        )
    return int(version)


def _exclusively(work: Callable[[Run], T]) -> Callable[[sqlite3.Connection], T]:
    return lambda db: _transaction(db, "BEGIN IMMEDIATE", work)


def _transaction(db: sqlite3.Connection, begin: str, work: Callable[[Run], T]) -> T:
    db.execute(begin)
    try:
        result = work(_runner(db))
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    return result


def _runner(db: sqlite3.Connection) -> Run:
    return lambda statement, values: db.execute(statement, values).fetchall()


def _patiently(path: Path, operation: Callable[[], T]) -> T:
    """Do it, waiting for other writers; what SQLite has to say otherwise, as an error of ours."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return operation()
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > deadline:
                raise _explained(path, code, error) from error
        time.sleep(random.uniform(0.01, 0.1))


def _explained(path: Path, code: int, error: sqlite3.Error) -> StorageError:
    what = f"storage {str(path)!r}: expected to read and write it, got {error}"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StorageUnreachableError(f"{what} for {PATIENCE:.0f} s; find out which process keeps it locked")
    if code == sqlite3.SQLITE_FULL:
        return StorageFullError(f"{what}; make room on the disk and go on: what was written before is intact")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR):
        return StorageError(f"{what}; check the path, its rights and the disk")
    return tables.damaged(f"{path}: {error}")
