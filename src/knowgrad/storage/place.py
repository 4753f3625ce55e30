"""Where a file of studies is: is it still the one that was opened, is its log beside it, is the disk a local one?"""

import os
import sys
import time
import warnings
from pathlib import Path

from knowgrad.errors import StorageMovedError, StorageWarning
from knowgrad.storage.mounts import network_type

LOGGED, VERSION = slice(18, 20), slice(60, 64)  # where the header says whether there is a log, and which tables
GRACE = 1.0  # seconds for whoever closes a file on a busy machine: the log goes first, then the mark for it
LOG = "-wal"  # what SQLite adds to the name of a file for that of its log
TICK = 100_000_000  # nanoseconds: more than one of the clock by which a file system goes
Identity = tuple[int, int] | None
Names = tuple[int, int, int] | None


def identity(path: str | Path) -> Identity:
    """Which file a path leads to; None if to none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def names_in(folder: str) -> Names:
    """Which folder it is, and when a name in it was last made, changed or taken away; None where that is not told."""
    if sys.platform != "linux":
        return None
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns


def is_settled(names: Names) -> bool:
    """Would another change have another time? One within the same tick of the clock would not."""
    return names is not None and time.time_ns() - names[2] > TICK


def log_of(path: Path) -> Path:
    return path.with_name(path.name + LOG)


def lost_log(path: Path) -> bool:
    """Does the header speak of a log that is not there? Whoever closes a file just now is given time to finish."""
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        try:
            with path.open("rb") as file:
                header = file.read(100)
        except OSError:
            return False
        marked = header[LOGGED] == b"\2\2" and int.from_bytes(header[VERSION]) > 1  # version 1 left the mark
        if not marked or log_of(path).exists():
            return False
        time.sleep(0.02)
    return True


def missing_log(path: Path) -> str:
    """What to say of a file whose log is not there."""
    return (
        f"storage {str(path)!r}: expected its log {log_of(path).name!r} beside it, got none: it was copied while in "
        "use, or its log was lost, and its latest results may be missing (not so if another program than knowgrad "
        "closed it last, or its last user was killed while closing it); make copies with `knowgrad backup`"
    )


def warn(path: Path, lost: bool) -> None:
    if lost:
        warnings.warn(missing_log(path), StorageWarning, stacklevel=2)
    if kind := network_type(path):
        warnings.warn(
            f"storage {str(path)!r}: expected a local disk, got one of type {kind}, where SQLite's locks may not work; "
            "between machines use postgresql://…",
            StorageWarning,
            stacklevel=2,
        )


def moved(path: Path, now: Identity) -> StorageMovedError:
    there = "no file" if now is None else "another file"
    return StorageMovedError(
        f"storage {str(path)!r}: expected the file that was opened, got {there} there: it was deleted, moved or "
        "replaced while in use; nothing was written: put it back, or open the study where it is now"
    )
