"""`knowgrad worker` processes that are killed or stopped in mid-evaluation, and what becomes of their points."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import knowgrad as kg
from tests.faults.scenario import Place, scenario

MODULE = """
import os, pathlib, time

def objective(params):
    mark = pathlib.Path(f"{os.getpid()}.running")
    mark.touch()
    end = time.monotonic() + float(os.environ["SECONDS"])
    while time.monotonic() < end and not os.path.exists("enough"):
        time.sleep(0.02)
    mark.unlink()
    return params["x"]
"""


class Workers:
    """Starts workers of one study in a folder."""

    def __init__(self, storage: str, folder: Path, name: str, *, lease: float, trials: int) -> None:
        self.storage, self.name, self.lease, self.trials = storage, name, lease, trials
        self.folder = folder / name
        self.started: list[subprocess.Popen[str]] = []
        self.folder.mkdir()
        (self.folder / "an_objective.py").write_text(MODULE)
        self.study = kg.Study({"x": (0.0, 1.0)}, storage=storage, name=name, method="random", seed=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.started:
            process.kill()
            process.communicate()

    def start(self, seconds: float) -> "subprocess.Popen[str]":
        """One whose evaluations take so long."""
        words = ["--storage", self.storage, "--name", self.name, "--lease", self.lease, "--trials", self.trials]
        command = [sys.executable, "-m", "knowgrad.cli", "worker", "an_objective:objective", *map(str, words)]
        env = {**os.environ, "SECONDS": str(seconds)}
        pipe = subprocess.PIPE
        self.started.append(subprocess.Popen(command, cwd=self.folder, env=env, text=True, stdout=pipe, stderr=pipe))
        return self.started[-1]

    def first(self) -> kg.Trial:
        """The first trial, once its evaluation has begun."""
        self.until(lambda: list(self.folder.glob("*.running")), 60)
        return self.study.trials[0]

    def states(self) -> list[str]:
        return [trial.state for trial in self.study.trials]

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


@scenario("3", "a worker is killed in mid-evaluation", quick=1, full=20)
def killed(place: Place, n: int) -> str:
    """Another one works on: the point is offered again within lease + 5 s, nothing is pending after two."""
    slowest = 0.0
    for i in range(n):
        with Workers(place.url, place.folder, f"killed {i}", lease=2.0, trials=4) as workers:
            slowest = max(slowest, _kill(workers))
    return f"{n} kills: offered again after at most {slowest:.1f} s with a lease of 2 s, nothing left pending"


def _kill(workers: Workers) -> float:
    lost = workers.start(seconds=1000)
    trial = workers.first()
    other = workers.start(seconds=0.05)
    workers.until(lambda: "complete" in workers.states(), 60)  # else what is timed is how long this one takes to start
    lost.kill()
    began = time.monotonic()
    lost.communicate()
    workers.until(lambda: workers.retried(trial), 60)
    offered = time.monotonic() - began
    assert offered <= workers.lease + 5, offered
    time.sleep(max(0.0, began + 2 * workers.lease - time.monotonic()))
    assert not any(each.worker == trial.worker for each in workers.study.pending)
    assert other.communicate(timeout=60)[1] == ""
    assert other.returncode == 0
    assert workers.states().count("complete") == 4
    assert not workers.study.pending
    return offered


@scenario("4b", "`knowgrad worker` is stopped for three leases, then it tells", quick=1, full=20)
def paused(place: Place, n: int) -> str:
    """Its late result is taken, once, beside that of whoever tried the point again."""
    for i in range(n):
        with Workers(place.url, place.folder, f"paused {i}", lease=2.0, trials=3) as workers:
            _pause(workers)
    return f"{n} late results accepted once, no error"


def _pause(workers: Workers) -> None:
    sleepy = workers.start(seconds=1000)
    trial = workers.first()
    # Not in the middle of a renewal: a process that is stopped there keeps the database locked.
    workers.until(lambda: workers.study.trials[trial.number].deadline != trial.deadline, 60)
    os.kill(sleepy.pid, signal.SIGSTOP)
    (workers.folder / "enough").touch()  # the evaluation ends, and nobody tells
    other = workers.start(seconds=0)
    workers.until(lambda: workers.retried(trial), 60)
    time.sleep(2 * workers.lease)
    os.kill(sleepy.pid, signal.SIGCONT)
    assert [process.communicate(timeout=60)[1] for process in (sleepy, other)] == ["", ""]
    tries = [each for each in workers.study.trials if each.params == trial.params]
    assert [each.state for each in tries] == ["complete", "complete"], tries
    assert not workers.study.pending
