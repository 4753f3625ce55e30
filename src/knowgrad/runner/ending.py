"""How processes are ended together with all that they have started: SIGTERM, a grace period, SIGKILL.

What a process starts belongs to its process group, unless it leaves that. A group outlives the process that leads it
for as long as anybody is left in it, so what a program leaves running in the background can be found by its group.
Those that have left the group are found by `kin`, where the system tells.
"""

import os
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from knowgrad.runner.kin import Kin

GRACE = 5.0  # seconds from SIGTERM to SIGKILL, and for a worker that is told to go to leave by itself
LOOK = 0.02
HAS_GROUPS = hasattr(os, "killpg")


@dataclass(frozen=True)
class Family:
    """A process and the groups of processes that are to end with it."""

    pid: int
    groups: Callable[[], Iterable[int]]
    has_ended: Callable[[], bool]
    """Is the process itself gone? Reaps it: what nobody reaps stays in its group."""
    kin: Kin

    def is_gone(self) -> bool:
        if not self.has_ended() or any(map(is_peopled, self.groups())):
            return False
        return not self.kin.living(is_running=False)

    def send(self, number: int) -> None:
        """A signal to everybody, once; to the process alone if it is too young to lead a group, or there are none."""
        others = self.kin.living(is_running=not self.has_ended())  # before their parents are gone
        reached = {group for group in self.groups() if send(group, number)}
        if self.pid not in reached and not self.has_ended():
            send_to(self.pid, number)
        for process in others:
            if process.group not in reached:
                send_to(process.pid, number)


def end(families: Iterable[Family]) -> None:
    """Returns when all are gone, or have been sent what nobody survives."""
    left = [family for family in families if not family.is_gone()]
    try:
        for family in left:
            family.send(signal.SIGTERM)
        left = wait_until(Family.is_gone, left)
    finally:  # whoever interrupts this is in a hurry
        for family in left:
            family.send(getattr(signal, "SIGKILL", signal.SIGTERM))


def wait_until(is_done: Callable[[Family], bool], families: list[Family]) -> list[Family]:
    """Give them time; returns of whom it is not true even then."""
    deadline = time.monotonic() + GRACE
    while families and time.monotonic() < deadline:
        time.sleep(LOOK)
        families = [family for family in families if not is_done(family)]
    return families


def is_peopled(group: int) -> bool:
    """Is anybody in this group of processes?"""
    return send(group, 0)


def send_to(pid: int, number: int) -> None:
    """A signal to one process, if it is there and we may."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def send(group: int, number: int) -> bool:
    """A signal to a group; False if nobody is there, or nobody whom we may send signals."""
    if not HAS_GROUPS:
        return False
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
