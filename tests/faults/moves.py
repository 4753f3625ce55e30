"""A file that is moved, deleted, replaced, copied or robbed of its log while somebody writes to it."""

from __future__ import annotations

import random
import shutil
import time
import warnings
from collections import Counter
from pathlib import Path

import knowgrad as kg
from knowgrad.errors import StorageError, StorageMovedError, StorageWarning
from knowgrad.log.doctor import examine
from knowgrad.storage.backup import backup
from tests.faults.people import opened, start, write_down
from tests.faults.scenario import Place, scenario

HARMS = ("moved", "deleted", "replaced", "copied", "backed up", "log deleted")


@scenario("31", "the file is moved, deleted, replaced, copied, or loses its log", quick=6, full=60, on=("sqlite",))
def moves(place: Place, n: int) -> str:
    rng, noticed = random.Random(0), Counter[str]()
    for i in range(n):
        harm = HARMS[i % len(HARMS)]
        folder = place.folder / str(i)
        folder.mkdir()
        noticed[_suffer(harm, folder, rng.uniform(0.0, 0.1))] += 1
    seen = ", ".join(f"{count} {what}" for what, count in sorted(noticed.items()))
    return f"{n} files, 0 silent losses: {seen}"


def writer(path: str, receipts: Path) -> None:
    """Add results and write down when each call began, until the file is no longer where it was."""
    study = opened(path, seed=0)
    try:
        while True:
            begun = time.time()
            trial = study.add({"x": 0.5}, 1.0)
            write_down(receipts, f"{trial.number} {begun!r}")
    except StorageMovedError:
        write_down(receipts, "moved")


def _suffer(harm: str, folder: Path, delay: float) -> str:
    """Do it to a file in use; returns how it was noticed, or that nothing was lost."""
    path, other, receipts = folder / "studies.db", folder / "other.db", folder / "receipts"
    if harm == "replaced":
        kg.Study({"x": (0.0, 1.0)}, storage=other, name="faults", seed=0).add({"x": 0.5}, 1.0)
    process = start(writer, str(path), receipts)
    while not receipts.exists():
        assert process.is_alive()
        time.sleep(0.002)
    time.sleep(delay)
    before = _acknowledged(receipts)
    _do(harm, path, other)
    now = time.time()
    if harm in ("copied", "backed up"):
        process.kill()
        process.join()
        return _judge_copy(harm, other, len(before))
    process.join(30)
    assert process.exitcode == 0, "the writer noticed nothing"
    lines = receipts.read_text().splitlines()
    assert lines[-1] == "moved"
    assert not [line for line in lines[:-1] if float(line.split()[1]) > now], "a result went where nobody will find it"
    if harm == "moved":
        _judge_copy(harm, other, len(lines) - 1)
    return f"{harm} (StorageMovedError)"


def _acknowledged(receipts: Path) -> list[str]:
    return receipts.read_text().splitlines()


def _do(harm: str, path: Path, other: Path) -> None:
    if harm == "moved":
        path.rename(other)
    elif harm == "deleted":
        path.unlink()
    elif harm == "replaced":
        other.replace(path)
    elif harm == "log deleted":
        path.with_name(f"{path.name}-wal").unlink()
    elif harm == "copied":
        shutil.copy(path, other)
    else:
        backup(path, other)


def _judge_copy(harm: str, copy: Path, acknowledged: int) -> str:
    """A copy is complete, or whoever opens it is told that it is not."""
    report = examine(copy)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = len(kg.Study.load(copy, "faults").trials)
        except StorageError as error:
            assert not report.is_sound
            return f"{harm} ({type(error).__name__})"
        except kg.errors.UnknownStudyError:
            found = 0
    warned = any(each.category is StorageWarning for each in said)
    assert warned == (report.missing is not None)
    assert warned or found >= acknowledged
    assert harm != "backed up" or not warned
    return f"{harm} ({'warned' if warned else 'complete'})"
