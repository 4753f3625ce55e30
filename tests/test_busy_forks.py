"""fork beside threads that use a study: the child gets locks of its own."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import knowgrad as kg
from knowgrad.advisor import threads
from knowgrad.gp.posterior import Posterior
from knowgrad.storage import Memory, open_storage
from knowgrad.testing import event
from tests.faults import busy_forks

SPACE = {"x": (0.0, 1.0)}
ROOT = Path(__file__).parent.parent

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here"),
    # Python warns that a fork beside threads may hang: that it does not is what is tested.
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


def in_child(action):
    """Did a child do this?"""

    def code():
        try:
            action()
        except BaseException:
            return 1
        return 0

    return busy_forks.in_child(code)


@pytest.mark.parametrize("held", ["log", "asker", "memory"])
def test_a_lock_that_another_thread_holds_is_free_in_a_child(held):
    storage = Memory()
    study = kg.Study(SPACE, storage=storage, seed=0, method="random")
    lock = {"log": study._log.lock, "asker": study._asker._lock, "memory": storage._lock}[held]
    taken, done = threading.Event(), threading.Event()

    def hold():
        with lock:
            taken.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait()

    def use():
        (trial,) = study.ask()
        study.tell(trial, 1.0)
        assert study.trials[0].value == 1.0

    code = in_child(use)
    done.set()
    thread.join()
    assert code == 0


def test_a_connection_at_work_is_left_to_the_parent(postgres_server, monkeypatch):
    from knowgrad.storage import connection

    url = postgres_server.new_database()
    log = open_storage(url, "mine")
    log.append([event(0)])
    taken, done = threading.Event(), threading.Event()

    def decide(news, now):
        taken.set()
        done.wait(30)
        return [event(1)]

    thread = threading.Thread(target=log.amend, args=(1, decide))
    thread.start()
    taken.wait()
    monkeypatch.setattr(log._connection, "_patience", 0.1)

    def use():
        assert log.read() == [event(0)]
        assert len(connection._LEFT) == 1

    code = in_child(use)
    done.set()
    thread.join()
    assert code == 0
    assert log.read() == [event(0), event(1)]
    assert not connection._LEFT


LOADING = """
import importlib.abc, os, sys, threading, time, warnings
import knowgrad as kg
from tests.faults.busy_forks import in_child

begun = threading.Event()
warnings.simplefilter("ignore")  # of forks beside threads: what they may do is what is tested

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "knowgrad.advisor.snapshot":
            begun.set()
            time.sleep(0.5)

sys.meta_path.insert(0, Slow())
study = kg.Study({"x": (0.0, 1.0)}, seed=0)
thread = threading.Thread(target=study.ask)
thread.start()
begun.wait()
code = in_child(lambda: len(study.ask()) - 1)
thread.join()
sys.exit(code != 0)
"""


def test_a_child_of_a_thread_that_loads_modules_has_them_whole():
    subprocess.run([sys.executable, "-c", LOADING], check=True, timeout=60, cwd=ROOT)


def test_a_value_that_another_thread_computes_once_is_computed_in_a_child_too():
    study = kg.Study(SPACE, seed=0)
    for x in (0.1, 0.3, 0.5, 0.7, 0.9):
        study.add({"x": x}, x)
    computing, done = threading.Event(), threading.Event()
    linv = vars(Posterior)["Linv"]
    slow = type(linv)(lambda posterior: computing.set() or done.wait(30))
    slow.__dict__.update({**vars(linv), "func": slow.func})  # with its lock, where this version of Python has one
    thread = threading.Thread(target=slow.__get__, args=(SimpleNamespace(),))
    thread.start()
    computing.wait()

    def use():
        assert study.recommend().params

    code = in_child(use)
    done.set()
    thread.join()
    assert code == 0


def test_a_fork_waits_while_the_threads_of_blas_are_set(monkeypatch):
    blas, setting = threading.Lock(), threading.Event()  # BLAS has such a lock, and no child can free it

    def limit(**_):
        with blas:
            setting.set()
            time.sleep(0.3)
        return SimpleNamespace(restore_original_limits=lambda: None)

    monkeypatch.setattr(threads, "_controller", lambda: SimpleNamespace(limit=limit))
    thread = threading.Thread(target=threads.one_thread(lambda: None))
    thread.start()
    setting.wait()
    code = in_child(threads.one_thread(lambda: None))
    thread.join()
    assert code == 0


def test_a_child_asks_under_a_name_of_its_own():
    study = kg.Study(SPACE, seed=0)
    ours = study._asker._turns.ticket

    def compare():
        assert study._asker._turns.ticket != ours

    assert in_child(compare) == 0
