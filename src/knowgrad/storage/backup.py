"""A copy of studies while they are in use: complete up to a moment, checked while it is read, and a storage like any.

Each study is read in one piece, so the copy has everything that was acknowledged before it was made. A copy of the file
by other means has not: while somebody writes, the latest results are in a log beside it.
"""

import os
from contextlib import suppress
from pathlib import Path

from knowgrad.errors import ArgumentError
from knowgrad.storage import StoredStudy, find_storage, open_storage, place_of, studies


def backup(storage: str | Path, to: str | Path, name: str | None = None) -> list[StoredStudy]:
    """Copy all studies, or the one of this name, to a new file or to a database that has none of them.

    Renewals of leases are not copied, so a log that an older version made long is short again. Returns what was copied.
    """
    wanted = [study for study in studies(storage) if name in (None, study.name)]
    if name is not None and not wanted:
        find_storage(storage, name)  # says which there are
    target = place_of(to)
    if isinstance(target, str):
        taken = {study.name for study in studies(target)}
        if again := sorted(taken & {study.name for study in wanted}):
            raise ArgumentError(
                f"to: expected a database without study {again[0]!r}, got one that has it; pass another"
            )
        _copy(storage, target, wanted)
    elif target.exists():
        raise ArgumentError(f"to: expected the path of a new file, got {str(to)!r}, which exists; pass another")
    else:
        _copy_to_file(storage, target, wanted)
    return wanted


def _copy(storage: str | Path, to: str | Path, wanted: list[StoredStudy]) -> None:
    for study in wanted:
        events = [event for event in find_storage(storage, study.name).read() if event.kind != "renewed"]
        open_storage(to, study.name).append(events, expected=0)


def _copy_to_file(storage: str | Path, target: Path, wanted: list[StoredStudy]) -> None:
    """Under another name until it is complete: what has the right name can be relied on."""
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    try:
        _copy(storage, part, wanted)
        os.replace(part, target)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
