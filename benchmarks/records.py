"""Results on disk: a file of JSON lines for each run, one line for each batch, written by one process at a time.

    DIR/EXPERIMENT/PROBLEM/METHOD.qQ/SEED.jsonl

A line is appended by a single write and forced to disk, so a stop leaves whole lines and at most one torn one, which
the next process cuts off. Everything that depends on the clock is under "timing"; the rest is a function of the run.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Spec:
    """One run: a method on a problem from the start that belongs to the seed."""

    experiment: str
    problem: str
    method: str
    q: int
    seed: int
    batches: int
    scale: str = ""

    @property
    def label(self) -> str:
        problem = f"{self.problem}-{self.scale}" if self.scale else self.problem
        return f"{self.experiment}/{problem}/{self.method}.q{self.q}/{self.seed:04d}"

    def path(self, out: Path) -> Path:
        return out / f"{self.label}.jsonl"

    def text(self) -> str:
        return json.dumps(asdict(self))


class RunFile:
    """An open run file, locked against other processes until it is closed."""

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
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        if os.write(self._descriptor, line) != len(line):
            raise OSError("the disk is full: a record could not be written whole")
        os.fsync(self._descriptor)

    def clear(self) -> None:
        os.ftruncate(self._descriptor, 0)


@contextmanager
def opened(path: Path) -> Iterator[RunFile]:
    """Waits while another process has the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield RunFile(descriptor)
    finally:
        os.close(descriptor)


def recorded(path: Path) -> list[Record]:
    """The whole lines of a run file, which another process may be writing; none if there is no such file."""
    if not path.exists():
        return []
    text = path.read_bytes()
    return [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]


def load(out: Path, experiment: str) -> list[Record]:
    """All records of an experiment."""
    return [record for path in sorted((out / experiment).rglob("*.jsonl")) for record in recorded(path)]


def write_json(path: Path, value: Any) -> None:
    """Replace a file at once, so that nobody reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    draft.replace(path)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
