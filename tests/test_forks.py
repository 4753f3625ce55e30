"""Objectives that fork: only the process that went in comes back out, and every result is that of its own trial."""

import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor

import pytest

import knowgrad as kg
from knowgrad.errors import ObjectiveError
from knowgrad.runner import processes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}


@pytest.fixture(autouse=True)
def _default_of_sigterm():
    """Ray leaves a handler behind in its driver, and a child that is ended while it is born would lose the signal."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, before)


FORKING = """
import os, sys
import knowgrad as kg

def forking(params):
    child = os.fork()
    if child == 0:
        if params["x"] > 0.5:
            raise ValueError("an exception comes out as well as a result")
        return -1.0
    os.waitpid(child, 0)
    return params["x"]

options = {"n_trials": 8, "method": "random", "seed": 0, "progress": False}
best = kg.minimize(forking, {"x": (0.0, 1.0)}, workers=int(sys.argv[1]), storage=sys.argv[2], **options)
print(all(trial.value == trial.params["x"] for trial in best.study.trials), len(best.study.trials))
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_forked_child_that_returns_tells_nothing(tmp_path, workers):
    script = tmp_path / "script.py"
    script.write_text(FORKING)
    command = [sys.executable, str(script), str(workers), str(tmp_path / "runs.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "True 8\n"
    assert done.stderr.count("came back out of the objective and ends here") == 8, done.stderr
    assert {trial.state for trial in kg.Study.load(tmp_path / "runs.db").trials} == {"complete"}


def test_a_child_in_a_thread_of_the_users_pool_ends(tmp_path):
    def objective(params):
        child = os.fork()
        if child:
            (tmp_path / str(child)).touch()
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        return params["x"]

    with ThreadPoolExecutor(1) as pool:
        result = kg.minimize(objective, SPACE, n_trials=3, executor=pool, **QUICK)
    assert [trial.value for trial in result.study.trials] == [trial.params["x"] for trial in result.study.trials]
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing_inside_of_an_objective_works(workers, method):
    def objective(params):
        with multiprocessing.get_context(method).Pool(2) as pool:
            return sum(pool.map(float, [params["x"], 1]))

    result = kg.minimize(objective, SPACE, n_trials=2, workers=workers, **QUICK)
    assert [trial.value for trial in result.study.trials] == [trial.params["x"] + 1 for trial in result.study.trials]


def test_a_worker_that_dies_is_noticed_although_its_child_keeps_the_pipe_open(tmp_path):
    def objective(params):
        child = os.fork()
        if child == 0:
            os.setsid()  # out of reach of the run
            for _ in range(600):
                if (tmp_path / "enough").exists():
                    break
                __import__("time").sleep(0.1)
            os._exit(0)
        os._exit(3)

    try:
        with pytest.raises(ObjectiveError, match="died with exit code 3"):
            kg.minimize(objective, SPACE, n_trials=2, workers=2, **QUICK)
    finally:
        (tmp_path / "enough").touch()


@pytest.mark.parametrize(("process", "request_"), [(1, 1), (None, 7)])
def test_an_answer_with_another_identity_is_an_error(process, request_):
    """Whoever gets hold of the pipe: what is not the worker's answer to this request is no result."""

    def objective(params):
        from knowgrad.runner import serving

        serving._line.say = lambda message: serving._line._connection.send_bytes(
            serving.HEADER.pack(process or os.getpid(), request_) + message
        )
        return params["x"]

    pool = processes.Processes(objective, 1)
    try:
        with pytest.raises(BrokenExecutor, match="expected the answer of process"):
            pool.submit({"x": 0.5}, hear=print).result(timeout=60)
    finally:
        pool.close()
