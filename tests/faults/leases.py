"""Workers that stop for too long, and clocks that are set wrong."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import knowgrad as kg
from knowgrad.storage import open_storage
from tests.faults.people import CONTEXT, opened, start
from tests.faults.scenario import Place, scenario

LEASE = 0.5
DAY = 86400.0


@scenario("4", "a worker stopped for three leases, then it tells", quick=1, full=20)
def stopped(place: Place, n: int) -> str:
    study = opened(place.url, seed=0)
    for i in range(n):
        study.enqueue({"x": (i + 1) / (n + 1)})
        ours, theirs = CONTEXT.Pipe()
        process = start(slow_worker, place.url, theirs)
        number = ours.recv()
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(3 * LEASE)
        (again,) = study.ask(1, lease=LEASE)
        assert again.retry_of == number
        study.tell(again, 1.0)
        os.kill(process.pid, signal.SIGCONT)
        ours.send("tell")
        assert ours.recv() == "complete"
        process.join()
    trials = kg.Study.load(place.url).trials
    assert [trial.value for trial in trials] == [2.0, 1.0] * n
    return f"{n} late results accepted once, {n} points offered again, nothing pending"


def slow_worker(url: str, pipe: Any) -> None:
    study = opened(url)
    (trial,) = study.ask(1, lease=LEASE, worker="slow")
    pipe.send(trial.number)
    pipe.recv()
    pipe.send(study.tell(trial, 2.0).state)


@scenario("13", "the clock is set a day on or back", quick=4, full=100)
def clock_steps(place: Place, n: int) -> str:
    log = Shifted(open_storage(place.url, "faults"))
    study = kg.Study({"x": (0.0, 1.0)}, storage=log, seed=0)
    for i in range(n):
        study.enqueue({"x": i / n})
        (trial,) = study.ask(1, lease=60.0)
        log.shift = (0.0, DAY, 0.0, -DAY)[i % 4]
        study.tell(trial, float(i))
    trials = study.trials
    assert [trial.number for trial in trials] == list(range(len(trials)))
    assert [trial.value for trial in trials if trial.retry_of is None] == [float(i) for i in range(n)]
    assert kg.Study.load(log).trials == trials
    return f"{n} steps of a day, {n} results in their order"


class Shifted:
    """A storage whose clock is wrong."""

    def __init__(self, log: Any) -> None:
        self.append, self.read, self._log, self.shift = log.append, log.read, log, 0.0

    def amend(self, after: int, decide: Any) -> None:
        self._log.amend(after, lambda news, now: decide(news, lambda: now() + self.shift))

    def now(self) -> float:
        return self._log.now() + self.shift
