"""`minimize` with a storage: the same call again finishes the job, whatever became of the first."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import knowgrad as kg
from knowgrad.errors import ConflictError, MismatchError
from knowgrad.runner.claims import Claims
from knowgrad.trial import Event
from tests.test_runner import states

SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}

SCRIPT = """
import os, sys, time
import knowgrad as kg

def loss(params):
    open(f"{os.getpid()}.began", "w").close()
    if params["x"] > 0.5 and not os.path.exists("second"):
        time.sleep(60)
    return params["x"]

quick = {"lease": 1.0, "seed": 0, "method": "random", "progress": False}
best = kg.minimize(loss, {"x": (0.0, 1.0)}, n_trials=6, workers=2, storage="runs.db", **quick)
print(best.n_observed, len(best.study.pending))
"""


def test_n_trials_counts_the_trials_of_former_runs(database):
    first = kg.minimize(lambda p: p["x"], SPACE, n_trials=3, storage=database, name="run", **QUICK)
    second = kg.minimize(lambda p: p["x"], SPACE, n_trials=5, storage=database, name="run", **QUICK)
    third = kg.minimize(lambda p: 1 / 0, SPACE, n_trials=5, storage=database, name="run", **QUICK)
    assert [len(each.study.trials) for each in (first, second, third)] == [5, 5, 5]  # one and the same study
    assert (first.n_observed, second.n_observed, third.n_observed) == (3, 5, 5)
    alone = kg.minimize(lambda p: p["x"], SPACE, n_trials=5, **QUICK)
    assert [trial.params for trial in alone.study.trials] == [trial.params for trial in third.study.trials]


def test_what_was_added_given_up_or_queued_does_not_count(tmp_path):
    path = tmp_path / "runs.db"
    study = kg.Study(SPACE, storage=path, method="random", seed=0)
    study.add({"x": 0.5}, 1.0)
    study.expire(study.ask()[0])
    study.enqueue({"x": 0.25})
    result = kg.minimize(lambda p: p["x"], SPACE, n_trials=3, storage=path, **QUICK)
    assert states(result) == {"complete": 4, "expired": 1}
    assert 0.25 in [trial.params["x"] for trial in result.study.trials if trial.state == "complete"]


def test_whoever_comes_last_gives_back_what_is_too_much(tmp_path):
    study = kg.Study(SPACE, storage=tmp_path / "runs.db", seed=0)
    for x in (0.1, 0.2, 0.3):
        study.enqueue({"x": x})
    study.ask(1, lease=0)  # lost at once: its point goes to the next who comes, under a higher number
    one, two, three = (Claims(study, lease=60.0) for _ in range(3))
    assert [trial.retry_of for trial in one.take(1, limit=2)] == [0]
    assert [trial.number for trial in two.take(1, limit=2)] == [1]
    assert three.take(1, limit=2) == []
    assert [trial.number for trial in study.pending] == [1, 3]


def test_a_point_asked_by_hand_is_not_waited_for(tmp_path):
    path = tmp_path / "runs.db"
    (by_hand,) = kg.Study(SPACE, storage=path, method="random", seed=0).ask()
    result = kg.minimize(lambda p: p["x"], SPACE, n_trials=3, storage=path, **QUICK)
    assert [trial.number for trial in result.study.pending] == [by_hand.number]
    assert states(result) == {"complete": 2, "pending": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_the_points_of_a_killed_run_come_back(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    first = subprocess.Popen([sys.executable, script], cwd=tmp_path)
    while len(list(tmp_path.glob("*.began"))) < 2 or not kg.Study.load(tmp_path / "runs.db").pending:
        time.sleep(0.05)
    time.sleep(0.5)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    lost = kg.Study.load(tmp_path / "runs.db").pending
    assert lost
    (tmp_path / "second").touch()
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "6 0\n"
    trials = kg.Study.load(tmp_path / "runs.db").trials
    assert {trial.number for trial in lost} <= {trial.retry_of for trial in trials}


def test_what_an_interrupted_run_gave_up_is_tried_first(tmp_path, capsys):
    calls = []

    def objective(params):
        calls.append(params["x"])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return params["x"]

    options = {"n_trials": 6, "batch_size": 2, "storage": tmp_path / "runs.db", **QUICK}
    assert kg.minimize(objective, SPACE, **options).stopped == "interrupted"
    assert kg.minimize(objective, SPACE, **options).stopped == "n_trials"
    assert calls[2] == calls[3]
    capsys.readouterr()


def test_another_space_under_the_same_name_is_refused(tmp_path):
    path = tmp_path / "runs.db"
    kg.minimize(lambda p: p["x"], SPACE, n_trials=1, storage=path, **QUICK)
    with pytest.raises(MismatchError, match="x: recorded"):
        kg.minimize(lambda p: p["x"], {"x": (0.0, 2.0)}, n_trials=2, storage=path, **QUICK)


def test_an_outcome_told_by_somebody_else_stands(tmp_path, capsys):
    path = tmp_path / "runs.db"

    def objective(params):
        study = kg.Study.load(path)
        study.tell(study.pending[0], 7.0)
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=2, storage=path, **QUICK)
    assert [trial.value for trial in result.study.trials] == [7.0, 7.0]
    assert "the first stands" in capsys.readouterr().err
    with pytest.raises(ConflictError):
        result.study.tell(0, 8.0)


def test_results_are_kept_while_the_database_is_away(postgres_server, monkeypatch, capsys):
    monkeypatch.setenv("KNOWGRAD_PATIENCE", "0.5")
    calls = []

    def objective(params):
        calls.append(params["x"])
        if len(calls) == 2:
            postgres_server.kill()
            threading.Timer(3.0, postgres_server.start).start()
        return params["x"]

    place = postgres_server.new_database()
    result = kg.minimize(objective, SPACE, n_trials=4, storage=place, **QUICK)
    assert [trial.value for trial in result.study.trials] == calls  # none was evaluated twice
    assert len(calls) == 4
    first, last = capsys.readouterr().err.splitlines()
    assert first.endswith("results are kept, waiting up to 600 s for the storage")
    assert last.startswith("knowgrad: the storage is there again after ")


def test_nothing_that_was_chosen_for_others_stays_queued_when_the_last_run_ends(tmp_path):
    study = kg.Study({"x": (0.0, 1.0)}, storage=str(tmp_path / "s.db"), name="s", seed=0)
    study.minimize(lambda params: params["x"], n_trials=4, progress=False)
    good = {"ahead": True, "lease": 60.0, "deadline": time.time() + 60.0}
    point = {"params": {"x": 0.5}, "source": "qkg"}
    study._log.storage.append([Event("queued", {"number": 4 + i, **point, **good}) for i in range(3)])
    study.minimize(lambda params: params["x"], n_trials=5, progress=False)
    assert [trial.state for trial in study.trials] == ["complete"] * 5 + ["expired"] * 2
    study.minimize(lambda params: params["x"], n_trials=6, progress=False)
    assert [trial.state for trial in study.trials][-3:] == ["expired", "expired", "complete"]
