"""What a run leaves behind: nothing. Threads, children and grandchildren of objectives and commands end with it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

import knowgrad as kg
from knowgrad.cli.program.command import Command
from knowgrad.runner import ending
from tests.processes import gone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")
SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}
LATE = 30  # seconds; nothing here needs more than its grace period
LIMITS = (2, 4, 8, 16, 32)  # seconds; on a busy machine a process takes a while to begin


def test_a_leftover_thread_does_not_keep_a_run_from_returning(tmp_path, monkeypatch):
    monkeypatch.setattr(ending, "GRACE", 0.5)

    def objective(params):
        (tmp_path / f"{os.getpid()}.pid").touch()
        threading.Thread(target=time.sleep, args=(LATE,)).start()
        return params["x"]

    began = time.monotonic()
    result = kg.minimize(objective, SPACE, n_trials=3, workers=2, **QUICK)
    assert time.monotonic() - began < LATE / 2
    assert Counter(trial.state for trial in result.study.trials) == {"complete": 3}
    assert gone(tmp_path, within=0)


def test_leftover_children_of_an_objective_end_with_the_run(tmp_path):
    def objective(params):
        child = subprocess.Popen(["sleep", str(LATE)])
        (tmp_path / f"{child.pid}.pid").touch()
        return params["x"]

    kg.minimize(objective, SPACE, n_trials=3, workers=2, **QUICK)
    assert gone(tmp_path, within=1)


def test_what_a_worker_started_ends_when_the_worker_dies(tmp_path):
    def objective(params):
        child = subprocess.Popen(["sleep", str(LATE)])
        (tmp_path / f"{child.pid}.pid").touch()
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(kg.errors.ObjectiveError, match="exit code -9"):
        kg.minimize(objective, SPACE, n_trials=1, workers=2, **QUICK)
    assert gone(tmp_path, within=1)


def run_out(objective, folder):
    """Of time: the first limit that is long enough for the objective to leave its pid."""
    for limit in LIMITS:
        with pytest.raises(kg.errors.NoDataError, match="timeout"):
            kg.minimize(objective, SPACE, n_trials=1, workers=2, timeout=limit, **QUICK)
        if list(folder.glob("*.pid")):
            return


def test_whoever_traps_sigterm_may_clean_up(tmp_path):
    def objective(params):
        script = "trap 'echo once >> clean' TERM; touch $$.pid; while [ ! -e clean ]; do sleep 0.1; done; sleep 0.3"
        subprocess.run(["sh", "-c", script], cwd=tmp_path, check=False)

    run_out(objective, tmp_path)
    assert (tmp_path / "clean").read_text() == "once\n"  # a second signal would mean: at once
    assert gone(tmp_path, within=1)


def test_whoever_does_not_go_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(ending, "GRACE", 0.5)

    def objective(params):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        (tmp_path / f"{os.getpid()}.pid").touch()
        time.sleep(LATE)

    run_out(objective, tmp_path)
    assert gone(tmp_path, within=1)


def test_background_processes_of_a_command_end_with_it(tmp_path, monkeypatch):
    monkeypatch.setattr(ending, "GRACE", 0.5)
    monkeypatch.chdir(tmp_path)
    script = 'trap "" TERM; sleep 30 & touch $!.pid; trap - TERM; sleep 30 & touch $!.pid; echo 0.5'
    assert Command(("sh", "-c", script), ())({}) == 0.5
    assert gone(tmp_path, within=1)
    assert Command(("sh", "-c", "sleep 30 & touch $!.pid; exit 3"), ())({}).reason == "exit code 3"
    assert gone(tmp_path, within=1)


COMMAND = ["-m", "knowgrad.cli", "run", "space.toml", "--trials", "2", "--lease", "2"]


def ended(folder, how, words, pids):
    """What a run has said that is ended when its command has written this many pids: by a signal, or by a limit of
    time, the first that is long enough for the command to be under way."""
    (folder / "space.toml").write_text('method = "random"\n[space]\nx = {low = 0.0, high = 1.0}\n')
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    for limit in LIMITS if "timeout" in how else (None,):
        limits = [] if limit is None else [f"--{how}", str(limit)]
        command = [sys.executable, *COMMAND, *limits, *words]
        with subprocess.Popen(command, cwd=folder, **said) as process:
            while len(list(folder.glob("*.pid"))) < pids and process.poll() is None:
                time.sleep(0.05)
            if how == "the worker":
                (worker,) = (int(path.stem) for path in folder.glob("*.worker"))
                os.kill(worker, signal.SIGKILL)
                time.sleep(1)
                process.send_signal(signal.SIGTERM)
            elif limit is None:
                process.send_signal(getattr(signal, how))
            _, err = process.communicate(timeout=40)
        if len(list(folder.glob("*.pid"))) >= pids:
            return limit, err
    raise AssertionError(f"the command did not begin: {err}")


@pytest.mark.parametrize("how", ["SIGTERM", "SIGINT", "SIGKILL", "timeout", "the worker"])
def test_a_command_ends_with_its_run_however_that_ends(tmp_path, how):
    script = "sleep 30 & touch $!.pid $PPID.worker; touch $$.pid; sleep 30; echo {x}"
    ended(tmp_path, how, ["--", "sh", "-c", script], pids=2)
    assert gone(tmp_path)


def test_a_command_that_traps_sigterm_gets_it_once(tmp_path):
    (tmp_path / "space.toml").write_text('method = "random"\n[space]\nx = {low = 0.0, high = 1.0}\n')
    script = (
        "trap 'echo once >> clean' TERM; touch $$.pid; while [ ! -e clean ]; do sleep 0.1; done; sleep 0.3; echo {x}"
    )
    words = [sys.executable, *COMMAND, "--", "sh", "-c", script]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not list(tmp_path.glob("*.pid")) and process.poll() is None:
            time.sleep(0.05)
        process.terminate()
        process.communicate(timeout=20)
    assert (tmp_path / "clean").read_text() == "once\n"
    assert gone(tmp_path)


LEAVING = {
    "timeout": "timeout 40 sh -c 'touch $$.pid; sleep 30'",  # a group of its own
    "setsid": "setsid sh -c 'touch $$.pid; sleep 30'",  # a session of its own
    "daemon": "(setsid sh -c 'touch $$.pid; sleep 30' >/dev/null 2>&1 &); sleep 30",  # nobody's child
}


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize(
    ("how", "way"),
    [
        ("SIGINT", "timeout"),
        ("timeout", "timeout"),
        ("timeout", "daemon"),
        ("SIGKILL", "daemon"),
        ("trial-timeout", "setsid"),
    ],
)
def test_nothing_that_a_command_started_outlives_the_run_whatever_its_group(tmp_path, how, way):
    limit, err = ended(tmp_path, how, ["--shell", "--", f"{LEAVING[way]}; echo {{x}}"], pids=1)
    assert gone(tmp_path)
    if how == "trial-timeout":
        assert f"took longer than {limit} s (trial_timeout)" in err


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_what_left_its_group_ends_with_the_command_and_the_worker(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = "(setsid sh -c 'touch $$.pid; sleep 30' &); while ! ls *.pid; do sleep 0.05; done; echo 0.5"
    assert Command(("sh", "-c", script), ())({}) == 0.5
    assert gone(tmp_path, within=1)

    def objective(params):
        child = subprocess.Popen(["sleep", str(LATE)], start_new_session=True)
        (tmp_path / f"{child.pid}.pid").touch()
        if params["x"] > 0.5:
            os.kill(os.getpid(), signal.SIGKILL)
        return params["x"]

    kg.minimize(objective, SPACE, n_trials=4, workers=2, catch=(), **QUICK)
    assert gone(tmp_path, within=1)
