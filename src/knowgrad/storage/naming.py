"""Studies given another name, and studies deleted: the two changes of a storage that are no events.

The name of a study is part of the digest of each of its rows. So to rename is to write all rows anew, in one
transaction, after all were checked. Whoever has the study open under its old name is refused from then on; its uid, and
the ids of its trials, stay.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar, runtime_checkable

from knowgrad.checked import line
from knowgrad.errors import ArgumentError, UnknownStudyError
from knowgrad.storage import find_storage, tables
from knowgrad.storage.base import Page
from knowgrad.storage.rows import Rows, renew, write
from knowgrad.storage.tables import Run
from knowgrad.text import shown
from knowgrad.trial import Event

T = TypeVar("T")


@runtime_checkable
class Alterable(Protocol):
    """A storage of rows, in a file or a database."""

    def alter(self, work: Callable[[Run], T], also: str | None = None) -> T:
        """Do it in one transaction, in which nobody else writes to the study, nor to the one named `also`."""
        ...


def rename_study(storage: object, name: str, to: str) -> None:
    """Give a study of a file or database another name, which no study there may have."""
    new, uid = line(to, "name"), ""

    def work(run: Run) -> None:
        nonlocal uid
        events = Rows(name).read(run, 0)
        if uid and not events and _uid(Rows(new).read(run, 0)) == uid:
            return  # done by the attempt before, whose answer was lost
        uid = _existing(events, name)
        if name == new:
            return
        if run("SELECT name FROM knowgrad_studies WHERE name = ?", (new,)):
            raise ArgumentError(f"name: expected one that no study of the storage has, got {shown(new)}; pass another")
        first = replace(events[0], data={**events[0].data, "name": new})
        write(run, new, 0, tables.start(new), [first, *events[1:]], secrets.token_hex(8))
        for number, lease, deadline in events.leases:
            renew(run, new, Event("renewed", {"numbers": [number], "lease": lease, "deadline": deadline}))
        _wipe(run, name)

    _alterable(storage, name).alter(work, also=new)


def delete_study(storage: object, name: str) -> None:
    """Take a study and all its trials out of a file or database, for good."""

    def work(run: Run) -> None:
        _wipe(run, name)

    _alterable(storage, name).alter(work)


def _alterable(storage: object, name: str) -> Alterable:
    found = find_storage(storage, name)
    if isinstance(found, Alterable):
        return found
    raise ArgumentError(f"storage: expected a file or a database, got {shown(storage)}; only these hold named studies")


def _existing(events: Page, name: str) -> str:
    if not events:
        raise UnknownStudyError(f"storage: expected study {shown(name)}, got none of that name; pass its name")
    return _uid(events)


def _uid(events: Page) -> str:
    created: Mapping[str, str] = events[0].data if events else {}
    return str(created.get("uid", ""))


def _wipe(run: Run, name: str) -> None:
    for table, column in (("knowgrad_leases", "study"), ("knowgrad_events", "study"), ("knowgrad_studies", "name")):
        run(f"DELETE FROM {table} WHERE {column} = ?", (name,))
