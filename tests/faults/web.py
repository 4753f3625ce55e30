"""The HTTP service while others work, and at the full figures of its own tests."""

from __future__ import annotations

import threading
from collections import Counter

from knowgrad.errors import KnowgradError, NoDataError
from tests.faults.people import opened
from tests.faults.races import many_workers
from tests.faults.scenario import Place, scenario
from tests.faults.suites import HERE, suite
from tests.web.serving import client, serving

PAGES = ("", "/version", "/trials?limit=500", "/recommend", "/gain", "/diagnostics", "/charts/history?checkpoints=2")


@scenario("9", "the dashboard polled during 7", quick=6, full=64)
def polled(place: Place, n: int) -> str:
    opened(place.url, seed=0)
    with serving(place.url, allow_edit=False) as service:
        poller = _Poller(client(service).study("faults"))
        poller.start()
        try:
            saw = many_workers(place, n)
        finally:
            poller.over.set()
            poller.join()
    assert not poller.errors, poller.errors[:3]
    assert poller.answers.total() >= len(PAGES)
    return f"{poller.answers.total()} answers, 0 errors for readers; workers: {saw}"


class _Poller(threading.Thread):
    """Asks for everything the page asks for, again and again, until told that it is over."""

    def __init__(self, study):
        super().__init__()
        self.study, self.over = study, threading.Event()
        self.answers, self.errors = Counter(), []

    def run(self):
        while not self.over.is_set() or not self.answers:
            for page in PAGES:
                try:
                    self.study.client.call("GET", f"/api/studies/{self.study.uid}{page}")
                except NoDataError:
                    pass  # nobody has told a result yet
                except (KnowgradError, OSError) as error:
                    self.errors.append(f"{page}: {error!r}")
                self.answers[page] += 1


@scenario("21", "requests generated from the API's document, per operation", quick=0, full=300, on=HERE)
def generated_requests(place: Place, n: int) -> str:
    return f"{n} of each operation, 0 responses of 500 or more, 0 schema violations: " + suite(
        n, "-p", "schemathesis", "tests/web/document.py"
    )


@scenario("22", "every route and method without the token; forged hosts, origins, forms", quick=0, full=1, on=HERE)
def forged_requests(place: Place, n: int) -> str:
    return "all refused, state unchanged: " + suite(n, "tests/web/test_guard.py", "-k", "not bodies")


@scenario("23", "oversized, deep and slow bodies", quick=0, full=1, on=HERE)
def bad_bodies(place: Place, n: int) -> str:
    return "413, 422 and 408: " + suite(n, "tests/web/test_guard.py", "-k", "bodies")


@scenario("24", "scripts as names, options, workers and reasons, in a browser", quick=0, full=1, on=HERE)
def injected_scripts(place: Place, n: int) -> str:
    return "0 executions: " + suite(n, "tests/web/test_dashboard.py", "-k", "injected")
