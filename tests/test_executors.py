"""The same loop on engines people already have: pools, a real Dask cluster, a real Ray instance."""

import asyncio
import os
import sys
import threading
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, MissingPackageError
from knowgrad.runner.dask import DaskTasks

# Dask's own, where a client closes while it fetches.
pytestmark = pytest.mark.filterwarnings("ignore:coroutine 'Future._result' was never awaited:RuntimeWarning")
SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}


def states(result):
    return Counter(trial.state for trial in result.study.trials)


@pytest.fixture(scope="module")
def dask():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield "ray"
    ray.shutdown()


@pytest.fixture(params=["dask", "ray"])
def engine(request):
    return request.getfixturevalue(request.param)


def test_an_engine_evaluates_elsewhere_and_failures_keep_their_reason(engine):
    here = os.getpid()

    def objective(params):
        if params["x"] > 0.6:
            raise ValueError("too large")
        return params["x"] + (os.getpid() == here), 0.5

    result = kg.minimize(objective, SPACE, n_trials=8, workers=2, executor=engine, **QUICK)
    for trial in result.study.trials:
        if trial.params["x"] > 0.6:
            assert (trial.state, trial.reason) == ("failed", "ValueError: too large")
            assert 'raise ValueError("too large")' in trial.traceback
        else:
            assert (trial.value, trial.sem) == (trial.params["x"], 0.5)
    assert set(states(result)) == {"complete", "failed"}


def test_replicates_are_evaluated_each(engine, tmp_path):
    def objective(params):
        (tmp_path / str(time.monotonic_ns())).touch()
        return 1.0

    result = kg.minimize(objective, {"x": ["only"]}, n_trials=5, workers=2, executor=engine, **QUICK)
    assert states(result) == {"complete": 5}
    assert len(list(tmp_path.iterdir())) == 5


def test_a_point_that_kills_its_worker_is_a_failed_trial(engine):
    def objective(params):
        if params["x"] > 0.75:
            os._exit(3)
        return params["x"]

    result = kg.minimize(objective, SPACE, n_trials=6, workers=2, executor=engine, **QUICK)
    assert not result.study.pending
    for trial in result.study.trials:
        assert trial.state == ("failed" if trial.params["x"] > 0.75 else "complete")
    reasons = [trial.reason for trial in result.study.trials if trial.state == "failed"]
    assert reasons
    assert all("KilledWorker" in reason or "WorkerCrashed" in reason for reason in reasons)


def test_ray_ends_what_a_run_gives_up(ray, tmp_path):
    def objective(params):
        (tmp_path / "pid").write_text(str(os.getpid()))
        time.sleep(600)

    def is_alive():
        try:
            os.kill(int((tmp_path / "pid").read_text()), 0)
        except ProcessLookupError:
            return False
        return True

    for timeout in (4, 8, 16, 32):  # on a busy machine Ray takes a while to begin
        with pytest.raises(kg.errors.NoDataError, match="timeout"):
            kg.minimize(objective, SPACE, n_trials=5, workers=1, executor=ray, timeout=timeout, **QUICK)
        if (tmp_path / "pid").exists():
            break
    for _ in range(600):
        if not is_alive():
            break
        time.sleep(0.1)
    assert not is_alive()
    again = kg.minimize(lambda p: p["x"], SPACE, n_trials=4, workers=2, executor=ray, **QUICK)
    assert states(again) == {"complete": 4}


def test_a_dask_client_that_is_closed_ends_the_run(dask, tmp_path, capsys):
    client = type(dask)(dask.scheduler.address, set_as_default=False)

    def objective(params):
        (tmp_path / str(time.monotonic_ns())).touch()
        time.sleep(0.1)
        return params["x"]

    def close():
        while len(list(tmp_path.iterdir())) < 3:
            time.sleep(0.05)
        client.close()

    thread = threading.Thread(target=close)
    thread.start()
    result = kg.minimize(objective, SPACE, n_trials=1000, executor=client, **QUICK)
    thread.join()
    assert result.stopped == "executor broke"
    assert "the Dask client is clos" in capsys.readouterr().err
    assert set(states(result)) <= {"complete", "expired"}  # what was running is given back: it has not failed


def test_a_result_that_never_arrives_ends_with_the_dask_client(dask, monkeypatch):
    """As when a client closes while it fetches."""

    async def never(*args, **options):
        await asyncio.Event().wait()

    client = type(dask)(dask.scheduler.address, set_as_default=False)
    monkeypatch.setattr(client, "_gather", never)
    monkeypatch.setattr("knowgrad.runner.dask.PATIENCE", 0.2)
    answer = DaskTasks(lambda params: params["x"], client).submit({"x": 0.5})
    with pytest.raises(TimeoutError):
        answer.result(2)
    client.close()
    assert isinstance(answer.exception(60), BrokenExecutor)


def test_a_time_limit_of_the_objective_is_its_own_on_dask(dask):
    def objective(params):
        raise TimeoutError("the simulator took too long")

    answer = DaskTasks(objective, dask).submit({"x": 0.5})
    assert str(answer.exception(60)) == "the simulator took too long"


def test_a_pool_of_processes_whose_worker_dies_ends_with_the_reason(capsys):
    def fails(study):
        return [trial.reason for trial in study.trials if trial.state == "failed"]

    with ProcessPoolExecutor(1) as pool:
        result = kg.minimize(die_late, SPACE, n_trials=6, executor=pool, **QUICK)
    assert result.stopped == "executor broke"
    assert "BrokenProcessPool" in fails(result.study)[0]
    assert not result.study.pending


def die_late(params):
    if params["x"] > 0.75:
        os._exit(3)
    return params["x"]


@pytest.mark.parametrize("bad", ["dask", 4, object()])
def test_what_is_no_executor_is_refused(bad):
    with pytest.raises(ArgumentError, match="executor: expected an executor with submit"):
        kg.minimize(lambda params: 1.0, SPACE, n_trials=1, executor=bad, **QUICK)


def test_without_ray_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=r'pip install "ray\[client\]"'):
        kg.minimize(lambda params: 1.0, SPACE, n_trials=1, executor="ray", **QUICK)
