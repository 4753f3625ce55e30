"""Where events are kept: in memory, in an SQLite file, in a PostgreSQL database.

May import: checked, errors, text, trial.
"""

from pathlib import Path
from types import ModuleType

from knowgrad.errors import ArgumentError, MissingPackageError, UnknownStudyError
from knowgrad.storage.address import is_meant_for_a_database, shown_address
from knowgrad.storage.base import Clock, Decide, Exclusive, OutOfDate, Page, Storage, StoredStudy
from knowgrad.storage.memory import Memory
from knowgrad.text import shown

__all__ = [
    "Clock",
    "Decide",
    "Exclusive",
    "Memory",
    "OutOfDate",
    "Page",
    "Storage",
    "StoredStudy",
    "find_storage",
    "is_durable",
    "open_storage",
    "place_of",
    "studies",
]


def open_storage(storage: object, name: str | None = None) -> Storage:
    """The storage meant by the `storage=` and `name=` of a study; files and tables are made where they are missing."""
    if storage is None:
        return Memory()
    if isinstance(storage, Storage):
        return storage
    where = place_of(storage)
    if name is None:
        raise ArgumentError(f"name: expected that of a study in {_said(storage)}, got None; pass its name")
    if isinstance(where, Path):
        from knowgrad.storage.sqlite import SQLite

        return SQLite(where, name)
    log: Storage = _postgres().Postgres(where, name)
    return log


def find_storage(storage: object, name: str | None = None) -> Storage:
    """The storage of a study that is there; its name may be left out where it is the only one."""
    if isinstance(storage, Storage):
        return storage
    names = [study.name for study in studies(storage)]
    if name is None and len(names) == 1:
        return open_storage(storage, names[0])
    if name is None or name not in names:
        wanted = "the name of a study" if name is None else f"study {name!r}"
        there = ", ".join(map(repr, names)) or "none"
        raise UnknownStudyError(f"storage: expected {wanted}, got {there} in {_said(storage)}; pass its name")
    return open_storage(storage, name)


def studies(storage: object) -> list[StoredStudy]:
    """The studies of a file or database, by name. Nothing is created."""
    where = place_of(storage)
    if isinstance(where, Path):
        from knowgrad.storage import sqlite

        return sqlite.studies(where)
    found: list[StoredStudy] = _postgres().studies(where)
    return found


def is_durable(storage: object) -> bool:
    """Does what is written there outlive this process?"""
    return storage is not None and not isinstance(storage, Memory)


def _said(storage: object) -> str:
    """Where it is, for people."""
    return shown(shown_address(storage) if isinstance(storage, str) else storage)


def _postgres() -> ModuleType:
    try:
        from knowgrad.storage import postgres
    except ImportError as error:
        raise MissingPackageError(
            f'storage: expected psycopg for a PostgreSQL database, got {error}; pip install "psycopg[binary]"'
        ) from error
    return postgres


def place_of(storage: object) -> Path | str:
    """A path for SQLite, or the address of a PostgreSQL database."""
    if isinstance(storage, Path):
        return storage
    if isinstance(storage, str) and storage:
        scheme, separator, rest = storage.partition("://")
        if not separator and not is_meant_for_a_database(storage):
            return Path(storage)
        if scheme in ("postgresql", "postgres"):
            return storage
        if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
            return Path(rest[1:])  # sqlite:///x.db is beside us, sqlite:////x.db at the root
    raise ArgumentError(
        "storage: expected None, a path, sqlite:///path, postgresql://user@host/database, or an object with append, "
        f"read and now, got {_said(storage)}; pass one of these"
    )
