"""Is a file or database of studies sound, and if not, what can be saved of it?

`examine` reads everything and reports; `rescue` writes every event that is whole into a new file. What is examined is
never changed. A lost event may take others with it: a result is worth nothing without its point. What is saved keeps
its order and is numbered anew, so that the studies in the new file can be continued.
"""

import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from knowgrad.errors import ArgumentError, StorageError, StorageWarning
from knowgrad.log.ledger import Ledger
from knowgrad.storage import Storage, open_storage, place_of, studies
from knowgrad.storage.address import shown_address
from knowgrad.storage.carve import carve
from knowgrad.storage.file import open_to_read
from knowgrad.storage.place import lost_log, missing_log
from knowgrad.storage.sqlite import SQLite
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
    """What is wrong with a file or database."""

    path: str
    problems: tuple[str, ...]
    """What is damaged, in words."""
    studies: tuple[StudyHealth, ...]
    missing: str | None = None
    """What may be missing although all that is there is whole."""

    @property
    def is_sound(self) -> bool:
        return not self.problems and self.missing is None


def examine(storage: str | Path) -> Report:
    """Check the pages of a file, the digest of every event, and that the events make sense. Nothing is changed."""
    where = _existing(storage)
    missing = missing_log(where) if isinstance(where, Path) and lost_log(where) else None
    with warnings.catch_warnings(action="ignore", category=StorageWarning):  # what it would say is in the report
        problems = _broken_pages(where) if isinstance(where, Path) else []
        found = list[StudyHealth]()
        try:
            for study in studies(where):
                ledger = Ledger(_opened(where, study.name).read())
                found.append(StudyHealth(study.name, ledger.length))
        except StorageError as error:
            problems.append(str(error))
        except (KeyError, IndexError, TypeError) as error:
            problems.append(f"the events of a study contradict each other ({type(error).__name__}: {error})")
    if problems:
        found = [_repaired(name, events)[0] for name, events in sorted(_whole(where).items())]
    return Report(_said(where), tuple(problems), tuple(found), missing)


def rescue(storage: str | Path, to: str | Path) -> Report:
    """Write what is whole into a new file, and report what is not."""
    where, target = _existing(storage), Path(to)
    if target.exists():
        raise ArgumentError(f"rescue: expected the path of a new file, got {str(to)!r}, which exists; pass another")
    report = examine(storage)
    for name, events in sorted(_whole(where).items()):
        if kept := _repaired(name, events)[1]:
            SQLite(target, name).append(kept, expected=0)
    return report


def _existing(storage: str | Path) -> Path | str:
    where = place_of(storage)
    if isinstance(where, Path) and not where.is_file():
        raise StorageError(f"storage: expected a file, got {str(where)!r}, which is none; check the path")
    return where


def _said(where: Path | str) -> str:
    return str(where) if isinstance(where, Path) else shown_address(where)


def _opened(where: Path | str, name: str) -> Storage:
    return SQLite(where, name, open=open_to_read) if isinstance(where, Path) else open_storage(where, name)


def _broken_pages(path: Path) -> list[str]:
    try:
        with closing(open_to_read(path, oldest=0)) as db:
            return [str(line) for (line,) in db.execute("PRAGMA integrity_check") if line != "ok"]
    except (sqlite3.DatabaseError, StorageError, UnicodeDecodeError) as error:
        return [str(error)]


def _whole(where: Path | str) -> Rows:
    """All events that are whole."""
    if isinstance(where, Path):
        return _sorted(_carved(where))
    from knowgrad.storage.postgres import whole_events

    return _sorted(whole_events(where))


def _sorted(found: Iterable[tuple[str, int, Event]]) -> Rows:
    rows: Rows = {}
    for study, number, event in found:
        rows.setdefault(study, {})[number] = event
    return rows


def _carved(path: Path) -> list[tuple[str, int, Event]]:
    """From the bytes of a file, those not yet moved into it from the write-ahead log included."""
    with tempfile.TemporaryDirectory(prefix="knowgrad-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(path, copy)
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError), closing(sqlite3.connect(copy)) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return list(carve(copy.read_bytes()))


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
