"""A server that goes away."""

from __future__ import annotations

import time

from tests.faults.people import opened, settle, start, writer
from tests.faults.scenario import Place, scenario

WRITERS = 4


@scenario("12", "the PostgreSQL server killed during a run", quick=2, full=20, on=("postgres",))
def server_kills(place: Place, n: int) -> str:
    opened(place.url, seed=0)
    receipts = [place.folder / f"receipts {i}" for i in range(WRITERS)]
    writers = [start(writer, place.url, path) for path in receipts]
    slowest = 0.0
    try:
        wait_for_all(receipts, 0.0)
        for _ in range(n):
            place.server.kill()
            place.server.start()
            slowest = max(slowest, wait_for_all(receipts, time.time()))
        assert all(process.is_alive() for process in writers)
    finally:
        for process in writers:
            process.kill()
            process.join()
    promised, lost, doubled = settle(place.url, receipts)
    assert (lost, doubled) == (0, 0)
    assert slowest < 10
    return f"{n} kills, {promised} acknowledged, {lost} lost, {doubled} doubled; all back within {slowest:.1f} s"


def wait_for_all(receipts, since: float) -> float:
    """Seconds until every writer has got something acknowledged after `since`."""
    while not all(path.exists() and _latest(path) > since for path in receipts):
        assert time.time() - since < 60 or not since
        time.sleep(0.02)
    return time.time() - since if since else 0.0


def _latest(path) -> float:
    lines = path.read_text().splitlines()
    return float(lines[-1].split()[2]) if lines else 0.0
