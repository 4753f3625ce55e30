"""Who gets which point when many ask at once."""

import threading
import time

import pytest

import knowgrad as kg
from knowgrad.log import crowd, dispatch
from knowgrad.log.ledger import Ledger
from knowgrad.storage import Memory
from knowgrad.trial import Event, Suggestion

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


@pytest.fixture
def log():
    return Memory()


def studied(log, seconds=0.0):
    """A study and the sizes of the questions its model was asked; each takes so many seconds."""
    study, calls = kg.Study(SPACE, storage=log, seed=0), []
    suggest = study._suggest

    def counted(known, q):
        calls.append(len(known))
        if seconds:
            time.sleep(seconds)
        return suggest(known, q)

    study._suggest = counted
    return study, calls


def turns(log):
    return [event for event in log.read() if event.kind == "turn"]


def test_whoever_is_alone_announces_nothing(log):
    study, calls = studied(log)
    study.ask(2)
    study.ask(1)
    assert calls == [0, 2]
    assert not turns(log)


def test_whoever_is_overtaken_announces_a_turn_which_ends_with_the_points(log):
    (study, calls), other = studied(log), kg.Study(SPACE, storage=log)
    suggest = study._suggest

    def overtaken(known, q):
        found = suggest(known, q)
        if len(calls) == 1:
            other.ask(1)
        return found

    study._suggest = overtaken
    study.ask(1)
    assert calls == [0, 1]
    assert len(turns(log)) == 1
    assert study._log.read().ticket is None


def test_others_wait_while_somebody_chooses(log, monkeypatch):
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 3:  # whoever had the turn is done
            handed = {"number": 0, "params": {"x": 0.5, "y": 0.5}, "source": "start", "batch": 0, "worker": None}
            log.append([Event("asked", {**handed, "ticket": "somebody", "spent": 0.1})])

    second, calls = studied(log)
    log.append([Event("turn", {"ticket": "somebody", "lease": 5.0, "deadline": log.now() + 5.0})])
    monkeypatch.setattr(dispatch.time, "sleep", sleep)
    (trial,) = second.ask(1)
    assert trial.number == 1
    assert calls == [1]
    assert len(waits) == 3
    assert [event.data["q"] for event in log.read() if event.kind == "waits"] == [1]
    assert not second._log.read().waiting


def test_a_turn_of_somebody_who_died_runs_out(log):
    study, calls = studied(log)
    log.append([Event("turn", {"ticket": "dead", "lease": 5.0, "deadline": log.now() - 0.01})])
    study.ask(1)
    log.append([Event("turn", {"ticket": "of the future", "lease": 5.0, "deadline": log.now() + 86400.0})])
    study.ask(1)
    assert calls == [0, 1]


def test_points_of_the_queue_are_handed_out_whoever_is_choosing(log):
    study, calls = studied(log)
    study.enqueue({"x": 0.1, "y": 0.5})
    log.append([Event("turn", {"ticket": "somebody", "lease": 500.0, "deadline": log.now() + 500.0})])
    assert study.ask(1)[0].source == "queue"
    assert not calls


