"""Larger problems: `python -m benchmarks.large [--runs N] [--batches B]`.

First the seconds and the peak memory of one question, each in a process of its own on one thread, for many results,
options and constraints; then the search in 20 dimensions of which few matter, beside random search: mean log10 regret
of the recommendation.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.processes import ONE_THREAD, alone, peak
from knowgrad import Space, Study

CASES = ((6, 74, 4), (6, 74, 32), (20, 100, 4), (20, 500, 32), (6, 2000, 4), (6, 4000, 4), (6, 20000, 4))  # d, n, q
QUESTIONS: dict[str, Callable[[Study], object]] = {
    "ask": lambda study: study.ask(4),
    "recommend": Study.recommend,
    "gain": lambda study: study.gain(4),
    "diagnostics": Study.diagnostics,
}
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
    """The cost of one `ask(q)` with n noisy results in d dimensions."""
    return cost(lambda: filled(d, n), lambda study: study.ask(q))


def asked(what: str, d: int, n: int) -> tuple[float, float]:
    """The cost of one of the questions."""
    return cost(lambda: filled(d, n), QUESTIONS[what])


def filled(d: int, n: int) -> Study:
    """With n noisy results in d dimensions."""
    rng = np.random.default_rng(0)
    study = Study(space(d), seed=0)
    for u in rng.random((n, d)):
        bowl = float(3 * ((u[:3] - 0.4) ** 2).sum() + np.sin(5 * u[0]) + 0.1 * rng.standard_normal())
        study.add(dict(zip(space(d), u.tolist(), strict=True)), bowl)
    return study


def options(k: int) -> tuple[float, float]:
    """The cost of `ask(4)` with 30 results of two numbers and a choice of k options."""

    def make() -> Study:
        rng = np.random.default_rng(0)
        study = Study({"c": [f"o{i}" for i in range(k)], **space(2)}, seed=0)
        for c, x, y in zip(rng.integers(k, size=30), *rng.random((2, 30)), strict=True):
            bowl = (x - 0.3) ** 2 + (y - 0.6) ** 2 + (c % 7) / 7 + 0.05 * rng.standard_normal()
            study.add({"c": f"o{c}", "x1": float(x), "x2": float(y)}, float(bowl))
        return study

    return cost(make, lambda study: study.ask(4))


def constraints(m: int, d: int = 6) -> tuple[float, float]:
    """The cost of a space with m constraints, the start in it, and `ask(4)` after that."""

    def work(_: object) -> None:
        rng = np.random.default_rng(0)
        G = rng.standard_normal((m, d))
        bounds = G @ np.full(d, 0.5) + 0.3 * np.linalg.norm(G, axis=1)
        rows = [" + ".join(f"({g:.6f})*{name}" for g, name in zip(row, space(d), strict=True)) for row in G]
        texts = [f"{row} <= {bound:.6f}" for row, bound in zip(rows, bounds, strict=True)]
        study = Study(Space(space(d), constraints=texts), seed=0)
        for trial in study.ask(2 * d + 2):
            study.tell(trial, sum((x - 0.2) ** 2 for x in trial.params.values()))
        study.ask(4)

    return cost(lambda: None, work)


def cost(make: Callable[[], Any], ask: Callable[[Any], object]) -> tuple[float, float]:
    """CPU seconds of the question, and the peak memory of the process in MB."""
    warm = Study(space(1), seed=0)
    warm.add({"x1": 0.5}, 1.0)
    warm.ask(4)  # the first question loads SciPy
    made = make()
    began = time.process_time()
    ask(made)
    return time.process_time() - began, peak()


def search(name: str, method: str, batches: int, seed: int) -> float:
    """log10 regret of what is recommended after a start of 42 points and so many batches of 4, all exact."""
    objective = EMBEDDED[name]
    study = Study(space(20), seed=seed, noise=0, method=method)
    for q in (42, *[4] * batches):
        for trial in study.ask(q):
            study.tell(trial, objective(trial.params))
    best = study.recommend()
    params = best.best.params if method == "random" and best.best else best.params
    return math.log10(max(objective(params), 1e-10))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=3, help="of the search, with different starts; 0: only the questions"
    )
    parser.add_argument("--batches", type=int, default=20, help="of 4, after the start")
    chosen = parser.parse_args(arguments)
    os.environ.update(ONE_THREAD)
    print("| d | n | q | CPU s | MB |\n|---:|---:|---:|---:|---:|")
    for case in CASES:
        seconds, megabytes = alone(question, *case)
        print("| " + " | ".join(map(str, case)) + f" | {seconds:.2f} | {megabytes:.0f} |", flush=True)
    others = [(f"`{what}`, 20,000 results", asked, what, 6, 20_000) for what in QUESTIONS]
    others.append(("`diagnostics`, 5,000 results", asked, "diagnostics", 6, 5_000))
    others += [("`ask(4)`, 500 options", options, 500), ("start and `ask(4)`, 400 constraints", constraints, 400)]
    print("\n| question | CPU s | MB |\n|---|---:|---:|")
    for name, call, *case in others:
        seconds, megabytes = alone(call, *case)
        print(f"| {name} | {seconds:.2f} | {megabytes:.0f} |", flush=True)
    if chosen.runs:
        print("\n| problem | method | log10 regret |\n|---|---|---:|")
    for name in EMBEDDED if chosen.runs else ():
        for method in ("qkg", "random"):
            logs = [alone(search, name, method, chosen.batches, seed) for seed in range(chosen.runs)]
            error = f" ± {stdev(logs) / len(logs) ** 0.5:.2f}" if len(logs) > 1 else ""
            print(f"| {name} | `{method}` | {mean(logs):.2f}{error} |", flush=True)
