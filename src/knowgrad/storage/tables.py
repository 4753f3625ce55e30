"""The tables of a database of studies, in SQL that SQLite and PostgreSQL both speak, and what guards their rows.

    knowgrad_studies   name, length, digest                           one row per study
    knowgrad_events    study, number, kind, data, digest, receipt     one row per event, numbered from 0
    knowgrad_leases    study, number, data, digest                    one row per trial whose lease was renewed

The digest of an event is of its own row. The digest of a study is a chain of those of all its events, in their order:
a row that changed, vanished or was exchanged is noticed, and so is a log that is another one than was read before.
`receipt` is random and the same for all rows of one append: a writer that lost its connection while committing finds
out by it whether the rows are there.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any

from knowgrad.errors import CorruptStorageError
from knowgrad.storage.base import StoredStudy
from knowgrad.trial import Event

SCHEMA = 2  # 1: no leases, no chain

_DECODE = json.JSONDecoder().raw_decode
_PLAIN = json.JSONEncoder(allow_nan=False)

Row = tuple[Any, ...]
Run = Callable[[str, Sequence[Any]], list[Row]]  # one statement with ? for its values; only SELECT has an answer

LEASES = """CREATE TABLE knowgrad_leases (
        study TEXT NOT NULL, number BIGINT NOT NULL, data TEXT NOT NULL, digest TEXT NOT NULL,
        PRIMARY KEY (study, number)
    )"""
CREATE = (
    """CREATE TABLE knowgrad_studies (name TEXT PRIMARY KEY, length BIGINT NOT NULL, digest TEXT NOT NULL)""",
    """CREATE TABLE knowgrad_events (
        study TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
        digest TEXT NOT NULL, receipt TEXT NOT NULL, PRIMARY KEY (study, number)
    )""",
    LEASES,
)


def upgrade(run: Run) -> None:
    """From version 1 to this one: a table for leases, and the digests of each study's events as a chain."""
    run(LEASES, ())
    for name, length, digest in run("SELECT name, length, digest FROM knowgrad_studies", ()):
        if digest != start(name):
            raise damaged(f"the name of a study reads {name!r}")
        rows = run("SELECT digest FROM knowgrad_events WHERE study = ? ORDER BY number", (name,))
        if len(rows) != length:
            raise damaged(f"study {name!r} has {len(rows)} events, and its own row says {length}")
        run("UPDATE knowgrad_studies SET digest = ? WHERE name = ?", (chained(digest, (row[0] for row in rows)), name))


def listing(run: Run) -> list[StoredStudy]:
    """All studies, by name."""
    rows = run(
        "SELECT s.name, s.length, e.number, e.kind, e.data, e.digest FROM knowgrad_studies s "
        "LEFT JOIN knowgrad_events e ON e.study = s.name AND e.number = 0 ORDER BY s.name",
        (),
    )
    found = []
    for name, length, *first in rows:
        if length:
            data = checked(name, 0, *first).data
            found.append(StoredStudy(name, data["uid"], length, data["time"]))
    return found


def checked(study: str, expected: int, number: object, kind: object, data: object, digest: object) -> Event:
    """The event of a row, or CorruptStorageError."""
    texts = isinstance(kind, str) and isinstance(data, str) and number == expected
    if texts and digest == event_digest(study, expected, str(kind), str(data)):
        return Event(str(kind), _DECODE(str(data))[0])  # what was written: nothing follows it
    raise damaged(f"event {expected} of study {study!r} is not what was written")


def _encoder() -> Callable[[Any], str]:
    """`JSONEncoder.encode` makes a function for every value that it is given, and that takes longer than the value."""
    make: Any = getattr(json.encoder, "c_make_encoder", None)  # not part of what Python promises
    try:
        parts = make(None, _PLAIN.default, json.encoder.encode_basestring_ascii, None, ": ", ", ", False, False, False)
    except TypeError:
        return _PLAIN.encode
    return lambda value: "".join(parts(value, 0))


encoded = _encoder()
"""What JSON makes of a value; a ValueError for NaN and the infinities."""


def event_digest(study: str, number: int, kind: str, data: str) -> str:
    """As `_digest`, in one step: this and the chain are what a look at a long log is made of."""
    return blake2b(f"{study}\n{number}\n{kind}\n{data}".encode(), digest_size=8).hexdigest()


def lease_digest(study: str, number: int, data: str) -> str:
    return _digest(study, str(number), "lease", data)


def start(study: str) -> str:
    """The chain of a study without events."""
    return _digest(study)


def chained(chain: str, digests: Iterable[str]) -> str:
    """The chain with the digests of the next events."""
    for digest in digests:
        chain = blake2b(f"{chain}\n{digest}".encode(), digest_size=8).hexdigest()
    return chain


def key(study: str) -> int:
    """Of a study, for locks that go by a number of 64 bits."""
    return int(_digest(study), 16) - 2**63


def damaged(what: str) -> CorruptStorageError:
    return CorruptStorageError(
        f"storage: expected what was written, got something else: {what}; "
        "run `knowgrad doctor` on it: it reports the damage and rescues every intact event"
    )


def _digest(*parts: str) -> str:
    """Unambiguous, because only the last part may contain a newline and all but names are known not to."""
    return blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
