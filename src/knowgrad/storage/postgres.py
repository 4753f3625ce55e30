"""A log in a PostgreSQL database, which may hold many studies.

Writers to a study come one after the other, each with a lock that it takes at the first of its two messages to the
server and gives back at the second. The server takes it from those that stop in between. A connection that breaks is
made again, with growing pauses. If it broke while committing, the receipt on the rows says whether the events were
written.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from knowgrad.errors import CorruptStorageError, StorageError
from knowgrad.storage import tables
from knowgrad.storage.base import Decide, Page, StoredStudy
from knowgrad.storage.connection import Connection, prepared
from knowgrad.storage.outages import has_answered, patiently
from knowgrad.storage.rows import Rows
from knowgrad.storage.tables import SCHEMA, Row, Run
from knowgrad.trial import Event

SESSION = {
    "synchronous_commit": "on",  # a server may be set to acknowledge what is not on disk
    "default_transaction_isolation": "read committed",  # whoever has the lock is to see what was written before
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "10s",  # after which a client that has the lock and says nothing loses it
    "lock_timeout": "30s",  # to wait for the lock at a time
}
CREATION = 0x6B677264  # the lock under which tables are made
CLOCK = "SELECT extract(epoch FROM clock_timestamp())"
MOST = 500  # statements to a message
AGE = 2.0  # seconds for which the server's clock is known by our own
KEEP_ALIVE: dict[str, Any] = {"keepalives_idle": 10, "keepalives_interval": 5, "tcp_user_timeout": 30_000}
"""A server that is cut off never says so: probe after 10 s of silence, and give up after 30."""


T = TypeVar("T")


class Postgres:
    """The log of one study in a database; the tables are made if there are none."""

    def __init__(self, url: str, study: str) -> None:
        self._url, self._rows, self._lock = url, Rows(study), tables.key(study)
        self._connection = Connection(lambda: _open(url), _is_idle, may_be_left=True)
        self._ahead = 0.0, -AGE  # of our clock, by the server's; and since when that is known

    def append(self, events: Sequence[Event], expected: int | None = None) -> int:
        attempt = self._rows.appending(events, expected)
        return self._do(lambda db: _exclusively(db, self._lock, attempt))

    def amend(self, after: int, decide: Decide) -> None:
        attempt = self._rows.amending(after, decide)

        def locked(run: _Transaction) -> None:
            attempt(run, run.now, None)
            self._see(run.now())

        self._do(lambda db: _exclusively(db, self._lock, locked))

    def alter(self, work: Callable[[Run], T], also: str | None = None) -> T:
        def locked(run: _Transaction) -> T:
            if also is not None:
                run("SELECT pg_advisory_xact_lock(?)", (tables.key(also),))
            return work(run)

        return self._do(lambda db: _exclusively(db, self._lock, locked))

    def read(self, after: int = 0) -> Page:
        return self._do(lambda db: self._rows.read(_runner(db), after))

    def now(self) -> float:
        """By our own clock, if the server said a moment ago what that is off by."""
        ahead, known = self._ahead
        ours = time.monotonic()
        return ours + ahead if ours - known < AGE else self._see(self._do(lambda db: _now(_runner(db))))

    def _see(self, now: float) -> float:
        ours = time.monotonic()
        self._ahead = now - ours, ours
        return now

    def _do(self, work: Callable[[psycopg.Connection[Row]], T]) -> T:
        return patiently(self._url, lambda: self._connection.run(work), self._connection.close)


def studies(url: str) -> list[StoredStudy]:
    """What a database holds. Nothing is changed."""

    def attempt() -> list[StoredStudy]:
        db = _connect(url)
        try:
            run = _runner(db)
            return tables.listing(run) if _schema(run) else []
        finally:
            db.close()

    return patiently(url, attempt, lambda: None)


def whole_events(url: str) -> list[tuple[str, int, Event]]:
    """Study, number and event of every row of a database that is what was written."""

    def attempt() -> list[tuple[str, int, Event]]:
        db, found = _connect(url), []
        try:
            for study, *row in _runner(db)("SELECT study, number, kind, data, digest FROM knowgrad_events", ()):
                with suppress(CorruptStorageError):
                    found.append((study, row[0], tables.checked(study, row[0], *row)))
            return found
        finally:
            db.close()

    return patiently(url, attempt, lambda: None)


def _connect(url: str) -> psycopg.Connection[Row]:
    db = psycopg.connect(url, client_encoding="utf8", connect_timeout=10, autocommit=True, **KEEP_ALIVE)
    has_answered(url)
    return prepared(db, _configure)


def _configure(db: psycopg.Connection[Row]) -> None:
    calls = ", ".join("set_config(%s, %s, false)" for _ in SESSION)
    db.execute(f"SELECT {calls}".encode(), [text for setting in SESSION.items() for text in setting])


def _is_idle(db: psycopg.Connection[Row]) -> bool:
    return db.info.transaction_status == TransactionStatus.IDLE


def _open(url: str) -> psycopg.Connection[Row]:
    return prepared(_connect(url), _with_tables)


def _with_tables(db: psycopg.Connection[Row]) -> None:
    if _schema(_runner(db)) < SCHEMA:
        _exclusively(db, CREATION, _bring_up_to_date)


def _bring_up_to_date(run: Run) -> None:
    version = _schema(run)
    if version == SCHEMA:
        return  # another process was faster
    if version:
        run("LOCK TABLE knowgrad_studies IN EXCLUSIVE MODE", ())
        tables.upgrade(run)
        run("UPDATE knowgrad_schema SET version = ?", (SCHEMA,))
    else:
        for statement in (*tables.CREATE, f"CREATE TABLE knowgrad_schema AS SELECT {SCHEMA} AS version"):
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


def _now(run: Run) -> float:
    return float(run(CLOCK, ())[0][0])


def _runner(db: psycopg.Connection[Row]) -> Run:
    """Every statement in a transaction of its own."""
    return lambda statement, values: db.execute(_with_marks(statement), values).fetchall()


@cache
def _with_marks(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


class _Transaction:
    """Statements that have no answer travel with the next that has, or with the end.

    The first message also takes the lock, and brings the server's time.
    """

    def __init__(self, db: psycopg.Connection[Row], lock: int) -> None:
        self._cursor = psycopg.ClientCursor(db)
        self._waiting = ["BEGIN", f"SELECT pg_advisory_xact_lock({lock:d})", CLOCK]
        self._begun: float | None = None  # the server's time less ours

    def now(self) -> float:
        """What the server's clock says."""
        if self._begun is None:
            self._send()
        assert self._begun is not None
        return self._begun + time.monotonic()

    def __call__(self, statement: str, values: Sequence[Any]) -> list[Row]:
        self._waiting.append(self._cursor.mogrify(_with_marks(statement), values))
        if statement.startswith("SELECT"):
            self._send()
            return self._cursor.fetchall()
        if len(self._waiting) == MOST:
            self._send()
        return []

    def commit(self) -> None:
        self._waiting.append("COMMIT")
        self._send()

    def _send(self) -> None:
        """All that waits, as one message; the cursor is left at the last answer."""
        message, self._waiting = ";".join(self._waiting), []
        self._cursor.execute(message.encode())
        if self._begun is None:
            self._cursor.nextset()
            self._cursor.nextset()
            ((now,),) = self._cursor.fetchall()
            self._begun = float(now) - time.monotonic()
        while self._cursor.nextset():
            pass


def _exclusively(db: psycopg.Connection[Row], lock: int, work: Callable[[_Transaction], T]) -> T:
    """Do it in one transaction, in which nobody else has this lock."""
    transaction = _Transaction(db, lock)
    try:
        result = work(transaction)
        transaction.commit()
        return result
    except BaseException:
        if db.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            db.rollback()
        elif db.info.transaction_status != TransactionStatus.IDLE:
            db.close()  # broken, or interrupted in the middle of a message
        raise
