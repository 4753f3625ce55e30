"""Processes that leave their ids in a folder, and whether they are gone."""

import os
import signal
import subprocess
import time
from pathlib import Path


def gone(folder: Path, *, within: float = 10.0) -> bool:
    """Are all processes gone of which there is a file <pid>.pid? Those that are not are killed."""
    pids = [int(path.stem) for path in folder.glob("*.pid")]
    assert pids
    deadline = time.monotonic() + within
    while (alive := [pid for pid in pids if is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    return not alive


def is_running(pid: int) -> bool:
    """Not so if it has ended and nobody has asked for its exit code yet."""
    said = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return said.strip()[:1] not in ("", "Z")
