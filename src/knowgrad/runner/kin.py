"""Whom a process has started, as /proc tells it: its children and theirs, in whatever group or session they are by now.

A process that leaves its group (timeout(1), setsid, a daemon) is still a child of its parent. One whose parent has died
is known by a mark in its environment, which whoever is started inherits. Where there is no /proc, nobody is found here,
and process groups are all there is.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

MARK = "KNOWGRAD_STARTED_BY"
PROC = Path("/proc")
PARENT, GROUP, BEGAN = 1, 2, 19  # of the fields of /proc/<pid>/stat that follow the name


def new_mark() -> str:
    """One that nobody has; what marked this process stays part of it."""
    return f"{os.environ.get(MARK, '')}/{secrets.token_hex(8)}"


@dataclass(frozen=True)
class Process:
    """One that is running; `began` tells it from a later one with the same id."""

    pid: int
    parent: int
    group: int
    began: int


@dataclass(frozen=True)
class Kin:
    """All that the process `pid` has started, and all that carry the mark, apart from this process itself."""

    pid: int
    mark: str
    _seen: set[tuple[int, int]] = field(default_factory=set)
    """Those found before: they may have lost their parent since."""

    def living(self, *, is_running: bool) -> list[Process]:
        """Who there is now; `is_running`: the process itself has not been reaped, its id is still its own."""
        everybody = {process.pid: process for process in _processes()}
        ours = {pid for pid, process in everybody.items() if (pid, process.began) in self._seen or self._is_marked(pid)}
        known = ours | {self.pid} if is_running else ours
        while more := {pid for pid, process in everybody.items() if process.parent in known} - known:
            known |= more
        found = [everybody[pid] for pid in sorted(known - {self.pid, os.getpid()}) if pid in everybody]
        self._seen.update((process.pid, process.began) for process in found)
        return found

    def _is_marked(self, pid: int) -> bool:
        try:
            return self.mark.encode() in (PROC / str(pid) / "environ").read_bytes()
        except OSError:  # gone, or somebody else's
            return False


def _processes() -> Iterator[Process]:
    """All that have not ended."""
    if not PROC.is_dir():
        return
    for name in os.listdir(PROC):
        if name.isdecimal():
            with suppress(OSError, IndexError, ValueError):
                state, *fields = (PROC / name / "stat").read_text(errors="replace").rpartition(")")[2].split()
                if state not in ("Z", "X"):
                    parent, group, began = (int(fields[at - 1]) for at in (PARENT, GROUP, BEGAN))
                    yield Process(int(name), parent, group, began)
