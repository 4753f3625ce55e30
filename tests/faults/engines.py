"""Pools, Dask and Ray whose workers are killed while they evaluate."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import knowgrad as kg
from tests.faults.scenario import CannotRun, Place, scenario

HERE = ("sqlite",)  # the study is in memory


@scenario("15", "a worker of the pool is killed", quick=3, full=20, on=HERE)
def pool(place: Place, n: int) -> str:
    return _run(place.folder, n, None)


@scenario("15b", "a Dask worker is killed", quick=2, full=20, on=HERE)
def dask(place: Place, n: int) -> str:
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise CannotRun("Dask is not installed") from error
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        return _run(place.folder, n, client)


@scenario("15c", "a Ray worker is killed", quick=2, full=20, on=HERE)
def ray(place: Place, n: int) -> str:
    try:
        import ray
    except ImportError as error:
        raise CannotRun("Ray is not installed") from error
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        return _run(place.folder, n, "ray")
    finally:
        ray.shutdown()


def _run(folder: Path, kills: int, executor: Any) -> str:
    """Run until all kills are done; every trial has an outcome, and every failure its reason."""
    running = folder / "running"
    running.mkdir()
    killer = threading.Thread(target=_kill, args=(running, kills), daemon=True)
    killer.start()
    trials = 6 + 3 * kills
    result = kg.minimize(
        _objective(running),
        {"x": (0.0, 1.0)},
        n_trials=trials,
        workers=2,
        executor=executor,
        method="random",
        seed=0,
        progress=False,
        catch=Exception,  # the first of its evaluations may all be killed
        timeout=120 + 20 * kills,  # an engine that starts no new workers would be waited for without end
    )
    assert result.stopped == "n_trials"
    killer.join()
    states = [trial.state for trial in result.study.trials]
    complete, failed = states.count("complete"), states.count("failed")
    assert complete + failed == trials
    assert all(trial.reason for trial in result.study.trials if trial.state == "failed")
    return f"{kills} kills, {trials} trials: {complete} complete, {failed} failed with their reason, none pending"


def _objective(running: Path) -> Callable[[dict[str, Any]], float]:
    """Keeps the id of its process in the folder while it runs."""

    def objective(params: dict[str, Any]) -> float:
        mark = running / str(os.getpid())
        mark.touch()
        time.sleep(0.3)
        mark.unlink(missing_ok=True)
        return float(params["x"])

    return objective


def _kill(running: Path, kills: int) -> None:
    done = 0
    while done < kills:
        for mark in list(running.iterdir())[:1]:
            with suppress(ProcessLookupError):
                os.kill(int(mark.name), signal.SIGKILL)
                done += 1
            mark.unlink(missing_ok=True)
        time.sleep(0.2)
