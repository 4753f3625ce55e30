"""A study of ten thousand trials."""

from __future__ import annotations

import resource
import time
from typing import Any

import knowgrad as kg
from knowgrad.storage import open_storage
from knowgrad.trial import Event
from tests.faults.people import crowd, opened
from tests.faults.scenario import Place, scenario

TELLS = 300


@scenario("20", "10,000 trials", quick=500, full=10_000)
def many_trials(place: Place, n: int) -> str:
    fill(place.url, n)
    ((seconds, p50, p99, memory),) = crowd(measure, 1, place.url, n)
    if n == 10_000:
        assert seconds <= 5
        assert p99 <= 0.05
        assert memory <= 500
    return f"open and status {seconds:.2f} s, tell p50 {1e3 * p50:.1f} ms, p99 {1e3 * p99:.1f} ms, {memory:.0f} MB"


def fill(url: str, n: int) -> None:
    """A study with `n` results, written in one go."""
    opened(url, seed=0)
    events = []
    for i in range(n):
        asked = {"number": i, "params": {"x": i / n}, "source": "sobol", "batch": i, "worker": None}
        events += [Event("asked", asked), Event("told", {"number": i, "value": i % 97 / 97, "sem": None})]
    open_storage(url, "faults").append(events)


def measure(i: int, barrier: Any, url: str, n: int) -> tuple[float, float, float, float]:
    begun = time.perf_counter()
    study = kg.Study.load(url)
    assert (len(study.trials), len(study.pending), study.best.value) == (n, 0, 0.0)
    opening, tells = time.perf_counter() - begun, []
    for k in range(TELLS):
        trial = study.enqueue({"x": 0.5})
        begun = time.perf_counter()
        study.tell(trial, float(k + 1))
        tells.append(time.perf_counter() - begun)
    tells.sort()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return opening, tells[TELLS // 2], tells[int(0.99 * TELLS)], memory
