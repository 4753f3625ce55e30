"""What objectives and commands leave running: threads, children, children of children, some of them deaf to SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import knowgrad as kg
from knowgrad.runner.ending import GRACE
from tests.faults.scenario import CannotRun, Place, scenario
from tests.processes import gone

HERE = ("sqlite",)  # no database is involved
SLEEP = 300  # seconds that a leftover would stay
SPACE = {"x": (0.0, 1.0)}
DEAF = "trap '' TERM; touch $$.pid; while :; do sleep 1; done"
FILE = 'method = "random"\n[space]\nx = {low = 0.0, high = 1.0}\n'
SCRIPTS = (
    "sleep 300 & touch $!.pid; echo {x}",
    "(sleep 300 & touch $!.pid; wait) & sleep 0.1; touch $!.pid; echo {x}",
    f'sh -c "{DEAF}" & sleep 0.2; echo {{x}}',
    "sleep 300 & touch $!.pid $$.pid; sleep 300 # {x}",
)


@scenario("27", "leftover threads, children and grandchildren, some deaf to SIGTERM", quick=3, full=40, on=HERE)
def leftovers(place: Place, n: int) -> str:
    """Every run returns, within two grace periods of its last result, and nothing stays."""
    if not hasattr(os, "killpg"):
        raise CannotRun("this system has no process groups")
    ways: list[Callable[[Path], None]] = [_with_threads, _with_children, *[_commands(script) for script in SCRIPTS]]
    ways.append(_with_deaf_children)
    slowest = 0.0
    for i in range(n):
        folder = place.folder / f"leftovers {i}"
        folder.mkdir()
        began = time.monotonic()
        ways[i % len(ways)](folder)
        slowest = max(slowest, time.monotonic() - began)
        assert gone(folder, within=1), f"way {i % len(ways)}"
    return f"{n} runs, the slowest took {slowest:.1f} s with a grace period of {GRACE:g} s, 0 processes left"


def _minimize(objective: Callable[[dict[str, Any]], float]) -> None:
    result = kg.minimize(objective, SPACE, n_trials=4, workers=2, method="random", progress=False)
    assert result.n_observed == 4


def _with_threads(folder: Path) -> None:
    def objective(params: dict[str, Any]) -> float:
        (folder / f"{os.getpid()}.pid").touch()
        threading.Thread(target=time.sleep, args=(SLEEP,)).start()
        return float(params["x"])

    _minimize(objective)


def _with_children(folder: Path) -> None:
    def objective(params: dict[str, Any]) -> float:
        child = subprocess.Popen(["sleep", str(SLEEP)])
        (folder / f"{child.pid}.pid").touch()
        return float(params["x"])

    _minimize(objective)


def _with_deaf_children(folder: Path) -> None:
    def objective(params: dict[str, Any]) -> float:
        child = subprocess.Popen(["sh", "-c", DEAF], cwd=folder)
        while not (folder / f"{child.pid}.pid").exists():
            time.sleep(0.01)
        return float(params["x"])

    _minimize(objective)


def _commands(script: str) -> Callable[[Path], None]:
    """`knowgrad run` with this script; one that does not end by itself is interrupted."""

    def run(folder: Path) -> None:
        (folder / "space.toml").write_text(FILE)
        words = [sys.executable, "-m", "knowgrad.cli", "run", "space.toml", "--trials", "2", "--", "sh", "-c", script]
        with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            if not script.endswith("echo {x}"):
                deadline = time.monotonic() + 60
                while len(list(folder.glob("*.pid"))) < 2 and time.monotonic() < deadline:
                    time.sleep(0.02)
                process.send_signal(signal.SIGTERM)
            process.wait(60)

    return run
