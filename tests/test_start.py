"""The first evaluations of a run: a broken objective stops it and harms no study; single failures are recorded."""

import math
import os
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, NoDataError, NotANumberError, ObjectiveError, ObjectiveWarning

SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}


def states(study):
    return Counter(trial.state for trial in study.trials)


def buggy(params):
    return params["lr"]


@pytest.fixture
def good(tmp_path):
    """A study with results, in a file."""
    kg.minimize(lambda p: (p["x"] - 0.3) ** 2, SPACE, n_trials=6, storage=tmp_path / "runs.db", seed=0, progress=False)
    return tmp_path / "runs.db"


@pytest.mark.parametrize("workers", [1, 3])
def test_a_bug_leaves_a_good_study_as_it_was(good, workers):
    before = kg.Study.load(good)
    known, use = states(before), before.recommend()
    with pytest.raises(
        ObjectiveError, match=r"first \d evaluations .* KeyError: 'lr'(?s:.*)Traceback(?s:.*)params\[\"lr\"\]"
    ):
        kg.minimize(buggy, SPACE, n_trials=40, workers=workers, storage=good, seed=0, progress=False)
    after = kg.Study.load(good)
    assert not after.pending
    assert states(after)["failed"] == 0
    assert states(after)["complete"] == known["complete"]
    assert after.recommend().params["x"] == pytest.approx(use.params["x"], abs=1e-6)
    lost = [trial.params for trial in after.trials if trial.state == "expired"]
    assert lost
    assert lost == [trial.params for trial in after.trials if trial.state == "queued"]  # they are the next
    mended = kg.minimize(lambda p: p["x"], SPACE, n_trials=9, storage=good, progress=False)
    assert states(mended.study)["complete"] == 9


def test_the_points_of_a_study_in_memory_come_back_too():
    study = kg.Study(SPACE, method="random", seed=0)
    study.enqueue({"x": 0.25})
    with pytest.raises(ObjectiveError):
        study.minimize(buggy, n_trials=8, progress=False)
    result = study.minimize(lambda p: p["x"], n_trials=8, progress=False)
    assert next(trial.params["x"] for trial in study.trials if trial.state == "complete") == 0.25
    assert (result.n_observed, states(study)["failed"]) == (8, 0)


@pytest.mark.parametrize("n_trials", [1, 2])
def test_a_run_of_failures_only_is_an_error_however_short(n_trials):
    study = kg.Study(SPACE, method="random", seed=0)
    with pytest.raises(ObjectiveError, match="KeyError"):
        study.minimize(buggy, n_trials=n_trials, progress=False)
    assert states(study)["failed"] == 0


def test_failures_before_the_first_result_are_recorded_with_it():
    def objective(params):
        if params["x"] > 0.3:
            raise ValueError(f"no solution at {params['x']}")
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=20, **QUICK)
    first = next(trial.number for trial in result.study.trials if trial.state == "complete")
    assert first > 0  # or this shows nothing
    assert states(result.study) == Counter(
        "failed" if trial.params["x"] > 0.3 else "complete" for trial in result.study.trials
    )
    failed = next(trial for trial in result.study.trials if trial.state == "failed")
    assert failed.reason.startswith("ValueError: no solution at 0.")
    assert failed.traceback.startswith("Traceback")
    assert "raise ValueError" in failed.traceback
    assert "knowgrad/runner" not in failed.traceback


def test_a_slow_result_among_quick_failures_is_waited_for():
    """Whoever fails, fails at once: more failures than workers may come before the first result."""
    slow = threading.Event()

    def objective(params):
        if params["x"] > 0.45:
            raise ValueError("no solution")
        assert slow.wait(20)
        return params["x"]

    def release(study, trial):
        slow.set()

    timer = threading.Timer(1.0, slow.set)
    timer.start()
    with ThreadPoolExecutor(4) as executor:
        result = kg.minimize(
            objective,
            SPACE,
            n_trials=16,
            workers=4,
            executor=executor,
            callbacks=[release],
            method="random",
            seed=1,
            progress=False,
        )
    timer.join()
    assert set(states(result.study)) == {"complete", "failed"}


