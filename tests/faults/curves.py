"""Learning curves whose writers are killed: reports, stops, pauses and continued runs survive as results do."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import knowgrad as kg
from knowgrad.storage import open_storage
from tests.faults.kills import kill_at_points
from tests.faults.people import start, write_down
from tests.faults.scenario import Place, scenario

LAST = 1000
SPACE = {"x": (0.0, 1.0), "epochs": kg.Fidelity(1, LAST)}
KINDS = ("reported", "told", "queued", "asked")
LEASE = 1.0


@scenario("36", "kill -9 at each named fault point of report, pause, resume, stop", quick=1, full=20)
def named_kills(place: Place, n: int) -> str:
    return kill_at_points(place, n, KINDS, perform, check)


def perform(url: str, name: str) -> None:
    """A run that reports, is paused, continued and stopped: each step may have been done before, and is repeated."""
    study = kg.Study(SPACE, storage=url, name=name, seed=0)
    if not study.trials:
        study.enqueue({"x": 0.25, "epochs": 9})
    if study.trials[0].state == "queued":
        study.ask()
    if study.trials[0].state == "pending":
        for epoch in (1, 2, 3):
            study.report(0, at=epoch, value=1.0 / epoch)
    study.pause(0, cost=3.0)
    if len(study.trials) == 1:
        study.resume(0, at=9)
    if study.trials[1].state == "queued":
        study.ask()
    if study.trials[1].state == "pending":
        study.report(1, at=5, value=0.2)
    study.stop(1, cost=2.0)


def check(url: str, name: str) -> None:
    """All of it happened once."""
    kinds = Counter(event.kind for event in open_storage(url, name).read())
    assert kinds == {"created": 1, "queued": 2, "asked": 2, "reported": 4, "told": 2}, f"{name}: {kinds}"
    first, second = kg.Study.load(url, name).trials
    assert (first.paused, first.params["epochs"], first.curve) == (True, 3, ((1, 1.0), (2, 0.5), (3, 1.0 / 3)))
    assert (second.continues, second.paused, second.params["epochs"], second.value) == (0, False, 5, 0.2)
    assert (first.cost, second.cost) == (3.0, 2.0)


@scenario("36b", "kill -9 a worker in mid-curve", quick=2, full=50)
def killed_in_mid_curve(place: Place, n: int) -> str:
    rng, promised, beyond = random.Random(0), 0, 0
    for k in range(n):
        name, receipts = f"curve {k}", place.folder / f"receipts {k}"
        study = kg.Study(SPACE, storage=place.url, name=name, seed=0)
        study.enqueue({"x": 0.5, "epochs": LAST})
        process = start(report_until_killed, place.url, name, receipts)
        while _lines(receipts) < 3:
            assert process.is_alive()
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.02))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        trial, acknowledged = study.trials[0], _lines(receipts)
        assert trial.curve == tuple((epoch, 1.0 / epoch) for epoch in range(1, len(trial.curve) + 1))
        assert 0 <= len(trial.curve) - acknowledged <= 1, f"{acknowledged} acknowledged, {len(trial.curve)} there"
        promised, beyond = promised + acknowledged, beyond + len(trial.curve) - acknowledged
        _offered_again(study, trial)
    return f"{n} kills, {promised} reports acknowledged, 0 lost, {beyond} more there; every point offered again"


def report_until_killed(url: str, name: str, receipts: Path) -> None:
    """Evaluate an objective that goes on for long; a step is acknowledged when it is asked for the next."""

    def train(params: dict[str, Any]) -> Iterator[tuple[int, float]]:
        for epoch in range(1, params["epochs"] + 1):
            yield epoch, 1.0 / epoch
            write_down(receipts, str(epoch))

    kg.Study.load(url, name).minimize(train, n_trials=1, lease=LEASE, progress=False)


def _lines(receipts: Path) -> int:
    return len(receipts.read_text().splitlines()) if receipts.exists() else 0


def _offered_again(study: kg.Study, lost: kg.Trial) -> None:
    """Once the lease has ended the point is somebody else's; what was reported stays, and is known to the model."""
    deadline = time.monotonic() + 60
    while study.trials[0].state == "pending":
        assert time.monotonic() < deadline
        time.sleep(0.1)
        study.reclaim()
    again = study.ask()[0]
    before = study.trials[0]
    assert (before.state, before.curve) == ("expired", lost.curve)
    assert (again.retry_of, dict(again.params)) == (0, dict(lost.params))
