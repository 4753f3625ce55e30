"""Real processes on PostgreSQL, with an objective that sleeps: how much of their time they evaluate.

Every process is forked from one that has loaded all it needs, opens the study by itself, and evaluates its share. The
time counts from when it has its first point to when it has told its last result. Duplicates are points that two trials
have, errors whatever a process raised. CPU milliseconds per evaluation, of the processes and of the server, hardly
depend on what else the machine does; the share of time does, so the load is printed too.

What the first process has loaded is frozen before the forks. Else Python's garbage collector would touch it in every
process, and the kernel would copy it: processes that are started on their own share nothing, and have no such cost.
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import time
from contextlib import suppress
from typing import Any

import numpy as np
import psutil

from knowgrad import Study
from knowgrad.problems import HARTMANN6

SPACE = dict(HARTMANN6.space)
Report = tuple[float, float, str, float]  # seconds evaluating and in all, what went wrong, CPU seconds


def objective(params: dict[str, float], seconds: float) -> float:
    time.sleep(seconds)
    return float(HARTMANN6(params) + 0.1 * np.random.default_rng().standard_normal())


def ours(url: str, name: str, evaluations: int, seconds: float) -> tuple[float, float]:
    """Seconds of evaluating, and in all."""
    study = Study.load(url, name)
    began = evaluating = 0.0
    for _ in range(evaluations):
        (trial,) = study.ask(1, lease=60.0)
        began = began or time.monotonic()
        start = time.monotonic()
        value = objective(dict(trial.params), seconds)
        evaluating += time.monotonic() - start
        study.tell(trial, value, check=False)
    return evaluating, time.monotonic() - began


def optunas(url: str, name: str, evaluations: int, seconds: float, sampler: str) -> tuple[float, float]:
    study = _optuna(url, name, sampler)
    import optuna

    space = {key: optuna.distributions.FloatDistribution(*bounds) for key, bounds in SPACE.items()}
    began = evaluating = 0.0
    for _ in range(evaluations):
        trial = study.ask(space)
        began = began or time.monotonic()
        start = time.monotonic()
        value = objective(trial.params, seconds)
        evaluating += time.monotonic() - start
        study.tell(trial, value)
    return evaluating, time.monotonic() - began


def _optuna(url: str, name: str, sampler: str) -> Any:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    tpe = optuna.samplers.TPESampler(constant_liar=True, multivariate=True)
    made = optuna.samplers.GPSampler() if sampler == "gp" else tpe
    storage = optuna.storages.RDBStorage(url.replace("postgresql://", "postgresql+psycopg://"))
    return optuna.create_study(study_name=name, storage=storage, sampler=made, load_if_exists=True)


def work(results: Any, url: str, name: str, evaluations: int, seconds: float, contender: str) -> None:
    """In a process of its own."""
    took, wrong, began = (0.0, 0.0), "", time.process_time()
    try:
        if contender == "qkg":
            took = ours(url, name, evaluations, seconds)
        else:
            took = optunas(url, name, evaluations, seconds, contender)
    except Exception as error:
        wrong = repr(error)
    results.put((*took, wrong, time.process_time() - began))


def real(workers: int, evaluations: int, seconds: float, contenders: list[str]) -> None:
    """A line for each contender."""
    from tests.postgres import Server, programs

    installed = programs()
    if installed is None:
        raise SystemExit("benchmarks.cluster: expected PostgreSQL to be installed, found none; install it")
    server = Server(installed)
    _load(contenders)
    gc.collect()
    gc.freeze()
    print(
        "| processes | contender | evaluations | evaluating | wall s | CPU ms, processes | server | log10 regret "
        "| duplicates | errors | load |"
    )
    print("|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    try:
        for contender in contenders:
            began, before = time.monotonic(), _cpu(server.process.pid)
            reports = _crowd(server.url, f"real-{contender}", workers, evaluations, seconds, contender)
            wall, served = time.monotonic() - began, _cpu(server.process.pid) - before
            done, errors = [r for r in reports if not r[2]], [r[2] for r in reports if r[2]]
            share = sum(r[0] for r in done) / max(sum(r[1] for r in done), 1e-9)
            points, regret = _points(server.url, f"real-{contender}", contender)
            doubles, each = len(points) - len(set(points)), 1e3 / max(len(points), 1)
            cpu = f"{each * sum(r[3] for r in reports):.1f} | {each * served:.1f}"
            numbers = f"{len(points)} | {100 * share:.1f} % | {wall:.0f} | {cpu} | {regret:.2f} | {doubles}"
            print(f"| {workers} | `{contender}` | {numbers} | {len(errors)} | {os.getloadavg()[0]:.1f} |", flush=True)
            for error in sorted(set(errors)):
                print("  ", error[:200])
    finally:
        server.remove()


def _load(contenders: list[str]) -> None:
    """All that the processes need, before they are forked."""
    study = Study({"x": (0.0, 1.0)}, seed=0)
    for x in (0.1, 0.5, 0.7, 0.9):
        study.add({"x": x}, x)
    study.ask(1)
    if contenders != ["qkg"]:
        import optuna

        space = {"x": optuna.distributions.FloatDistribution(0.0, 1.0)}
        for sampler in (optuna.samplers.TPESampler(), *([optuna.samplers.GPSampler()] if "gp" in contenders else [])):
            optuna.logging.set_verbosity(optuna.logging.ERROR)
            small = optuna.create_study(sampler=sampler)
            for _ in range(12):
                small.tell(small.ask(space), 1.0)


def _crowd(url: str, name: str, workers: int, evaluations: int, seconds: float, contender: str) -> list[Report]:
    if contender == "qkg":
        Study(SPACE, name=name, storage=url, seed=0)
    else:
        _optuna(url, name, contender)
    fork = multiprocessing.get_context("fork")
    results = fork.Queue()
    task = (results, url, name, evaluations, seconds, contender)
    processes = [fork.Process(target=work, args=task) for _ in range(workers)]
    for process in processes:
        process.start()
    reports = [results.get() for _ in processes]
    for process in processes:
        process.join()
    return reports


def _cpu(pid: int) -> float:
    """CPU seconds of the server: of its processes, and of those that have ended."""
    server = psutil.Process(pid)
    total = sum(server.cpu_times()[:4])
    for child in server.children():
        with suppress(psutil.NoSuchProcess):
            total += sum(child.cpu_times()[:2])
    return total


def _points(url: str, name: str, contender: str) -> tuple[list[tuple[float, ...]], float]:
    """The points that were evaluated, and the log10 regret of what is taken home."""
    if contender == "qkg":
        study = Study.load(url, name)
        points = [tuple(trial.params.values()) for trial in study.trials if trial.state == "complete"]
        best = dict(study.recommend().params)
    else:
        found = _optuna(url, name, contender)
        points = [tuple(trial.params.values()) for trial in found.trials if trial.value is not None]
        best = dict(found.best_params)
    return points, math.log10(max(HARTMANN6(best) - HARTMANN6.optimum, 1e-6))
