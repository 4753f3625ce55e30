"""Results on disk: JSON lines, the one format of every comparison.

A line is one object. It says what was done, by `problem`, `method`, `seed` and what else sets lines apart, and the
outcome. It is appended by a single write and forced to disk, so a stop leaves whole lines and at most one torn one,
which the next process cuts off. A comparison that was stopped, or is asked for more, goes on from its lines.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.processes import ONE_THREAD

Record = dict[str, Any]
Job = TypeVar("Job", bound=tuple[Any, ...])
EVERY = ("problem", "method", "seed")  # names that no line lacks


class Lines:
    """An open file of lines, locked against other processes until it is closed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def records(self) -> list[Record]:
        """The whole lines; a torn last one is cut off."""
        size = os.fstat(self._descriptor).st_size
        text = os.pread(self._descriptor, size, 0)
        whole = text.rfind(b"\n") + 1
        if whole < size:
            os.ftruncate(self._descriptor, whole)
        return [json.loads(line) for line in text[:whole].splitlines()]

    def append(self, record: Record) -> None:
        line = as_line(record)
        if os.write(self._descriptor, line) != len(line):
            raise OSError("the disk is full: a record could not be written whole")
        os.fsync(self._descriptor)

    def clear(self) -> None:
        os.ftruncate(self._descriptor, 0)


def as_line(record: Record) -> bytes:
    if missing := [name for name in EVERY if name not in record]:
        raise ValueError(f"a line says {', '.join(EVERY)}; this one lacks {', '.join(missing)}")
    return json.dumps(record, allow_nan=False).encode() + b"\n"


@contextmanager
def opened(path: Path) -> Iterator[Lines]:
    """Waits while another process has the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield Lines(descriptor)
    finally:
        os.close(descriptor)


def recorded(path: Path) -> list[Record]:
    """The whole lines of a file, which another process may be writing; none if there is no such file."""
    if not path.exists():
        return []
    text = path.read_bytes()
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def rewrite(path: Path, records: Iterable[Record]) -> None:
    """Replace a file of lines at once."""
    _replace(path, b"".join(map(as_line, records)))


def gathered(
    out: Path, key: Sequence[str], wanted: Iterable[Job], work: Callable[[Job], list[Record]], processes: int
) -> list[Record]:
    """The lines of the wanted jobs, after those were done that were not in the file. A line tells its job by the names
    of `key`. The work is done by fresh processes, each on one thread."""
    os.environ.update(ONE_THREAD)
    order = list(wanted)
    with opened(out) as file, ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        lines = file.records()
        done = {tuple(line[name] for name in key) for line in lines}
        jobs = [job for job in order if job not in done]
        for i, found in enumerate(pool.map(work, jobs), 1):
            for line in found:
                file.append(line)
            lines += found
            print(f"\r{i} of {len(jobs)}", end="", flush=True)
    print()
    asked = set(order)
    return [line for line in lines if tuple(line[name] for name in key) in asked]


def write_json(path: Path, value: Any) -> None:
    """Replace a file at once, so that nobody reads half of it."""
    _replace(path, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode())


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    draft.write_bytes(content)
    draft.replace(path)
