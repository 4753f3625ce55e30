"""Larger problems: `python -m benchmarks.large [--runs N] [--batches B]`.

First the seconds and the peak memory of one question, each in a process of its own on one thread; then the search in 20
dimensions of which few matter, beside random search: mean log10 regret of the recommendation.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import mean, stdev
from typing import Any

CASES = ((6, 74, 4), (6, 74, 32), (20, 100, 4), (20, 500, 32), (6, 2000, 4))  # d, n, q
Objective = Callable[[dict[str, float]], float]


def hartmann_in_20(params: dict[str, float]) -> float:
    """Hartmann6 on every third column of 20; less its optimum."""
    from knowgrad.problems import HARTMANN6

    return HARTMANN6({f"x{i + 1}": params[f"x{3 * i + 1}"] for i in range(6)}) - HARTMANN6.optimum


def quadratic_in_20(params: dict[str, float]) -> float:
    """A bowl in three of 20 columns."""
    gaps = [params["x2"] - 0.3, params["x9"] - 0.8, params["x16"] - 0.55]
    return 4 * gaps[0] ** 2 + 2 * gaps[1] ** 2 + gaps[2] ** 2 + gaps[0] * gaps[1]


EMBEDDED: dict[str, Objective] = {"hartmann6 in 20": hartmann_in_20, "quadratic, 3 of 20": quadratic_in_20}


def space(d: int) -> dict[str, Any]:
    return {f"x{i + 1}": (0.0, 1.0) for i in range(d)}


def question(d: int, n: int, q: int) -> tuple[float, float]:
    """CPU seconds of one `ask(q)` with n noisy results in d dimensions, and the peak memory of the process in MB."""
    import numpy as np

    from knowgrad import Study

    rng = np.random.default_rng(0)
    warm = Study(space(1), seed=0)
    warm.add({"x1": 0.5}, 1.0)
    warm.ask(4)  # the first question loads SciPy
    study = Study(space(d), seed=0)
    for u in rng.random((n, d)):
        bowl = float(3 * ((u[:3] - 0.4) ** 2).sum() + np.sin(5 * u[0]) + 0.1 * rng.standard_normal())
        study.add(dict(zip(space(d), u.tolist(), strict=True)), bowl)
    began = time.process_time()
    study.ask(q)
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * kilobyte / 1e6


def search(name: str, method: str, batches: int, seed: int) -> float:
    """log10 regret of what is recommended after a start of 42 points and so many batches of 4, all exact."""
    from knowgrad import Study

    objective = EMBEDDED[name]
    study = Study(space(20), seed=seed, noise=0, method=method)
    for q in (42, *[4] * batches):
        for trial in study.ask(q):
            study.tell(trial, objective(trial.params))
    best = study.recommend()
    params = best.best.params if method == "random" and best.best else best.params
    return math.log10(max(objective(params), 1e-10))


def alone(call: Callable[..., Any], *arguments: Any) -> Any:
    """In a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *arguments).result()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=3, help="of the search, with different starts; 0: only the questions"
    )
    parser.add_argument("--batches", type=int, default=20, help="of 4, after the start")
    chosen = parser.parse_args(arguments)
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    print("| d | n | q | CPU s | MB |\n|---:|---:|---:|---:|---:|")
    for case in CASES:
        seconds, megabytes = alone(question, *case)
        print("| " + " | ".join(map(str, case)) + f" | {seconds:.2f} | {megabytes:.0f} |", flush=True)
    if chosen.runs:
        print("\n| problem | method | log10 regret |\n|---|---|---:|")
    for name in EMBEDDED if chosen.runs else ():
        for method in ("qkg", "random"):
            logs = [alone(search, name, method, chosen.batches, seed) for seed in range(chosen.runs)]
            error = f" ± {stdev(logs) / len(logs) ** 0.5:.2f}" if len(logs) > 1 else ""
            print(f"| {name} | `{method}` | {mean(logs):.2f}{error} |", flush=True)


if __name__ == "__main__":
    main()
