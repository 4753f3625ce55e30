"""The contract of a storage, as tests: for backends of this package and of anybody else's.

    from knowgrad.testing import StorageContract

    class TestMine(StorageContract):
        @pytest.fixture
        def storage(self, tmp_path):
            return lambda: Mine(tmp_path / "log")      # opens the same log each time it is called

pytest collects the inherited tests. The first call of the fixture's function finds an empty log. A storage that has
`amend` takes `ExclusiveContract`, which contains the other.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from knowgrad.storage.base import Clock, Exclusive, OutOfDate, Storage
from knowgrad.study import Study
from knowgrad.trial import Event

Open = Callable[[], Storage]
OpenExclusive = Callable[[], Exclusive]
VALUES: list[Any] = [0.1, -0.0, 1e-308, 1.7e308, 2**62, -(2**62), 0, True, None, [], {"a": [1.0]}]
VALUES += ["", "é ☃ \ud800 \x00 \n", "' \" \\ ? %s"]


def event(i: int) -> Event:
    return Event("told", {"number": i, "value": float(i), "sem": None})


class StorageContract:
    """What every storage must do. A subclass provides the fixture `storage`."""

    def test_it_is_a_storage(self, storage: Open) -> None:
        assert isinstance(storage(), Storage)

    def test_what_is_appended_is_read_in_order(self, storage: Open) -> None:
        log = storage()
        assert log.read() == []
        assert log.append([event(0), event(1)]) == 2
        assert log.append([event(2)]) == 3
        assert log.append([]) == 3
        assert log.read() == [event(0), event(1), event(2)]
        assert log.read(after=2) == [event(2)]
        assert log.read(after=3) == []

    def test_values_come_back_exactly(self, storage: Open) -> None:
        log = storage()
        log.append([Event("told", {"value": value}) for value in VALUES])
        back = [event.data["value"] for event in log.read()]
        assert list(map(repr, back)) == list(map(repr, VALUES))

    def test_others_see_what_was_appended(self, storage: Open) -> None:
        one, two = storage(), storage()
        one.append([event(0)])
        assert two.read() == [event(0)]
        assert two.append([event(1)], expected=1) == 2
        assert one.read(after=1) == [event(1)]

    def test_a_checked_append_is_refused_when_the_log_has_grown(self, storage: Open) -> None:
        log = storage()
        log.append([event(0)], expected=0)
        for expected in (0, 2):
            assert is_refused(log, expected)
        assert log.read() == [event(0)]

    def test_what_was_read_is_not_the_log(self, storage: Open) -> None:
        log = storage()
        log.append([event(0)])
        log.read().clear()
        assert log.read() == [event(0)]

    def test_of_racing_checked_appends_exactly_one_wins(self, storage: Open) -> None:
        logs, wins, start = [storage() for _ in range(4)], list[int](), threading.Barrier(8)

        def race(i: int) -> None:
            start.wait()
            for turn in range(25):
                if not is_refused(logs[i % 4], turn):
                    wins.append(turn)

        together(race, 8)
        assert len(wins) == len(set(wins)) == len(logs[0].read())

    def test_the_clock_is_about_right_and_goes_on(self, storage: Open) -> None:
        log = storage()
        first = log.now()
        assert abs(first - time.time()) < 3600
        time.sleep(0.01)
        assert log.now() > first

    def test_a_study_is_resumed_from_it(self, storage: Open) -> None:
        study = Study({"x": (0.0, 1.0), "kind": ["a", 1, True]}, storage=storage(), seed=3, method="sobol")
        for trial in study.ask(3):
            study.tell(trial, trial.params["x"] / 3, sem=0.1)
        study.ask(2, lease=60.0, worker="me")
        study.enqueue({"x": 0.5, "kind": True})
        again = Study.load(storage())
        assert again.trials == study.trials
        assert (again.seed, again.space, again.direction) == (3, study.space, "minimize")
        assert again.ask(2) == list(study.pending[-2:])


class ExclusiveContract(StorageContract):
    """What a storage must do besides that keeps other writers out while one of them decides."""

    def test_it_can_be_amended(self, storage: OpenExclusive) -> None:
        assert isinstance(storage(), Exclusive)

    def test_an_amendment_rests_on_what_came_before_it(self, storage: OpenExclusive) -> None:
        log, seen = storage(), list[Event]()

        def decide(news: list[Event], now: Clock) -> list[Event]:
            assert abs(now() - time.time()) < 3600
            seen.extend(news)
            return [event(len(seen)), event(len(seen) + 1)]

        log.amend(0, decide)
        storage().append([event(7)])
        log.amend(2, decide)
        log.amend(3, lambda news, now: [])
        assert seen == [event(7)]
        assert log.read() == [event(0), event(1), event(7), event(1), event(2)]

    def test_an_exception_of_the_decision_leaves_the_log_as_it_was(self, storage: OpenExclusive) -> None:
        log = storage()
        log.append([event(0)])

        def refuse(news: list[Event], now: Clock) -> list[Event]:
            raise LookupError(f"after {len(news)}, {now()}")

        for _ in range(2):
            try:
                log.amend(0, refuse)
            except LookupError:
                continue
            raise AssertionError("the exception was lost")
        assert log.read() == [event(0)]
        assert log.append([event(1)]) == 2

    def test_nobody_else_appends_while_one_decides(self, storage: OpenExclusive) -> None:
        logs, decided, start = [storage() for _ in range(4)], list[int](), threading.Barrier(8)

        def race(i: int) -> None:
            start.wait()
            for _ in range(10):
                log, length = logs[i % 4], 0

                def decide(news: list[Event], now: Clock) -> list[Event]:
                    nonlocal length
                    length += len(news)
                    decided.append(length)
                    time.sleep(0.001)
                    return [event(length)]

                log.amend(0, decide)

        together(race, 8)
        assert logs[0].read() == [event(i) for i in range(80)]
        assert decided == list(range(80))


def together(work: Callable[[int], None], n: int) -> None:
    """Done by `n` threads at once."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def is_refused(log: Storage, expected: int) -> bool:
    """Is an append that expects this length refused?"""
    try:
        log.append([event(expected)], expected)
    except OutOfDate:
        return True
    return False
