"""Hostile clients of the HTTP service, and an honest one beside them."""

from __future__ import annotations

from benchmarks.service.attacks import ATTACKS
from benchmarks.service.hostile import ALLOWED, bench, shown_elsewhere
from tests.faults.scenario import Place, scenario
from tests.faults.suites import HERE

BLOCKED = 5.0  # seconds: in the tests, where other work goes on beside them, it only counts that nobody is shut out
FULL = 80  # tenths of a second of each attack


@scenario("25", "hostile clients of the HTTP service, tenths of a second each", quick=3, full=FULL, on=HERE)
def hostile_clients(place: Place, n: int) -> str:
    worst, questions = (0.0, "none"), 0.0
    tells = 0
    with bench(place.url) as service:
        for name, count, attack in ATTACKS:
            seen = service.during(attack, count, n / 10)
            assert not seen.errors, (name, seen.errors[:3])
            assert seen.p99 <= (ALLOWED if n >= FULL else BLOCKED), (name, seen.row(name, count))
            worst, questions = max(worst, (seen.p99, name)), max(questions, *seen.asks)
            tells += len(seen.tells)
    assert shown_elsewhere(n) == []
    told = f"{tells} honest tells, 0 errors, p99 at most {1e3 * worst[0]:.0f} ms ({worst[1]})"
    asked = f"a tiny study's question at most {questions:.1f} s, 0 of {n} tokens shown after a redirect"
    return f"{len(ATTACKS)} attacks: {told}; {asked}"
