"""Many processes that want the same thing at the same time."""

from __future__ import annotations

import os
import time
from typing import Any

import knowgrad as kg
from knowgrad.errors import ConflictError
from knowgrad.storage import open_storage, studies
from tests.faults.people import crowd, opened
from tests.faults.scenario import Place, scenario


@scenario("5", "two conflicting tells race", quick=20, full=1000)
def conflicting_tells(place: Place, n: int) -> str:
    opened(place.url, seed=0)
    numbers = [trial.number for trial in study_of(place.url, n)]
    first, second = crowd(tell_each, 2, place.url, numbers)
    assert all(sorted(pair) == ["conflict", "won"] for pair in zip(first, second, strict=True))
    values = [trial.value for trial in kg.Study.load(place.url).trials]
    assert values == [0.0 if answer == "won" else 1.0 for answer in first]
    return f"{n} races, each with one winner and one ConflictError; the first process won {first.count('won')}"


def study_of(url: str, n: int) -> list[kg.Trial]:
    """A study with `n` points handed out."""
    study = opened(url)
    for i in range(n):
        study.enqueue({"x": i / n})
    return study.ask(n)


def tell_each(i: int, barrier: Any, url: str, numbers: list[int]) -> list[str]:
    study, answers = opened(url), []
    for number in numbers:
        barrier.wait()
        try:
            study.tell(number, float(i))
            answers.append("won")
        except ConflictError:
            answers.append("conflict")
    return answers


@scenario("6", "the same tell again and again, from 8 processes", quick=80, full=1000)
def same_tell(place: Place, n: int) -> str:
    opened(place.url, seed=0)
    study_of(place.url, 1)
    crowd(tell_again, 8, place.url, n // 8)
    told = [event for event in open_storage(place.url, "faults").read() if event.kind == "told"]
    assert len(told) == 1
    return f"{n // 8 * 8} tells, all accepted, {len(told)} observation"


def tell_again(i: int, barrier: Any, url: str, n: int) -> None:
    study = opened(url)
    barrier.wait()
    for _ in range(n):
        assert study.tell(0, 0.25, sem=0.5).value == 0.25


@scenario("7", "64 workers x 20 trials, 100 ms objective, points from a queue", quick=12, full=64)
def many_workers(place: Place, n: int) -> str:
    study, each = opened(place.url, seed=0), 20 if n == 64 else 3
    for i in range(n * each):
        study.enqueue({"x": i / (n * each)})
    begun = time.monotonic()
    answers = crowd(work, n, place.url, each, "tell")
    seconds = time.monotonic() - begun
    return _distinct(place.url, answers, n * each) + f" in {seconds:.0f} s"


@scenario("7b", "64 workers x 20 trials, 100 ms objective, points chosen when asked for", quick=6, full=64)
def many_askers(place: Place, n: int) -> str:
    opened(place.url, seed=0)
    each = 20 if n == 64 else 3
    begun = time.monotonic()
    answers = crowd(work, n, place.url, each, "fail")  # nothing to fit: what is tested is who gets which point
    seconds = time.monotonic() - begun
    computed = sum(computed for _, computed in answers)
    assert computed <= 4 * n * each, f"{computed} suggestions computed for {n * each} points"
    trials = kg.Study.load(place.url).trials
    worked = [trial for trial in trials if trial.state == "failed"]
    assert {trial.state for trial in trials} <= {"failed", "expired"}  # points ahead that nobody came for in time
    assert len({trial.params["x"] for trial in worked}) == n * each, f"{len(worked)} evaluated, some of them twice"
    assert sorted(number for numbers, _ in answers for number in numbers) == [trial.number for trial in worked]
    lapsed = len(trials) - len(worked)
    return f"0 errors, {n * each} distinct numbers and points, {computed} computed, {lapsed} lapsed, in {seconds:.0f} s"


def _distinct(url: str, answers: list[Any], n: int) -> str:
    numbers = [number for numbers, _ in answers for number in numbers]
    assert sorted(numbers) == list(range(n))
    assert not kg.Study.load(url).pending
    return f"0 errors, {len(set(numbers))} distinct numbers"


def work(i: int, barrier: Any, url: str, each: int, outcome: str) -> tuple[list[int], int]:
    """The numbers of the trials evaluated, and how many suggestions were computed for them."""
    study, numbers, computed = opened(url), [], 0
    suggest = study._suggest

    def counted(*args: Any) -> Any:
        nonlocal computed
        computed += 1
        return suggest(*args)

    study._suggest = counted  # type: ignore[method-assign]
    barrier.wait()
    for _ in range(each):
        (trial,) = study.ask(worker=str(i))
        time.sleep(0.1)
        numbers.append((study.tell(trial, 1.0) if outcome == "tell" else study.fail(trial, "so")).number)
    return numbers, computed


@scenario("8", "64 processes open a database that is not there", quick=16, full=64)
def open_at_once(place: Place, n: int) -> str:
    begun = time.monotonic()
    uids = crowd(open_first, n, place.url)
    seconds = time.monotonic() - begun
    assert len(set(uids)) == 1
    assert [(study.name, study.events) for study in studies(place.url)] == [("faults", 1)]
    assert seconds < 30 or n < 64
    return f"{n} of {n} in {seconds:.1f} s, starting them included; one study"


def open_first(i: int, barrier: Any, url: str) -> str:
    barrier.wait()
    opened(url, seed=0)
    return studies(url)[0].uid


@scenario("14", "fork after open, 8 children", quick=2, full=20)
def forks(place: Place, n: int) -> str:
    crowd(fork_children, 1, place.url, n)
    trials = kg.Study.load(place.url).trials
    assert len(trials) == n * 8 * 6 + n * 5
    assert {trial.state for trial in trials} == {"complete"}
    return f"{8 * n} children, {len(trials)} results, none lost"


def fork_children(i: int, barrier: Any, url: str, n: int) -> None:
    study = opened(url, seed=0)
    for _ in range(n):
        children = []
        for _ in range(8):
            study.add({"x": 0.5}, 0.0)
            pid = os.fork()
            if not pid:
                os._exit(_as_child(study))
            children.append(pid)
        for _ in range(5):
            study.add({"x": 0.125}, 0.0)
        assert {os.waitpid(pid, 0)[1] for pid in children} == {0}


def _as_child(study: kg.Study) -> int:
    try:
        for _ in range(5):
            study.add({"x": 0.25}, 0.0)
    except BaseException:
        return 1
    return 0
