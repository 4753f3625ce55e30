"""Is a file of studies sound, and if not, what can be saved of it?

`examine` reads everything and reports; `rescue` writes every event that is whole into a new file. The damaged file is
never changed. A lost event may take others with it: a result is worth nothing without its point. What is saved keeps
its order and is numbered anew, so that the studies in the new file can be gone on with.
"""

import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from knowgrad.errors import ArgumentError, StorageError
from knowgrad.ledger import Ledger
from knowgrad.storage.carve import carve
from knowgrad.storage.sqlite import SQLite, studies
from knowgrad.trial import Event

Rows = dict[str, dict[int, Event]]  # by study and number


@dataclass(frozen=True)
class StudyHealth:
    """What is left of a study."""

    name: str
    events: int
    """How many are whole."""
    lost: tuple[int, ...] = ()
    """The numbers of those that are not, as far as the others tell."""
    dropped: tuple[int, ...] = ()
    """The numbers of those that are whole, but of no use without a lost one."""


@dataclass(frozen=True)
class Report:
    """What is wrong with a file."""

    path: str
    problems: tuple[str, ...]
    """In words; empty if all is well."""
    studies: tuple[StudyHealth, ...]

    @property
    def is_sound(self) -> bool:
        return not self.problems


def examine(path: str | Path) -> Report:
    """Check a file: its pages, the digest of every event, and that the events make sense. Nothing is changed."""
    where = _existing(path)
    problems, found = [], list[StudyHealth]()
    try:
        with closing(sqlite3.connect(f"{where.resolve().as_uri()}?mode=ro", uri=True)) as db:
            problems += [str(line) for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    except sqlite3.DatabaseError as error:
        problems.append(str(error))
    try:
        for study in studies(where):
            ledger = Ledger(SQLite(where, study.name).read())
            found.append(StudyHealth(study.name, ledger.length))
    except StorageError as error:
        problems.append(str(error))
    except (KeyError, IndexError, TypeError) as error:
        problems.append(f"the events of a study contradict each other ({type(error).__name__}: {error})")
    if problems:
        found = [_repaired(name, events)[0] for name, events in sorted(_carved(where).items())]
    return Report(str(where), tuple(problems), tuple(found))


def rescue(path: str | Path, to: str | Path) -> Report:
    """Write what is whole into a new file, and report what is not."""
    where, target = _existing(path), Path(to)
    if target.exists():
        raise ArgumentError(f"rescue: expected the path of a new file, got {str(to)!r}, which is there; pass another")
    report = examine(where)
    for name, events in sorted(_carved(where).items()):
        if kept := _repaired(name, events)[1]:
            SQLite(target, name).append(kept, expected=0)
    return report


def _existing(path: str | Path) -> Path:
    where = Path(path)
    if not where.is_file():
        raise StorageError(f"storage: expected a file, got {str(where)!r}, which is none; check the path")
    return where


def _carved(path: Path) -> Rows:
    """All whole events of a file, those not yet moved into it from the write-ahead log included."""
    with tempfile.TemporaryDirectory(prefix="knowgrad-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(path, copy)
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(copy)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        rows: Rows = {}
        for study, number, event in carve(copy.read_bytes()):
            rows.setdefault(study, {})[number] = event
        return rows


def _repaired(name: str, events: Mapping[int, Event]) -> tuple[StudyHealth, list[Event]]:
    """The events that make sense without the lost ones, trials numbered anew, and what became of the others."""
    lost = tuple(sorted(set(range(max(events) + 1)) - set(events)))
    kept, dropped, numbers = list[Event](), list[int](), dict[int, int]()
    whole = events.get(0) is not None
    for index in sorted(events):
        event = _renumbered(events[index], numbers) if whole else None
        if event is None:
            dropped.append(index)
        else:
            kept.append(event)
    return StudyHealth(name, len(events), lost, tuple(dropped)), kept


def _renumbered(event: Event, numbers: dict[int, int]) -> Event | None:
    """The event with the new numbers of its trials; None if it is about a trial whose beginning is lost."""
    data = dict(event.data)
    if "numbers" in data:
        data["numbers"] = [numbers[number] for number in data["numbers"] if number in numbers]
    if "number" in data:
        if "params" in data:
            numbers[data["number"]] = len(numbers)
        if data["number"] not in numbers:
            return None
        data["number"] = numbers[data["number"]]
    if data.get("retry_of") is not None:
        data["retry_of"] = numbers.get(data["retry_of"])
    return replace(event, data=data)
