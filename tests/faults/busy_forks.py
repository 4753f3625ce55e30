"""fork while threads of the parent use the study: no child hangs, and nothing is lost."""

from __future__ import annotations

import faulthandler
import math
import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import knowgrad as kg
from tests.faults.people import crowd, opened
from tests.faults.scenario import Place, scenario

PATIENCE = 60.0  # seconds after which a child that has not ended hangs


@scenario("30", "fork while three threads ask, tell and look", quick=4, full=100)
def busy_forks(place: Place, n: int) -> str:
    ((codes, told),) = crowd(fork_beside_threads, 1, place.url, n)
    hung, failed = codes.count(-signal.SIGKILL), sum(code not in (0, -signal.SIGKILL) for code in codes)
    assert (hung, failed) == (0, 0), f"{hung} of {n} children hung, {failed} failed"
    trials = kg.Study.load(place.url).trials
    assert sum(trial.params["x"] == 0.75 for trial in trials) == n
    assert sum(trial.params["x"] == 0.125 for trial in trials) == told
    return f"{n} forks, {hung} children hung, {n} of their results there, {told} of the parent's threads"


@scenario("30b", "fork while two threads fit and choose", quick=1, full=40)
def forks_beside_fits(place: Place, n: int) -> str:
    (codes,) = crowd(fork_beside_fits, 1, place.url, n)
    hung, failed = codes.count(-signal.SIGKILL), sum(code not in (0, -signal.SIGKILL) for code in codes)
    assert (hung, failed) == (0, 0), f"{hung} of {n} children hung, {failed} failed"
    return f"{n} forks, {hung} children hung, {n} chose a point and recommended one"


def fork_beside_fits(i: int, barrier: Any, url: str, n: int) -> list[int]:
    """The exit codes of the children."""
    warnings.filterwarnings("ignore", message=".*is multi-threaded", category=DeprecationWarning)
    study, ended, rng = opened(url, seed=0), threading.Event(), random.Random(0)
    for k in range(6):
        study.add({"x": k / 6}, abs(k / 6 - 0.4))

    def ask() -> None:
        (trial,) = study.ask()
        study.fail(trial, "so")

    threads = [threading.Thread(target=_repeat, args=(each, ended)) for each in (ask, study.recommend)]
    for thread in threads:
        thread.start()
    codes = []
    for _ in range(n):
        time.sleep(rng.uniform(0.0, 0.3))
        codes.append(in_child(lambda: _choose(study)))
    ended.set()
    for thread in threads:
        thread.join()
    return codes


def _choose(study: kg.Study) -> int:
    try:
        return 0 if study.ask() and study.recommend() else 2
    except BaseException:
        traceback.print_exc()
        return 1


def fork_beside_threads(i: int, barrier: Any, url: str, n: int) -> tuple[list[int], int]:
    """The exit codes of the children, and how many results the threads had acknowledged."""
    # Python warns that such a fork may hang: that it does not is what is tested.
    warnings.filterwarnings("ignore", message=".*is multi-threaded", category=DeprecationWarning)
    study, ended, told = opened(url, seed=0), threading.Event(), []

    def ask() -> None:
        (trial,) = study.ask()
        study.fail(trial, "so")  # all of them fail, so there is nothing to fit: what is tested are the locks

    def tell() -> None:
        told.append(study.add({"x": 0.125}, math.nan))

    threads = [threading.Thread(target=_repeat, args=(each, ended)) for each in (ask, tell, lambda: study.trials)]
    for thread in threads:
        thread.start()
    codes = [_child(study) for _ in range(n)]
    ended.set()
    for thread in threads:
        thread.join()
    return codes, len(told)


def _repeat(action: Callable[[], Any], ended: threading.Event) -> None:
    while not ended.is_set():
        action()
        time.sleep(0.002)


def _child(study: kg.Study) -> int:
    return in_child(lambda: _use(study))


def in_child(action: Callable[[], int]) -> int:
    """The exit code of a child that does this and ends with what it returns; -SIGKILL if it hung."""
    faulthandler.register(signal.SIGUSR1, file=sys.__stderr__)
    pid = os.fork()
    if not pid:
        os._exit(action())
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(pid, signal.SIGUSR1)  # say where
    time.sleep(1.0)
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _use(study: kg.Study) -> int:
    try:
        study.add({"x": 0.75}, math.nan)
        (trial,) = study.ask()
        study.fail(trial, "so")
        return 0 if study.trials else 2
    except BaseException:
        traceback.print_exc()
        return 1
