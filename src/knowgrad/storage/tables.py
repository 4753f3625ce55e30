"""A log as rows of two tables, in SQL that SQLite and PostgreSQL both speak.

    knowgrad_studies   name, length, digest                           one row per study
    knowgrad_events    study, number, kind, data, digest, receipt     one row per event, numbered from 0

Every row carries a digest of its content, and a study's row the number of its events, so that a row that changed or
vanished is noticed. `receipt` is random and the same for all rows of one append: a writer that lost its connection
while committing finds out by it whether the rows are there. All that write run inside a transaction of the caller's, in
which nobody else writes to the study.
"""

import json
import secrets
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from knowgrad.errors import CorruptStorageError
from knowgrad.storage.base import Clock, Decide, OutOfDate, StoredStudy
from knowgrad.trial import Event

SCHEMA = 1

Row = tuple[Any, ...]
Run = Callable[[str, Sequence[Any]], list[Row]]  # one statement with ? for its values; only SELECT has an answer

CREATE = (
    """CREATE TABLE knowgrad_studies (name TEXT PRIMARY KEY, length BIGINT NOT NULL, digest TEXT NOT NULL)""",
    """CREATE TABLE knowgrad_events (
        study TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
        digest TEXT NOT NULL, receipt TEXT NOT NULL, PRIMARY KEY (study, number)
    )""",
)


class Once:
    """An append that happens once, however often it is attempted."""

    def __init__(self, study: str) -> None:
        self._study = study
        self._receipt = secrets.token_hex(8)
        self._first: int | None = None

    def has_happened(self, run: Run) -> bool:
        """Did a former attempt, whose connection broke while it was committing, succeed?"""
        if self._first is None:
            return False
        rows = run("SELECT receipt FROM knowgrad_events WHERE study = ? AND number = ?", (self._study, self._first))
        return rows == [(self._receipt,)]

    def write(self, run: Run, length: int, events: Sequence[Event]) -> None:
        """Append to a log of this length."""
        self._first = length
        write(run, self._study, length, events, self._receipt)


def appending(study: str, events: Sequence[Event], expected: int | None) -> Callable[[Run], int]:
    """`Storage.append`, as an attempt that may be repeated."""
    once, end = Once(study), 0

    def attempt(run: Run) -> int:
        nonlocal end
        if not once.has_happened(run):
            length = _length(run, study)
            if expected is not None and expected != length:
                raise OutOfDate
            once.write(run, length, events)
            end = length + len(events)
        return end

    return attempt


def amending(study: str, after: int, decide: Decide) -> Callable[[Run, Clock], None]:
    """`Exclusive.amend`, as an attempt that may be repeated."""
    once = Once(study)

    def attempt(run: Run, now: Clock) -> None:
        nonlocal after
        if not once.has_happened(run):
            news = read(run, study, after)
            after += len(news)
            if events := decide(news, now):
                once.write(run, after, events)

    return attempt


def write(run: Run, study: str, length: int, events: Sequence[Event], receipt: str) -> None:
    """Append to a log of this length."""
    if not length:
        row = "INSERT INTO knowgrad_studies (name, length, digest) VALUES (?, 0, ?) ON CONFLICT (name) DO NOTHING"
        run(row, (study, _digest(study)))
    for number, event in enumerate(events, length):
        data = json.dumps(event.data, allow_nan=False)
        digest = _digest(study, str(number), event.kind, data)
        run(
            "INSERT INTO knowgrad_events (study, number, kind, data, digest, receipt) VALUES (?, ?, ?, ?, ?, ?)",
            (study, number, event.kind, data, digest, receipt),
        )
    run("UPDATE knowgrad_studies SET length = ? WHERE name = ?", (length + len(events), study))


def read(run: Run, study: str, after: int) -> list[Event]:
    """The events after the first `after`: one statement, so that none is written between the rows it reads."""
    rows = run(
        "SELECT -1 AS number, CAST(length AS TEXT) AS kind, '' AS data, digest FROM knowgrad_studies WHERE name = ? "
        "UNION ALL SELECT number, kind, data, digest FROM knowgrad_events WHERE study = ? AND number >= ? "
        "ORDER BY number",
        (study, study, after),
    )
    head = [(length, digest) for number, length, _, digest in rows[:1] if number == -1]
    rows = rows[len(head) :]
    _check_head(study, head, after + len(rows))
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


def key(study: str) -> int:
    """Of a study, for locks that go by a number of 64 bits."""
    return int(_digest(study), 16) - 2**63


def damaged(what: str) -> CorruptStorageError:
    return CorruptStorageError(
        f"storage: expected what was written, got something else: {what}; "
        "run `knowgrad doctor` on the file: it reports the damage and rescues every event that is whole"
    )


def _length(run: Run, study: str) -> int:
    """The number of events, as the last event says and the study's row confirms."""
    head = run("SELECT CAST(length AS TEXT), digest FROM knowgrad_studies WHERE name = ?", (study,))
    ((last,),) = run("SELECT max(number) FROM knowgrad_events WHERE study = ?", (study,))
    length = 0 if last is None else int(last) + 1
    _check_head(study, head, length)
    return length


def _check_head(study: str, head: list[Row], length: int) -> None:
    """Does the study's row, of which a study without events may have none, say that there are so many?"""
    if head != ([(str(length), _digest(study))] if head or length else []):
        raise damaged(f"study {study!r} has {length} events, and its own row says something else")


def _digest(*parts: str) -> str:
    """Unambiguous, because only the last part may contain a newline and all but names are known not to."""
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
