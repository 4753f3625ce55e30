"""A log in a PostgreSQL database, which may hold many studies.

A writer locks the study's row, so that appends come one after the other. A connection that breaks is made again, with
growing pauses. If it broke while committing, the receipt on the rows says whether the events were written.
"""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg

from knowgrad.errors import StorageError, StorageFullError, StorageUnreachableError
from knowgrad.storage import tables
from knowgrad.storage.base import StoredStudy
from knowgrad.storage.connection import Connection
from knowgrad.storage.tables import SCHEMA, Row, Run
from knowgrad.trial import Event

PATIENCE = 60.0  # seconds after which a server that is away is an error
LONGEST = 1.0  # seconds between two attempts
CREATION = 0x6B677264  # of the advisory lock under which tables are made
LOCK = " FOR UPDATE"

T = TypeVar("T")


class Postgres:
    """The log of one study in a database; the tables are made if there are none."""

    def __init__(self, url: str, study: str) -> None:
        self._url, self._study = url, study
        self._connection = Connection(lambda: _open(url))

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        receipt = secrets.token_hex(8)
        first: int | None = None

        def write(run: Run) -> int:
            nonlocal first
            if first is None or not tables.has_written(run, self._study, first, receipt, LOCK):
                first = tables.write(run, self._study, events, expected, receipt, LOCK)
            return first + len(events)

        return self._do(write)

    def read(self, after: int = 0) -> list[Event]:
        return self._do(lambda run: tables.read(_at_one_moment(run), self._study, after))

    def now(self) -> float:
        return self._do(lambda run: float(run("SELECT extract(epoch FROM clock_timestamp())", ())[0][0]))

    def _do(self, work: Callable[[Run], T]) -> T:
        def attempt() -> T:
            with self._connection.use() as db:
                return _transaction(db, work)

        return _patiently(attempt, self._connection.close)


def studies(url: str) -> list[StoredStudy]:
    """What a database holds. Nothing is changed."""

    def attempt() -> list[StoredStudy]:
        db = _connect(url)
        try:
            return _transaction(db, lambda run: tables.listing(run) if _schema(_at_one_moment(run)) else [])
        finally:
            db.close()

    return _patiently(attempt, lambda: None)


def _connect(url: str) -> psycopg.Connection[Row]:
    db = psycopg.connect(url, connect_timeout=10, autocommit=True)
    try:
        db.execute("SET synchronous_commit = on")  # a server may be set to acknowledge what is not on disk
    except BaseException:
        db.close()
        raise
    return db


def _open(url: str) -> psycopg.Connection[Row]:
    db = _connect(url)
    try:
        if not _transaction(db, _schema):
            _transaction(db, _create)
    except BaseException:
        db.close()
        raise
    return db


def _create(run: Run) -> None:
    run("SELECT pg_advisory_xact_lock(?)", (CREATION,))
    if _schema(run):
        return  # another process was faster
    version = f"CREATE TABLE knowgrad_schema AS SELECT {SCHEMA} AS version"
    for statement in (*tables.CREATE, version):
        run(statement, ())


def _schema(run: Run) -> int:
    """The version of the tables, 0 if there are none; StorageError if they are newer than this code."""
    # Read as rows: to_regclass answers from a cache that may not have heard of another session's commit.
    there = "SELECT 1 FROM pg_tables WHERE tablename = 'knowgrad_schema' AND schemaname = current_schema()"
    if not run(there, ()):
        return 0
    ((version,),) = run("SELECT version FROM knowgrad_schema", ())
    if version > SCHEMA:
        raise StorageError(
            f"storage: expected tables of version {SCHEMA} or less, got {version}, written by a newer knowgrad; "
            "upgrade this one"
        )
    return int(version)


def _at_one_moment(run: Run) -> Run:
    """From here on a transaction sees nothing that others commit."""
    run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", ())
    return run


def _transaction(db: psycopg.Connection[Row], work: Callable[[Run], T]) -> T:
    def run(statement: str, values: Sequence[Any]) -> list[Row]:
        cursor = db.execute(statement.replace("?", "%s").encode(), values)
        return cursor.fetchall() if cursor.description else []

    with db.transaction():
        return work(run)


def _patiently(operation: Callable[[], T], reset: Callable[[], None]) -> T:
    """Do it, connecting again while the server is away; what it has to say otherwise, as an error of ours."""
    deadline, pause = time.monotonic() + PATIENCE, 0.05
    while True:
        try:
            return operation()
        except psycopg.errors.DiskFull as error:
            raise StorageFullError(
                f"storage: expected room on the server's disk, got {error}; make room and go on: "
                "what was written before is intact"
            ) from error
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            reset()
            if time.monotonic() > deadline or _is_refusal(str(error)):
                raise StorageUnreachableError(
                    f"storage: expected a database that answers within {PATIENCE:.0f} s, got {error}; "
                    "check the address and the server"
                ) from error
        except psycopg.Error as error:
            raise StorageError(f"storage: expected a database to write to, got {error}; check its rights") from error
        time.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, LONGEST)


def _is_refusal(answer: str) -> bool:
    """Did a server that is up say no, to a password or the name of a database, say? Asking again would not help."""
    passing = ("starting up", "shutting down", "recovery mode", "too many", "terminating", "not yet accepting")
    return "FATAL" in answer and not any(words in answer for words in passing)