def test_a_failure_that_never_stops_is_enough_even_beside_one_that_hangs():
    hang = threading.Event()
    calls = []

    def objective(params):
        calls.append(params)
        if len(calls) == 1:
            hang.wait(20)
        raise KeyError("lr")

    with ThreadPoolExecutor(2) as executor:
        with pytest.raises(ObjectiveError, match="12 evaluations"):
            kg.minimize(objective, SPACE, n_trials=500, workers=2, executor=executor, **QUICK)
        hang.set()


def test_a_way_to_fail_that_the_study_knows_does_not_stop_a_run(good):
    def objective(params):
        if params["x"] > 0.1:
            raise ValueError(f"no solution at {params['x']}")
        return 0.0

    study = kg.Study.load(good, method="random")
    (trial,) = study.ask()
    study.fail(trial, "ValueError: no solution at 0.7")
    n = states(study)["failed"] + states(study)["complete"]
    study.minimize(objective, n_trials=n + 3, progress=False)
    assert states(study)["failed"] + states(study)["complete"] == n + 3
    assert states(study)["failed"] > 1


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_caught_is_recorded_from_the_first_on_and_the_rest_is_raised(workers):
    study = kg.Study(SPACE, method="random", seed=0)
    with pytest.raises(NoDataError, match="6 failed"):
        study.minimize(buggy, n_trials=6, workers=workers, catch=LookupError, progress=False)
    assert states(study) == {"failed": 6}
    with pytest.raises(KeyError, match="lr"):
        study.minimize(buggy, n_trials=12, workers=workers, catch=(ValueError, ZeroDivisionError), progress=False)
    assert states(study)["failed"] == 6


def test_an_exception_of_a_class_that_only_the_script_knows_is_caught_by_name():
    class Odd(Exception):  # cannot be rebuilt from its text, which is what unpickling would try
        def __init__(self, a, b):
            super().__init__(f"{a} and {b}")

    def objective(params):
        raise Odd(1, 2)

    study = kg.Study(SPACE, method="random", seed=0)
    with pytest.raises(NoDataError, match="3 failed, the last with: Odd: 1 and 2"):
        study.minimize(objective, n_trials=3, workers=2, catch=Odd, progress=False)
    with pytest.raises(ObjectiveError, match="Odd: 1 and 2"):
        study.minimize(objective, n_trials=6, workers=2, catch=(), progress=False)


@pytest.mark.parametrize("catch", ["ValueError", (ValueError, 3), int, ValueError("no")])
def test_what_is_no_exception_cannot_be_caught(catch):
    with pytest.raises(ArgumentError, match="catch: expected an exception class"):
        kg.minimize(buggy, SPACE, n_trials=1, catch=catch, **QUICK)


@pytest.mark.parametrize(
    "bad",
    [None, "abc", "1.5", True, b"1", np.zeros(1), np.zeros(3), (1.0, 2.0, 3.0), {"loss": 1.0}, {"value": None}, [1.0]],
)
@pytest.mark.parametrize("catch", [None, Exception])
def test_what_cannot_be_understood_is_refused_at_the_first_evaluation(bad, catch):
    calls = []
    study = kg.Study(SPACE, method="random", seed=0)
    with pytest.raises(NotANumberError, match=r"trial 0.*let the objective return a number"):
        study.minimize(lambda p: calls.append(p) or bad, n_trials=9, catch=catch, progress=False)
    assert len(calls) == 1
    assert states(study) == {"expired": 1, "queued": 1}


