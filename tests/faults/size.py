"""Studies of ten thousand trials and more, of many options and of many constraints."""

from __future__ import annotations

import time

import knowgrad as kg
from benchmarks.processes import alone
from benchmarks.service.storage import fill_knowgrad, measure_knowgrad, quantile
from benchmarks.speed import large
from knowgrad.storage import studies
from tests.faults.people import opened
from tests.faults.scenario import Place, scenario


@scenario("20", "10,000 trials", quick=500, full=10_000)
def many_trials(place: Place, n: int) -> str:
    fill_knowgrad(place.url, n)
    cost = alone(measure_knowgrad, place.url, n)
    p99 = quantile(cost.tells, 0.99)
    if n == 10_000:
        assert cost.opening <= 5
        assert p99 <= 0.05
        assert cost.memory <= 500
    tells = f"tell p50 {1e3 * quantile(cost.tells, 0.5):.1f} ms, p99 {1e3 * p99:.1f} ms"
    asks = f"ask from the queue p99 {1e3 * quantile(cost.asks, 0.99):.1f} ms"
    return f"open and status {cost.opening:.2f} s, {tells}, {asks}, {cost.memory:.0f} MB"


@scenario("32", "leases are renewed again and again", quick=100, full=20_000)
def renewals(place: Place, n: int) -> str:
    study = opened(place.url, seed=0)
    trials = study.ask(4, lease=60.0)
    before = studies(place.url)[0].events
    for _ in range(n):
        study.renew(*trials, lease=60.0)
    begun = time.monotonic()
    again = kg.Study.load(place.url).trials
    seconds = time.monotonic() - begun
    after = studies(place.url)[0].events
    assert (after, again) == (before, study.trials)
    return f"{n} renewals, {after - before} more events, opened in {seconds:.2f} s"


@scenario(
    "28",
    "sizes: 20,000 results, 500 options, 400 constraints, 5,000 results to diagnose",
    quick=0,
    full=20_000,
    on=("sqlite",),
)
def sizes(place: Place, n: int) -> str:
    """CPU seconds and memory of each question, in a process of its own."""
    seen = {f"{what} at {n:,} results": alone(large.asked, what, 6, n) for what in large.QUESTIONS}
    seen[f"diagnostics at {n // 4:,}"] = alone(large.asked, "diagnostics", 6, n // 4)
    seen[f"ask with {n // 40} options"] = alone(large.options, n // 40)
    seen[f"start and ask with {n // 50} constraints"] = alone(large.constraints, n // 50)
    for what, (seconds, megabytes) in seen.items():
        assert seconds <= 60, what
        assert megabytes <= 2_000, what
    return ", ".join(f"{what} {seconds:.1f} s {megabytes:.0f} MB" for what, (seconds, megabytes) in seen.items())
