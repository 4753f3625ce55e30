"""Writers that are killed: at random, and at each point where it could hurt."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import knowgrad as kg
from knowgrad.storage import open_storage, rows
from tests.faults.people import SPACE, opened, settle, start, writer
from tests.faults.scenario import Place, scenario

KINDS = {"created": "create", "asked": "ask", "told": "tell", "expired": "expire"}
POINTS = ("decided", "written", "committed")
Step = Callable[[str, str], None]  # the address of a database, the name of a study


@scenario("1", "kill -9 a writer at random", quick=8, full=200)
def random_kills(place: Place, n: int) -> str:
    receipts, rng = place.folder / "receipts", random.Random(0)
    opened(place.url, seed=0)
    for _ in range(n):
        before = receipts.stat().st_size if receipts.exists() else 0
        process = start(writer, place.url, receipts)
        while not receipts.exists() or receipts.stat().st_size == before:
            assert process.is_alive()
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    promised, lost, doubled = settle(place.url, [receipts])
    study = kg.Study.load(place.url)
    for trial in study.pending:  # whoever is not sure repeats it
        study.tell(trial, 0.5)
    assert (lost, doubled, len(study.pending)) == (0, 0, 0)
    return f"{n} kills, {promised} acknowledged, {lost} lost, {doubled} doubled"


@scenario("2", "kill -9 at each named fault point of create, ask, tell, expire", quick=1, full=20)
def named_kills(place: Place, n: int) -> str:
    return kill_at_points(place, n, KINDS, perform, _check)


def kill_at_points(place: Place, n: int, kinds: Collection[str], work: Step, check: Step) -> str:
    """Each kind of event at each point: somebody at work is killed there, the work is done again, and it is right."""
    done = 0
    for repeat in range(n):
        for kind in kinds:
            for point in POINTS:
                study = f"{kind} {point} {repeat}"
                process = start(die, place.url, study, kind, point, work)
                process.join()
                assert process.exitcode == -signal.SIGKILL, f"{study}: the process was to be killed"
                work(place.url, study)
                check(place.url, study)
                done += 1
    return f"{done} kills at {len(kinds) * len(POINTS)} points, 0 lost, 0 doubled"


def perform(url: str, name: str) -> None:
    """Create, ask, lose a lease, ask again, tell: each step may have been done before, and may be repeated."""
    study = kg.Study(SPACE, storage=url, name=name, seed=0)
    if not study.trials:
        study.enqueue({"x": 0.25})
    if study.trials[0].state == "queued":
        study.ask(1, lease=0.0)
    if len(study.trials) == 1 or study.trials[1].state == "queued":
        study.ask(1)
    study.tell(1, 1.5)


def _check(url: str, name: str) -> None:
    """All of it happened once."""
    log = open_storage(url, name).read()
    kinds = Counter(event.kind for event in log)
    assert kinds == {"created": 1, "queued": 2, "asked": 2, "expired": 1, "told": 1}, f"{name}: {kinds}"
    lost, again = kg.Study.load(url, name).trials
    assert (lost.state, again.state, again.retry_of, again.value) == ("expired", "complete", 0, 1.5)


def die(url: str, name: str, kind: str, point: str, work: Step) -> None:
    """Do this work, and be killed where told to when an event of this kind is written."""
    log, write = type(open_storage(url, name)), rows.write
    amend = log.amend

    def pass_by(here: str, events: Any) -> None:
        if here == point and any(event.kind == kind for event in events):
            os.kill(os.getpid(), signal.SIGKILL)

    def dying_write(run: Any, study: str, length: int, chain: str, events: Any, receipt: str) -> Any:
        written = write(run, study, length, chain, events, receipt)
        pass_by("written", events)
        return written

    def dying_amend(self: Any, after: int, decide: Any) -> None:
        events: Any = ()

        def dying_decide(*args: Any) -> Any:
            nonlocal events
            events = decide(*args)
            pass_by("decided", events)
            return events

        amend(self, after, dying_decide)
        pass_by("committed", events)

    rows.write, log.amend = dying_write, dying_amend
    work(url, name)