@pytest.mark.parametrize(
    ("good", "sem"),
    [
        (2, None),
        (np.float32(2), None),
        (np.int64(2), None),
        (np.array(2.0), None),
        ((2.0, 0.5), 0.5),
        ((np.array(2.0), np.array(0.5)), 0.5),
        ({"value": 2.0, "sem": 0.5}, 0.5),
        ({"value": np.float64(2.0)}, None),
        ({"value": 2.0, "seconds": 17}, None),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_what_an_objective_may_return(good, sem, workers):
    result = kg.minimize(lambda p: good, SPACE, n_trials=2, workers=workers, **QUICK)
    assert {(trial.value, trial.sem) for trial in result.study.trials} == {(2.0, sem)}


def test_nan_everywhere_is_a_broken_objective_and_nan_somewhere_is_not():
    with pytest.raises(ObjectiveError, match="the value was nan"):
        kg.minimize(lambda p: math.nan, SPACE, n_trials=9, **QUICK)
    result = kg.minimize(lambda p: math.nan if p["x"] > 0.6 else p["x"], SPACE, n_trials=9, **QUICK)
    assert set(states(result.study)) == {"complete", "failed"}


def test_results_that_are_all_the_same_are_wondered_at():
    with pytest.warns(ObjectiveWarning, match="the first 4 results of this run are all 0.5, at 4 different points"):
        kg.minimize(lambda p: 0.5, SPACE, n_trials=20, **QUICK)
    with pytest.warns(ObjectiveWarning, match="the first 6 results"):
        kg.minimize(lambda p: 0.5, SPACE, n_trials=20, workers=3, **QUICK)
    kg.minimize(lambda p: 0.5, {"only": ["one"]}, n_trials=5, **QUICK)  # replicates of an exact result
    kg.minimize(lambda p: max(p["x"], 0.9), SPACE, n_trials=3, **QUICK)  # too few to tell


def test_a_run_that_ends_by_interrupt_records_the_failures_it_has_seen(capsys):
    calls = []

    def objective(params):
        calls.append(params)
        if len(calls) == 3:
            raise KeyboardInterrupt
        raise ValueError("no solution")

    study = kg.Study(SPACE, method="random", seed=0)
    study.add({"x": 0.5}, 1.0)
    assert study.minimize(objective, n_trials=9, progress=False).stopped == "interrupted"
    assert states(study) == {"complete": 1, "failed": 2, "expired": 1}
    assert capsys.readouterr().err


def test_a_worker_that_dies_is_never_raised_as_an_exception_of_the_objective():
    def objective(params):
        if params["x"] > 0.5:
            os._exit(3)
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=6, workers=2, catch=(), **QUICK)
    assert {trial.reason for trial in result.study.trials if trial.state == "failed"} == {
        "BrokenExecutor: the worker process died with exit code 3"
    }


def test_sys_exit_in_the_objective_does_not_end_the_program():
    with pytest.raises(ObjectiveError, match="SystemExit: 2"):
        kg.minimize(lambda params: sys.exit(2), SPACE, n_trials=5, **QUICK)
    with pytest.raises(ObjectiveError, match="the objective raised SystemExit: 2"):
        kg.minimize(lambda params: sys.exit(2), SPACE, n_trials=5, catch=Exception, **QUICK)


def test_time_is_up_for_a_trial():
    def objective(params):
        if params["x"] > 0.5:
            time.sleep(60)
        return params["x"]

    began = time.monotonic()
    result = kg.minimize(objective, SPACE, n_trials=4, trial_timeout=1.0, **QUICK)
    assert time.monotonic() - began < 40
    for trial in result.study.trials:
        late = trial.params["x"] > 0.5
        assert trial.reason == ("took longer than 1 s (trial_timeout)" if late else None)
    assert states(result.study)["failed"] >= 1


def test_time_is_up_for_a_trial_on_an_executor():
    """The second waits in the executor's queue for as long as the first is at it: that is not its own time."""
    done = threading.Event()
    calls = []

    def objective(params):
        calls.append(params)
        if len(calls) == 2:
            done.wait(2)
        return params["x"]

    with ThreadPoolExecutor(1) as executor:
        result = kg.minimize(objective, SPACE, n_trials=4, executor=executor, trial_timeout=0.5, **QUICK)
        done.set()
    assert [trial.reason for trial in result.study.trials] == [
        None,
        "took longer than 0.5 s (trial_timeout)",
        None,
        None,
    ]


def test_a_single_worker_ends_by_the_clock():
    def objective(params):
        time.sleep(0.0 if params["x"] < 0.6 else 60.0)
        return params["x"]

    began = time.monotonic()
    result = kg.minimize(objective, SPACE, n_trials=10_000, timeout=3, **QUICK)
    assert time.monotonic() - began < 30
    assert result.stopped == "timeout"
    assert not result.study.pending
