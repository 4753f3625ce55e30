"""A log as rows of two tables, in SQL that SQLite and PostgreSQL both speak.

    knowgrad_studies   name, length, digest                           one row per study
    knowgrad_events    study, number, kind, data, digest, receipt     one row per event, numbered from 0

Every row carries a digest of its content, and a study's row the number of its events, so that a row that changed or
vanished is noticed. `receipt` is random and the same for all rows of one append: a writer that lost its connection
while committing finds out by it whether the rows are there. All functions run inside a transaction of the caller's.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from knowgrad.errors import CorruptStorageError
from knowgrad.storage.base import OutOfDate, StoredStudy
from knowgrad.trial import Event

SCHEMA = 1

Row = tuple[Any, ...]
Run = Callable[[str, Sequence[Any]], list[Row]]  # one statement with ? for its values

CREATE = (
    """CREATE TABLE knowgrad_studies (name TEXT PRIMARY KEY, length BIGINT NOT NULL, digest TEXT NOT NULL)""",
    """CREATE TABLE knowgrad_events (
        study TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
        digest TEXT NOT NULL, receipt TEXT NOT NULL, PRIMARY KEY (study, number)
    )""",
)


def write(run: Run, study: str, events: Sequence[Event], expected: int | None, receipt: str, lock: str = "") -> int:
    """Append, and return the number of the first new event. `lock` ends the SELECT that keeps other writers out."""
    if not _rows(run, study, lock):
        row = "INSERT INTO knowgrad_studies (name, length, digest) VALUES (?, 0, ?) ON CONFLICT (name) DO NOTHING"
        run(row, (study, _digest(study)))
    length = _length(run, study, _rows(run, study, lock))
    if expected is not None and expected != length:
        raise OutOfDate
    for number, event in enumerate(events, length):
        data = json.dumps(event.data, allow_nan=False)
        digest = _digest(study, str(number), event.kind, data)
        run(
            "INSERT INTO knowgrad_events (study, number, kind, data, digest, receipt) VALUES (?, ?, ?, ?, ?, ?)",
            (study, number, event.kind, data, digest, receipt),
        )
    run("UPDATE knowgrad_studies SET length = ? WHERE name = ?", (length + len(events), study))
    return length


def has_written(run: Run, study: str, number: int, receipt: str, lock: str = "") -> bool:
    """Did the append with this receipt, which was to begin at `number`, happen?"""
    _rows(run, study, lock)  # whoever is still writing has the lock
    rows = run("SELECT receipt FROM knowgrad_events WHERE study = ? AND number = ?", (study, number))
    return rows == [(receipt,)]


def read(run: Run, study: str, after: int) -> list[Event]:
    length = _length(run, study, _rows(run, study))
    if length <= after:
        return []
    rows = run(
        "SELECT number, kind, data, digest FROM knowgrad_events WHERE study = ? AND number >= ? ORDER BY number",
        (study, after),
    )
    if len(rows) != length - after:
        raise damaged(f"study {study!r} has {len(rows)} of its {length - after} events after the first {after}")
    return [checked(study, number, *row) for number, row in enumerate(rows, after)]


def listing(run: Run) -> list[StoredStudy]:
    """All studies, by name."""
    rows = run(
        "SELECT s.name, s.digest, s.length, e.number, e.kind, e.data, e.digest FROM knowgrad_studies s "
        "LEFT JOIN knowgrad_events e ON e.study = s.name AND e.number = 0 ORDER BY s.name",
        (),
    )
    found = []
    for name, digest, length, *first in rows:
        if not isinstance(name, str) or digest != _digest(name):
            raise damaged(f"the name of a study reads {name!r}")
        if length:
            data = checked(name, 0, *first).data
            found.append(StoredStudy(name, data["uid"], length, data["time"]))
    return found


def checked(study: str, expected: int, number: object, kind: object, data: object, digest: object) -> Event:
    """The event of a row, or CorruptStorageError."""
    texts = isinstance(kind, str) and isinstance(data, str) and number == expected
    if texts and digest == _digest(study, str(number), str(kind), str(data)):
        return Event(str(kind), json.loads(str(data)))
    raise damaged(f"event {expected} of study {study!r} is not what was written")


def damaged(what: str) -> CorruptStorageError:
    return CorruptStorageError(
        f"storage: expected what was written, got something else: {what}; "
        "run `knowgrad doctor` on the file: it reports the damage and rescues every event that is whole"
    )


def _rows(run: Run, study: str, lock: str = "") -> list[Row]:
    """The row of a study, if there is one."""
    return run(f"SELECT length, digest FROM knowgrad_studies WHERE name = ?{lock}", (study,))


def _length(run: Run, study: str, rows: list[Row]) -> int:
    """The number of events, as the study's row says and its last event confirms."""
    ((last,),) = run("SELECT max(number) FROM knowgrad_events WHERE study = ?", (study,))
    length = 0 if last is None else last + 1
    if rows != ([(length, _digest(study))] if rows or length else []):
        raise damaged(f"study {study!r} has {length} events, and its own row says something else")
    return length


def _digest(*parts: str) -> str:
    """Unambiguous, because only the last part may contain a newline and all but names are known not to."""
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
