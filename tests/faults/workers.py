"""`knowgrad worker` processes that are killed or stopped in mid-evaluation, and what becomes of their points."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import knowgrad as kg

MODULE = """
import os, pathlib, time

def objective(params):
    mark = pathlib.Path(f"{os.getpid()}.running")
    mark.touch()
    time.sleep(float(os.environ["SECONDS"]))
    mark.unlink()
    return params["x"]
"""


class Workers:
    """Starts workers of one study in a folder."""

    def __init__(self, storage: str, folder: Path, *, lease: float, trials: int) -> None:
        self.storage, self.folder, self.lease, self.trials = storage, folder, lease, trials
        (folder / "an_objective.py").write_text(MODULE)
        self.study = kg.Study({"x": (0.0, 1.0)}, storage=storage, name="shared", method="random", seed=0)

    def start(self, seconds: float) -> "subprocess.Popen[str]":
        """One whose evaluations take so long."""
        words = ["--storage", self.storage, "--name", "shared", "--lease", self.lease, "--trials", self.trials]
        command = [sys.executable, "-m", "knowgrad.cli", "worker", "an_objective:objective", *map(str, words)]
        env = {**os.environ, "SECONDS": str(seconds)}
        return subprocess.Popen(
            command, cwd=self.folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def first(self) -> kg.Trial:
        """The first trial, once its evaluation has begun."""
        self.until(lambda: list(self.folder.glob("*.running")), 60)
        return self.study.trials[0]

    def until(self, condition, seconds: float) -> float:
        """Wait for it; how long it took."""
        began = time.monotonic()
        while not condition():
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"not within {seconds} s")
            time.sleep(0.02)
        return time.monotonic() - began

    def retried(self, trial: kg.Trial) -> bool:
        """Has somebody else got its point?"""
        return any(each.retry_of == trial.number and each.state != "queued" for each in self.study.trials)


@dataclass(frozen=True)
class Outcome:
    """What a scenario saw."""

    offered: float
    """Seconds after the fault until somebody else had the point."""
    pending: int
    """Points of the lost worker that were pending two leases after the fault."""
    complete: int
    code: int
    """Exit code of the worker that was left."""


def killed(storage: str, folder: Path, *, lease: float, trials: int = 4) -> Outcome:
    """Kill a worker with SIGKILL in mid-evaluation while another one works on."""
    workers = Workers(storage, folder, lease=lease, trials=trials)
    lost = workers.start(seconds=1000)
    trial = workers.first()
    other = workers.start(seconds=0.05)
    workers.until(lambda: len(workers.study.trials) > 1, 60)
    lost.kill()
    began = time.monotonic()
    lost.communicate()
    workers.until(lambda: workers.retried(trial), lease + 30)
    offered = time.monotonic() - began
    time.sleep(max(0.0, began + 2 * lease - time.monotonic()))
    pending = sum(each.worker == trial.worker for each in workers.study.pending)
    other.communicate(timeout=60)
    states = [each.state for each in workers.study.trials]
    return Outcome(offered, pending, states.count("complete"), other.returncode)


def stopped(storage: str, folder: Path, *, lease: float) -> tuple[kg.Trial, list[kg.Trial], str]:
    """Stop a worker for three leases, let it go on: its trial, all tries at that point, and what it said."""
    workers = Workers(storage, folder, lease=lease, trials=3)
    paused = workers.start(seconds=lease / 2)
    trial = workers.first()
    os.kill(paused.pid, signal.SIGSTOP)
    other = workers.start(seconds=0.05)
    workers.until(lambda: workers.retried(trial), lease + 30)
    time.sleep(2 * lease)
    os.kill(paused.pid, signal.SIGCONT)
    said = paused.communicate(timeout=60)[1]
    other.communicate(timeout=60)
    tries = [each for each in workers.study.trials if each.params == trial.params]
    return workers.study.trials[trial.number], tries, said
