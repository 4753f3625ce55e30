"""Who gets which point when many ask at once."""

import threading

import pytest

import knowgrad as kg
from knowgrad.log import dispatch
from knowgrad.storage import Memory
from knowgrad.trial import Event

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


@pytest.fixture
def log():
    return Memory()


def studied(log):
    """A study and the sizes of the questions its model was asked."""
    study, calls = kg.Study(SPACE, storage=log, seed=0), []
    suggest = study._suggest

    def counted(known, q):
        calls.append(len(known))
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
            first.add({"x": 0.5, "y": 0.5}, 1.0)
            first.enqueue({"x": 0.1, "y": 0.5})
            first.ask(1)

    first, (second, calls) = kg.Study(SPACE, storage=log, seed=0), studied(log)
    log.append([Event("turn", {"ticket": "somebody", "lease": 5.0, "deadline": log.now() + 5.0})])
    monkeypatch.setattr(dispatch.time, "sleep", sleep)
    (trial,) = second.ask(1)
    assert trial.number == 2
    assert calls == [2]
    assert len(waits) == 3


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


def test_a_crowd_computes_about_as_often_as_it_asks(log):
    crowd, start = [studied(log) for _ in range(12)], threading.Barrier(12)

    def ask(study):
        start.wait()
        study.ask(1)

    threads = [threading.Thread(target=ask, args=(study,)) for study, _ in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    points = [tuple(trial.params.values()) for trial in crowd[0][0].trials]
    assert len(set(points)) == 12
    assert sum(len(calls) for _, calls in crowd) <= 3 * 12
