"""`minimize` and `maximize`: the loop, its workers, and every way a run can end."""

import asyncio
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from inspect import signature
from types import SimpleNamespace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, NoDataError, ObjectiveError

SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}


def square(params):
    return (params["x"] - 0.3) ** 2


def states(result):
    return Counter(trial.state for trial in result.study.trials)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_minimize_and_maximize_have_the_same_options():
    assert signature(kg.maximize) == signature(kg.minimize)
    with pytest.raises(TypeError, match="unexpected option 'timout'"):
        kg.maximize(square, SPACE, n_trials=1, timout=3)


def test_minimize_and_maximize_find_the_optimum():
    low = kg.minimize(square, SPACE, n_trials=12, seed=0, noise=0, progress=False)
    high = kg.maximize(lambda params: -square(params), SPACE, n_trials=12, seed=0, noise=0, progress=False)
    for result in (low, high):
        assert result.params["x"] == pytest.approx(0.3, abs=0.02)
        assert result.stopped == "n_trials"
        assert result.n_observed == len(result.study.trials) == 12
        assert result.gain >= 0
        assert "after 12 results" in str(result)
    assert high.study.direction == "maximize"


def test_only_the_last_batch_of_a_run_takes_no_precautions():
    """Many results in one valley of exact results: every batch but the last has a point for the case of another."""
    space = {"x": (0.0, 1.0), "y": (0.0, 1.0)}

    def valley(params):
        return 1.0 - math.exp(-80 * ((params["x"] - 0.21) ** 2 + (params["y"] - 0.3) ** 2))

    def by_hand(last):
        study = kg.Study(space, seed=3, noise=0)
        for batch in range(5):
            for trial in study.ask(4, last=batch in last):
                study.tell(trial, valley(trial.params))
        return [trial.params for trial in study.trials]

    run = kg.minimize(valley, space, n_trials=20, batch_size=4, seed=3, noise=0, progress=False)
    assert [trial.params for trial in run.study.trials] == by_hand(last={4})
    assert by_hand(last={4})[:16] == by_hand(last=set())[:16]
    assert by_hand(last={4})[16:] != by_hand(last=set())[16:]


def test_a_pair_is_a_value_and_its_standard_error():
    result = kg.minimize(lambda params: (params["x"], 0.25), SPACE, n_trials=3, **QUICK)
    assert {trial.sem for trial in result.study.trials} == {0.25}