def all_at_once(askers):
    """Every study asks for a point, each in a thread of its own; how often they computed."""
    start, before = threading.Barrier(len(askers)), sum(len(calls) for _, calls in askers)

    def ask(study):
        start.wait()
        study.ask(1)

    threads = [threading.Thread(target=ask, args=(study,)) for study, _ in askers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(len(calls) for _, calls in askers) - before


def test_whoever_chooses_in_a_crowd_chooses_for_those_who_wait(log):
    askers = [studied(log, 0.1) for _ in range(12)]
    first, second = all_at_once(askers), all_at_once(askers)
    trials = askers[0][0].trials
    assert len({tuple(trial.params.values()) for trial in trials}) == 24
    assert {trial.state for trial in trials} == {"pending"}
    assert first <= 2 * 12  # strangers all begin at once
    assert second <= 6
    assert not askers[0][0]._log.read().waiting


def test_threads_of_one_process_that_wait_are_served_by_one_choice(log):
    study, calls = studied(log, 0.1)
    all_at_once([(study, calls)] * 8)
    assert len(calls) <= 4
    assert len({tuple(trial.params.values()) for trial in study.trials if trial.state == "pending"}) == 8


def test_whoever_asks_for_several_workers_announces_a_turn(log):
    """As an HTTP service does for its clients, where one of another name has a running point."""
    study, _ = studied(log)
    study.ask(1, worker="one")
    study.ask(1, worker="one")
    assert not turns(log)
    study.ask(1, worker="other")
    assert len(turns(log)) == 1
    assert study._log.read().ticket is None


def ledger(pending, ended, seconds, spent):
    """So many running, and so many that took so many seconds; the last choice in a crowd took `spent`."""
    events = [Event("created", {"uid": "u"})]
    for n in range(pending + ended):
        asked = {"number": n, "params": {"x": 0.0}, "source": "qkg", "batch": n, "worker": None, "time": 1e9}
        events.append(Event("asked", {**asked, "ticket": "a", "spent": spent}))
        if n < ended:
            events.append(Event("told", {"number": n, "value": 1.0, "sem": None, "time": 1e9 + seconds}))
    return Ledger(events)


@pytest.mark.parametrize(
    ("pending", "ended", "seconds", "spent", "expected"),
    [
        (1_000, 50, 600.0, 3.0, 5),  # 1,000 × 3 / 600
        (64, 20, 1.0, 0.5, 32),
        (20, 20, 1.0, 3.0, 60),  # each of them three times
        (1_000, 20, 1.0, 3.0, crowd.MOST),
        (4, 20, 60.0, 1.0, 0),
        (64, 0, 1.0, 1.0, 0),  # nobody knows how long an evaluation takes
        (64, 20, 1.0, 0.0, 0),
    ],
)
def test_as_many_points_are_chosen_ahead_as_evaluations_end_meanwhile(pending, ended, seconds, spent, expected):
    assert crowd.expected(ledger(pending, ended, seconds, spent)) == expected


def test_points_for_others_are_chosen_jointly_and_given_those_before():
    asked = []

    def suggest(known, q):
        asked.append((len(known), q, {trial.state for trial in known}))
        return Suggestion(tuple({"x": len(known) + i} for i in range(q)), ("qkg",) * q, gain=float(q), sem=0.1)

    found = crowd.chosen(suggest, crowd.Known.of((), 0), 2, 17)
    assert asked == [(0, 8, set()), (8, 8, {"pending"}), (16, 3, {"pending"})]
    assert [point["x"] for point in found.params] == list(range(19))
    assert found.gain == 8.0
    asked.clear()
    assert len(crowd.chosen(suggest, crowd.Known.of((), 0), 12, 1).params) == 13
    assert [q for _, q, _ in asked] == [12, 1]


@pytest.mark.parametrize(
    ("pending", "seconds", "hurried"),
    [(64, 1.0, True), (64, 10.0, True), (64, 20.0, False), (1_000, 600.0, False), (4, 1.0, False)],
)
def test_there_is_no_time_to_lose_where_many_evaluations_are_short(pending, seconds, hurried):
    found = ledger(pending, 20, seconds, 0.1)
    assert crowd.is_hurried(found) is hurried
    assert crowd.wanted(found, 1, "me", lambda: 0.0, crowded=True) >= (crowd.MOST if hurried else 0)
    assert crowd.wanted(found, 1, "me", lambda: 0.0, crowded=False) == 0


def test_in_haste_the_model_is_asked_for_more_points_at_a_time():
    sizes = []

    def suggest(known, q):
        sizes.append(q)
        return Suggestion(tuple({"x": len(known) + i} for i in range(q)), ("qkg",) * q)

    list(crowd.blocks(suggest, crowd.Known.of((), 0), 1, 60, crowd.IN_HASTE))
    assert sizes == [16, 45]


def test_a_hurried_choice_needs_no_other_model_while_results_are_few(log):
    study, _ = studied(log)
    for trial in study.ask(8):
        study.tell(trial, trial.params["x"])
    snapshot = study.snapshot()
    assert snapshot.hasty is snapshot.model
    found = snapshot.suggest(4, hurried=True)
    assert len({tuple(point.values()) for point in found.params}) == 4
    assert found.gain > 0.0


def test_points_in_stock_are_taken_without_a_look_while_there_are_enough(log, monkeypatch):
    study, calls = studied(log)
    for x in (0.1, 0.2):
        study.enqueue({"x": x, "y": 0.5})
    study.ask(1, lease=60.0)
    monkeypatch.setattr(study._log, "read", lambda: pytest.fail("the log was looked at"))
    assert study.ask(1, lease=60.0)[0].params["x"] == 0.2
    assert not calls
