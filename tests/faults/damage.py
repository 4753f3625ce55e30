"""Disks that are full, and files that were damaged."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import knowgrad as kg
from knowgrad.errors import StorageError, StorageFullError
from knowgrad.log.doctor import examine, rescue
from tests.faults.people import SPACE, opened
from tests.faults.scenario import CannotRun, Place, scenario


@scenario("10", "disk full", quick=2, full=20)
def disk_full(place: Place, n: int) -> str:
    with _small_disk(place) as (disk, url):
        study, ballast, refused, told = opened(url, seed=0), disk / "ballast", 0, list[float]()
        for _ in range(n):
            _fill(ballast)
            while True:
                try:
                    told.append(study.add({"x": 0.5}, float(len(told))).value or 0.0)
                except StorageFullError:
                    break
            refused += 1
            assert [trial.value for trial in study.trials] == told
            assert [trial.value for trial in kg.Study.load(url).trials] == told
            ballast.unlink()
            told.append(study.add({"x": 0.25}, float(len(told))).value or 0.0)
        assert [trial.value for trial in kg.Study.load(url).trials] == told
        return f"{refused} times full, each a StorageFullError; {len(told)} results intact, none restarted"


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1024))


@contextmanager
def _small_disk(place: Place) -> Iterator[tuple[Path, str]]:
    """A file system of two megabytes, and the address of a database on it."""
    disk = Path(place.server.folder if place.server else place.folder) / "small disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode:
        disk.rmdir()
        raise CannotRun(f"a small disk cannot be mounted here ({mounted.stderr.decode().strip()})")
    try:
        if place.server:
            with place.server.tablespace(disk) as tablespace:
                yield disk, f"{place.url}%20-cdefault_tablespace%3D{tablespace}"
        else:
            yield disk, f"sqlite:///{disk / 'studies.db'}"
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
        disk.rmdir()


@scenario("11", "truncations and random overwrites of the file", quick=12, full=200, on=("sqlite",))
def overwrites(place: Place, n: int) -> str:
    whole, rng = Path(place.url.removeprefix("sqlite:///")), random.Random(1)
    study = opened(place.url, seed=0)
    for _ in range(150):
        study.add({"x": rng.random()}, rng.random(), sem=0.5)
    before, results = study.trials, {(trial.params["x"], trial.value) for trial in study.trials}
    del study
    noticed, saved = 0, []
    for i in range(n):
        damaged, rescued = place.folder / f"{i}.db", place.folder / f"{i}.rescued.db"
        shutil.copy(whole, damaged)
        _harm(damaged, rng, truncate=i % 10 == 0)
        noticed += _is_noticed(damaged, before)
        rescue(damaged, rescued)
        kept = kg.Study.load(rescued).trials if rescued.exists() else ()
        assert {(trial.params["x"], trial.value) for trial in kept if trial.value is not None} <= results
        saved.append(len(kept))
        damaged.unlink()
        rescued.unlink(missing_ok=True)
    share = sum(saved) / (n * len(before))
    return f"{n} damaged files, {noticed} noticed, the others read the same; {share:.1%} of trials rescued, 0 wrong"


def _harm(path: Path, rng: random.Random, truncate: bool) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        if truncate:
            file.truncate(rng.randrange(size))
        else:
            file.seek(rng.randrange(size - 64))
            file.write(rng.randbytes(64))


def _is_noticed(path: Path, before: tuple[kg.Trial, ...]) -> bool:
    """Whoever opens it gets an error, or exactly what was written; and the doctor agrees."""
    noticed = False
    for use in (lambda: kg.Study.load(path), lambda: kg.Study(SPACE, storage=path, name="faults")):
        try:
            assert use().trials == before
        except StorageError:
            noticed = True
    assert not (noticed and examine(path).is_sound)
    return noticed