def test_closures_run_in_processes_with_their_share_of_threads(tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)

    def objective(params):
        (tmp_path / f"{os.getpid()}.{os.environ['OMP_NUM_THREADS']}").touch()
        time.sleep(0.05)
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=8, workers=2, **QUICK)
    assert states(result) == {"complete": 8}
    pids, threads = zip(*(map(int, path.name.split(".")) for path in tmp_path.iterdir()), strict=True)
    assert len(pids) == 2
    assert os.getpid() not in pids
    assert all(1 <= n <= max(1, (os.cpu_count() or 1) // 2) for n in threads)
    assert not any(is_alive(pid) for pid in pids)


def test_a_script_needs_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import knowgrad as kg\n"
        "SHIFT = 0.3\n"
        "def loss(params):\n"
        "    return abs(params['x'] - SHIFT)\n"
        "best = kg.minimize(loss, {'x': (0.0, 1.0)}, n_trials=4, workers=2, method='random', progress=False)\n"
        "print(best.n_observed)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("4\n", "")


def test_exceptions_are_failed_trials():
    class Odd(Exception):  # cannot be rebuilt from its text, which is what unpickling would try
        def __init__(self, a, b):
            super().__init__(f"{a} and {b}")

    def objective(params):
        if params["x"] < 0.3:
            raise ValueError("too small")
        if params["x"] > 0.7:
            raise Odd(1, 2)
        return params["x"]

    for workers in (1, 2):
        result = kg.minimize(objective, SPACE, n_trials=12, workers=workers, **QUICK)
        reasons = Counter(trial.reason for trial in result.study.trials)
        assert set(reasons) == {None, "ValueError: too small", "Odd: 1 and 2"}
        assert not result.study.pending


def test_a_worker_that_dies_fails_its_own_trial_only():
    def objective(params):
        if params["x"] > 0.75:
            os._exit(3)
        time.sleep(0.02)
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=12, workers=2, **QUICK)
    for trial in result.study.trials:
        assert trial.state == ("failed" if trial.params["x"] > 0.75 else "complete")
        assert trial.reason is None or "exit code 3" in trial.reason
    assert states(result)["failed"] >= 2


BAD = [
    None,
    "abc",
    "1.5",
    True,
    b"1",
    10**400,
    np.zeros(1),
    np.zeros(3),
    (1.0, -1.0),
    (1.0, 2.0, 3.0),
    math.nan,
    math.inf,
]


@pytest.mark.parametrize("bad", [*BAD, -math.inf], ids=lambda value: f"{type(value).__name__}")
def test_a_result_that_is_no_number_is_a_failed_trial(bad):
    results = iter([1.0, bad])
    result = kg.minimize(lambda params: next(results), SPACE, n_trials=2, **QUICK)
    good, failed = result.study.trials
    assert (failed.state, good.state) == ("failed", "complete")
    assert failed.reason


def test_when_everything_fails_the_error_says_why():
    with pytest.raises(NoDataError, match=r"4 failed, the last with: KeyError: 'lr'"):
        kg.minimize(lambda params: params["lr"], SPACE, n_trials=4, catch=KeyError, **QUICK)


def test_a_result_that_cannot_be_sent_is_a_failed_trial():
    with pytest.raises(ObjectiveError, match="the result cannot be sent"):
        kg.minimize(lambda params: lambda: 1.0, SPACE, n_trials=2, workers=2, **QUICK)


def test_sys_exit_in_the_objective_does_not_end_the_run():
    with pytest.raises(NoDataError, match="SystemExit: 2"):
        kg.minimize(lambda params: sys.exit(2), SPACE, n_trials=2, catch=SystemExit, **QUICK)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_cancels_something_else_does_not_cancel_the_run(workers):
    kinds = [asyncio.CancelledError, CancelledError, GeneratorExit, SystemExit, StopIteration]

    def objective(params):
        if params["kind"] < len(kinds):
            raise kinds[params["kind"]]("odd")
        return 1.0

    space = {"kind": kg.Int(0, len(kinds))}
    result = kg.minimize(objective, space, n_trials=12, workers=workers, catch=BaseException, **QUICK)
    assert result.stopped == "n_trials"
    for trial in result.study.trials:
        kind = trial.params["kind"]
        assert trial.reason == (None if kind == len(kinds) else f"{kinds[kind].__name__}: odd")


def test_an_interrupt_that_the_objective_raises_in_a_worker_is_a_failed_trial():
    def objective(params):
        raise KeyboardInterrupt

    with pytest.raises(NoDataError, match="2 failed, the last with: KeyboardInterrupt"):
        kg.minimize(objective, SPACE, n_trials=2, workers=2, catch=BaseException, **QUICK)


def test_a_function_that_cannot_be_sent_is_refused():
    lock = threading.Lock()
    with pytest.raises(ArgumentError, match=r"can be sent to worker processes, got TypeError.*workers=1"):
        kg.minimize(lambda params: lock.locked(), SPACE, n_trials=2, workers=2, **QUICK)


def test_a_free_worker_is_refilled_while_another_is_busy():
    slow = threading.Event()
    calls = []

    def objective(params):
        calls.append(params["x"])
        if len(calls) == 1:
            assert slow.wait(20)
        elif len(calls) == 7:
            slow.set()
        return params["x"]

    with ThreadPoolExecutor(2) as executor:
        result = kg.minimize(objective, SPACE, n_trials=8, workers=2, executor=executor, **QUICK)
        assert executor.submit(int, "3").result() == 3
    assert states(result) == {"complete": 8}
    assert Counter(trial.batch for trial in result.study.trials)[0] == 2


@pytest.mark.parametrize(("workers", "batch_size"), [(1, 3), (2, 4), (3, 2)])
def test_batches_are_asked_for_jointly(workers, batch_size):
    running = []

    def objective(params):
        running.append(1)
        time.sleep(0.01)
        most = len(running)
        running.pop()
        return most + params["x"]

    with ThreadPoolExecutor(4) as executor:
        result = kg.minimize(
            objective, SPACE, n_trials=9, workers=workers, batch_size=batch_size, executor=executor, **QUICK
        )
    sizes = Counter(trial.batch for trial in result.study.trials)
    assert [*sizes.values()][:-1] == [batch_size] * (len(sizes) - 1)
    assert sum(sizes.values()) == 9
    assert max(trial.value for trial in result.study.trials) < workers + 1
    assert result.gain.q == batch_size


def test_a_timeout_gives_up_what_is_running(tmp_path):
    def objective(params):
        (tmp_path / str(os.getpid())).touch()
        if len(list(tmp_path.iterdir())) == 2:
            time.sleep(60)
        return params["x"]

    began = time.monotonic()
    result = kg.minimize(objective, SPACE, n_trials=10_000, workers=2, timeout=5, **QUICK)
    assert time.monotonic() - began < 30
    assert result.stopped == "timeout"
    assert states(result)["expired"] >= 1
    assert not result.study.pending
    assert not any(is_alive(int(path.name)) for path in tmp_path.iterdir())


def test_a_timeout_with_a_batch_in_hand_gives_back_what_has_not_begun(tmp_path, monkeypatch):
    """Half a second passes with every evaluation, and only so."""
    clock = SimpleNamespace(monotonic=lambda: 0.5 * len(list(tmp_path.iterdir())))
    for module in ("limits", "loop"):
        monkeypatch.setattr(f"knowgrad.runner.{module}.time", clock)

    def objective(params):
        (tmp_path / str(time.monotonic_ns())).touch()
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=1000, batch_size=90, timeout=4, **QUICK)
    assert result.stopped == "timeout"
    assert 1 <= states(result)["complete"] <= 8
    assert sum(states(result).values()) == 90
    assert not result.study.pending


