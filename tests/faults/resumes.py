"""A study that is killed and resumed over and over makes the same choices as one that never was."""

from __future__ import annotations

import os
import random
import signal
import time
import warnings
from contextlib import suppress
from pathlib import Path

import knowgrad as kg
from knowgrad.errors import StorageWarning
from tests.faults.people import start, write_down
from tests.faults.scenario import Place, scenario

SPACE = {"x": (0.0, 1.0), "kind": ["a", "b"]}
TRIALS = 14


@scenario("S", "same seed, one worker: the same trials after kills and resumes as without", quick=10, full=10)
def resumes(place: Place, n: int) -> str:
    calm = kg.Study(SPACE, seed=3, noise=0)
    run(calm)
    progress, rng = place.folder / "progress", random.Random(2)
    for kills in range(n):
        process = start(worker, place.url, progress)
        while process.is_alive() and _size(progress) <= kills * TRIALS // n:
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.05))
        with suppress(ProcessLookupError):  # the last one may be done
            os.kill(process.pid, signal.SIGKILL)
        process.join()
    with warnings.catch_warnings():  # a worker that is done may be killed as it closes: the warning says so
        warnings.filterwarnings("ignore", "(?s).*killed while closing", StorageWarning)
        study = kg.Study(SPACE, storage=place.url, name="faults", noise=0)
    run(study)
    told = [(trial.number, trial.params, trial.value, trial.source) for trial in study.trials]
    assert told == [(trial.number, trial.params, trial.value, trial.source) for trial in calm.trials]
    return f"{n} kills and resumes, {len(told)} trials identical to those of a run without"


def _size(progress: Path) -> int:
    return len(progress.read_text().splitlines()) if progress.exists() else 0


def run(study: kg.Study, progress: Path | None = None) -> None:
    """Go on where the last worker stopped: first with the point it had in hand."""
    while len(study.trials) < TRIALS or study.pending:
        (trial,) = study.pending or study.ask(1)
        study.tell(trial, (trial.params["x"] - 0.3) ** 2 + (trial.params["kind"] == "b"))
        if progress is not None:
            write_down(progress, str(trial.number))


def worker(url: str, progress: Path) -> None:
    run(kg.Study(SPACE, storage=url, name="faults", seed=3, noise=0), progress)
