"""One moment, one fit: a study that has not changed is encoded once and fitted once, whoever asks."""

import os
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor import moment
from knowgrad.advisor.memo import Memo
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.trial import Settings
from tests.test_suggest import PLANE, complete, loss

QUESTIONS = {
    "recommend": lambda study: study.recommend(),
    "gain": lambda study: study.gain(2),
    "diagnostics": lambda study: study.diagnostics(),
    "plot": lambda study: study.plot("calibration").to_json(),
}


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many results each fit had."""
    made: list[int] = []
    real = moment.fitted

    def counted(space, data, settings, how):
        made.append(len(data.at("complete")))
        return real(space, data, settings, how)

    monkeypatch.setattr(moment, "fitted", counted)
    return made


def study(n: int = 8, **options) -> kg.Study:
    made = kg.Study(PLANE, seed=7, **options)
    for trial in complete(PLANE, loss, n=n):
        made.add(trial.params, trial.value)
    return made


def test_all_questions_take_one_fit(fits):
    made = study()
    made.ask(2)
    for question in QUESTIONS.values():
        question(made)
    assert fits == [8]


def test_a_result_or_a_failure_makes_a_new_fit_and_nothing_else_does(fits):
    made = study()
    a, b, c = made.ask(3)
    made.enqueue(a.params)
    made.renew(a, lease=100)
    made.expire(c)
    made.recommend()
    assert fits == [8]
    made.tell(a, 1.0)
    made.recommend()
    made.gain(2)
    assert fits == [8, 9]
    made.fail(b, "lost")
    made.recommend()
    assert fits == [8, 9, 9]
    made.tell(c, 2.0)  # a late result
    made.ask(2)
    assert fits == [8, 9, 9, 10]


@pytest.mark.parametrize("fit", ["map", "bayes"])
def test_a_shared_fit_gives_the_answers_of_a_fit_of_ones_own(fit):
    made = study(fit=fit)
    made.ask(2)
    for name, question in QUESTIONS.items():
        fresh = kg.Study(PLANE, seed=7, storage=made._log, fit=fit)  # has asked nothing yet
        assert question(made) == question(fresh), name


def test_every_trial_is_encoded_once(monkeypatch: pytest.MonkeyPatch):
    space, encoded = kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints=["x + y <= 1.5"]), []
    trials = complete(space, lambda p: p["x"] + p["y"], n=8, pending=2)
    real = kg.Space.encode
    monkeypatch.setattr(kg.Space, "encode", lambda self, params: (encoded.append(params), real(self, params))[1])
    monkeypatch.setattr(kg.Space, "encode_many", lambda self, many: np.array([self.encode(params) for params in many]))
    snapshot = Snapshot(space, trials, Settings(7))
    snapshot.suggest(2)
    assert snapshot.recommendation
    assert snapshot.gain(1) >= 0.0
    assert snapshot.diagnostics
    assert encoded == [trial.params for trial in trials]
    more = complete(space, lambda p: p["x"], n=9)[8:]
    later = snapshot.given([replace(trials[0], value=1.0), *trials[1:], *more])
    np.testing.assert_array_equal(later.data.points, Snapshot(space, later.trials, Settings(7)).data.points)
    assert encoded[len(trials) :][:1] == [more[0].params]
    assert len(encoded) == 2 * len(trials) + 2


def test_threads_share_a_fit_and_get_the_answers_of_one(fits):
    names = 2 * ["recommend", "gain", "diagnostics"]
    one, made, ready = study(), study(), threading.Barrier(len(names))
    expected = [str(QUESTIONS[name](one)) for name in names]

    def answer(name):
        ready.wait(10.0)
        return str(QUESTIONS[name](made))

    with ThreadPoolExecutor(len(names)) as threads:
        assert list(threads.map(answer, names, timeout=60.0)) == expected
    assert fits == [8, 8]


def test_what_is_kept_cannot_be_changed_from_outside():
    made = study()
    made.recommend().params["x"] = 99.0
    assert made.recommend().params["x"] != 99.0


def test_a_snapshot_is_the_same_until_trials_change():
    made = study()
    first = made.snapshot()
    assert made.snapshot() is first
    made.ask()
    second = made.snapshot()
    assert second is not first
    assert second.model is first.model
    assert first.given(first.trials[:5]).model is not first.model
    assert replace(first, settings=Settings(7, noise=0)).model is not first.model


def test_a_snapshot_is_pickled_as_what_it_was_made_of():
    snapshot = study().snapshot()
    again = pickle.loads(pickle.dumps(snapshot))
    assert again.recommendation.params == snapshot.recommendation.params


def test_an_error_is_not_kept():
    memo, answers = Memo(), iter([ZeroDivisionError, None])

    def compute():
        if (error := next(answers)) is not None:
            raise error
        return 3

    with pytest.raises(ZeroDivisionError):
        memo.get("k", compute)
    assert memo.get("k", compute) == memo.get("k", compute) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_does_not_wait_for_a_thread_it_does_not_have():
    memo, started, end = Memo(), threading.Event(), threading.Event()

    def slow():
        started.set()
        end.wait(30.0)
        return 1

    thread = threading.Thread(target=memo.get, args=("k", slow))
    thread.start()
    started.wait(10.0)
    if (child := os.fork()) == 0:
        os._exit(memo.get("k", lambda: 2))
    status = _waited(child)
    end.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 2
    assert memo.get("k", lambda: 3) == 1


def _waited(child: int) -> int:
    """Its status; a child that hangs is killed."""
    timer = threading.Timer(10.0, os.kill, (child, 9))
    timer.start()
    try:
        return os.waitpid(child, 0)[1]
    finally:
        timer.cancel()
