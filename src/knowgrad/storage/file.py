"""An SQLite file of studies, opened: found, created, brought up to date, tidied up when it is closed.

While anybody writes, SQLite keeps a write-ahead log beside the file, and the file alone is incomplete. The last to
close it moves everything into the file and takes the mark for such a log out of its header. So a file that has the mark
but no log beside it was copied while in use, or has lost its log, and whoever opens it is warned.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from knowgrad.errors import StorageError
from knowgrad.storage import tables
from knowgrad.storage.carve import PAGE
from knowgrad.storage.connection import prepared
from knowgrad.storage.place import LOG, Identity, Names, identity, is_settled, log_of, lost_log, moved, names_in, warn
from knowgrad.storage.room import is_full
from knowgrad.storage.rows import Version
from knowgrad.storage.tables import SCHEMA, Row, Run

BUSY = 1.0  # seconds SQLite itself waits for a lock: meanwhile no interrupt is heard
APPLICATION = 0x6B677264  # "kgrd", in the header of the file
READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)

T = TypeVar("T")

_SERIALS = count()  # of connections


class File(sqlite3.Connection):
    """A connection that knows which file it has opened."""

    path: Path
    place = ""
    """The path as text: it is looked up at every commit."""
    folder: Path | None = None
    """Where a copy lies that was made because the file itself cannot be opened where it is."""
    lost_log = False
    serial = 0
    opened: Identity = None
    log: Identity = None
    around = ""
    """The folder it lies in."""
    names: Names = None

    def run(self, statement: str, values: Sequence[Any]) -> list[Row]:
        return self.execute(statement, values).fetchall()

    def version(self) -> Version:
        """Another one as soon as anybody else has written to the file."""
        return self.serial, self.execute("PRAGMA data_version").fetchone()[0]

    def check(self, *, writing: bool) -> None:
        """Is the path still that of the open file, and of its log? To be asked within a transaction.

        What was read from a file that is gone may still be looked at; from one that was replaced, it is of no use. Both
        are where they were while no name in their folder has changed. That alone is asked: Linux makes every write
        dearer to a file whose times are asked for in between.
        """
        if writing and (names := names_in(self.around)) is not None and names == self.names:
            return
        now = identity(self.place)
        if now != self.opened and (writing or now is not None):
            raise moved(self.path, now)
        if writing:
            log = identity(self.place + LOG)
            self.log = self.log or log
            if log != self.log:
                raise moved(log_of(self.path), log)
            self.names = names if is_settled(names) else None

    def close(self) -> None:
        """Leave a file that is complete in itself, if nobody else has it open."""
        with suppress(sqlite3.Error):
            if self.in_transaction:
                self.execute("ROLLBACK")
            if self.folder is None and (self.total_changes or not self.lost_log):
                self.execute("PRAGMA busy_timeout=0")
                self.execute("PRAGMA journal_mode=DELETE")
        super().close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def open_file(path: Path) -> File:
    """The file, made if there is none and brought up to date if it is of an older version; to read, if no more."""
    lost = lost_log(path)
    try:
        db = prepared(connect(path, "rwc"), _prepare)
        db.lost_log = lost
        return prepared(db, lambda db: warn(path, lost))
    except sqlite3.Error as error:
        if code(error) not in READ_ONLY or not path.is_file() or is_full(path):
            raise
        return open_to_read(path)


def open_to_read(path: Path, oldest: int = SCHEMA) -> File:
    """A file that is there, unchanged; where SQLite cannot read it in its place, or it is older, a copy of it.

    To look at a file that has lost its log makes an empty one beside it, and nobody would know any more: so a copy.
    """
    lost = lost_log(path)
    warn(path, lost)
    return (None if lost else _in_place(path, oldest)) or _copied(path)


def connect(path: Path, mode: str) -> File:
    """A connection and nothing more."""
    # Transactions are ours alone (isolation_level=None); which thread is at work is seen to by Connection.
    db: File = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=BUSY,
        isolation_level=None,
        check_same_thread=False,
        factory=File,
    )
    db.path, db.place, db.opened, db.serial = path, str(path), identity(path), next(_SERIALS)
    db.around = "" if path.is_symlink() else str(path.parent)  # the log of a link lies elsewhere
    return prepared(db, _configure)


def keep_log(db: File) -> None:
    """Before something is written: a write-ahead log, with a sync at every commit. It stays while anybody has it."""
    if db.log is None and db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        db.execute("PRAGMA journal_mode=WAL")


def transaction(db: File, begin: str, work: Callable[[Run], T], *, to_file: bool = False) -> T:
    """`work` in one transaction, which an exception takes back, an interrupt right after its beginning included.

    `to_file`: what is written is to be in the file that the path leads to.
    """
    try:
        db.execute(begin)
        result = work(db.run)
        if to_file:
            db.check(writing=True)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    return result


def schema(db: File) -> int:
    """The version of the tables, 0 in an empty file; StorageError for files that are none of ours to touch."""
    return transaction(db, "BEGIN", lambda run: _schema(db))


def code(error: sqlite3.Error) -> int:
    """SQLite's own code for it, without the details; 0 if the error is Python's."""
    found: int = getattr(error, "sqlite_errorcode", 0)
    return found & 0xFF


def _configure(db: File) -> None:
    for setting in (f"page_size={PAGE}", "synchronous=FULL", "cell_size_check=ON"):
        db.execute(f"PRAGMA {setting}")


def _prepare(db: File) -> None:
    if schema(db) < SCHEMA:
        transaction(db, "BEGIN IMMEDIATE", lambda run: _bring_up_to_date(db, run))
        db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()  # the version is to be seen in the file itself


def _bring_up_to_date(db: File, run: Run) -> None:
    version = _schema(db)
    if version == SCHEMA:
        return  # another process was faster
    if version:
        tables.upgrade(run)
    else:
        for statement in (*tables.CREATE, f"PRAGMA application_id={APPLICATION}"):
            run(statement, ())
    run(f"PRAGMA user_version={SCHEMA}", ())


def _schema(db: File) -> int:
    """To be asked within a transaction: it reads three times, and another process may be creating the tables."""
    ((application,),) = db.execute("PRAGMA application_id")
    ((version,),) = db.execute("PRAGMA user_version")
    if (application, version) == (0, 0) and not db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        return 0
    if application != APPLICATION:
        raise StorageError(
            f"storage: expected a file of studies, got {str(db.path)!r}, an SQLite file of something else; "
            "pass another path"
        )
    if version > SCHEMA:
        raise StorageError(
            f"storage: expected tables of version {SCHEMA} or less, got {version} in {str(db.path)!r}, written by a "
            "newer knowgrad; upgrade this one"
        )
    return int(version)


def _in_place(path: Path, oldest: int) -> File | None:
    """A connection that only reads, if SQLite can open the file where it is and its tables are not too old."""
    try:
        db = prepared(connect(path, "ro"), schema)
        if schema(db) >= oldest:
            return db
        db.close()
    except sqlite3.Error as error:
        if code(error) not in READ_ONLY:
            raise
    return None


def _copied(path: Path) -> File:
    """A copy with its log, brought up to date, that nobody can write to."""
    folder = Path(tempfile.mkdtemp(prefix="knowgrad-"))
    try:
        copy = folder / "copy.db"
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
        db = connect(copy, "rw")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    db.folder = folder
    prepared(db, _prepare).execute("PRAGMA query_only=ON")
    return db