def test_a_timeout_without_results_says_so():
    with pytest.raises(NoDataError, match="ended by timeout"):
        kg.minimize(lambda params: 1.0, SPACE, n_trials=3, timeout=0, **QUICK)


def test_stop_gain_ends_a_run_that_is_not_worth_going_on():
    result = kg.minimize(square, SPACE, n_trials=50, seed=0, stop_gain=1e9, progress=False)
    assert result.stopped == "stop_gain"
    assert len(result.study.trials) == 5  # the start and one chosen point


def test_stop_gain_of_nothing_never_ends_a_run():
    assert kg.minimize(square, SPACE, n_trials=7, seed=0, stop_gain=0, progress=False).stopped == "n_trials"


def test_an_interrupt_returns_what_is_known(capsys):
    calls = []

    def objective(params):
        calls.append(params)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=100, batch_size=3, **QUICK)
    assert result.stopped == "interrupted"
    assert states(result) == {"complete": 4, "expired": 2}
    assert capsys.readouterr().err == "knowgrad: interrupted, returning what is known\n"


def test_an_interrupt_before_any_result_is_an_interrupt():
    def objective(params):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kg.minimize(objective, SPACE, n_trials=3, **QUICK)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a POSIX terminal")
def test_ctrl_c_in_a_terminal_ends_the_workers_too(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, time, knowgrad as kg\n"
        "def loss(params):\n"
        "    open(f'{os.getpid()}.pid', 'w').close()\n"
        "    if params['x'] > 0.5:\n"
        "        open('slow', 'w').close()\n"
        "        time.sleep(60)\n"
        "    return params['x']\n"
        "best = kg.minimize(loss, {'x': (0.0, 1.0)}, n_trials=99, workers=2, seed=0, method='random', progress=False)\n"
        "print(best.stopped, len(best.study.pending), best.n_observed > 0)\n"
    )
    process = subprocess.Popen(
        [sys.executable, script],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "slow").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the parent and every worker
    out, err = process.communicate(timeout=30)
    assert out == "interrupted 0 True\n"
    assert err == "knowgrad: interrupted, returning what is known\n"
    assert not any(is_alive(int(path.stem)) for path in tmp_path.glob("*.pid"))


def test_an_executor_that_breaks_ends_the_run(capsys):
    class Breaking:
        left = 3

        def submit(self, f, params):
            if not self.left:
                raise BrokenExecutor("gone")
            self.left -= 1
            future = Future()
            future.set_result(f(params))
            return future

    result = kg.minimize(square, SPACE, n_trials=9, executor=Breaking(), **QUICK)
    assert result.stopped == "executor broke"
    assert states(result) == {"complete": 3, "expired": 1}
    assert "the executor broke (gone)" in capsys.readouterr().err


def test_a_cancelled_evaluation_is_a_failed_trial():
    class Cancelling:
        calls = 0

        def submit(self, f, params):
            self.calls += 1
            future = Future()
            if self.calls == 1:
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_result(f(params))
            return future

    result = kg.minimize(square, SPACE, n_trials=2, executor=Cancelling(), **QUICK)
    assert states(result) == {"failed": 1, "complete": 1}


def test_the_progress_bar_shows_the_best_and_the_gain(capsys):
    def objective(params):
        if params["x"] > 0.8:
            raise ValueError("broken")
        return params["x"]

    kg.minimize(objective, SPACE, n_trials=7, seed=0)
    shown = capsys.readouterr().err
    assert "7/7" in shown
    assert "best 0." in shown
    assert "gain" in shown


def test_without_progress_there_is_no_output(capsys):
    kg.minimize(square, SPACE, n_trials=3, **QUICK)
    assert capsys.readouterr() == ("", "")
