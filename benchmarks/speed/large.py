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
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.processes import ONE_THREAD, alone, peak
from benchmarks.speed import embedded, going_on, refills
from knowgrad import Candidates, Space, Study

CASES = (  # d, n, q, p
    (6, 74, 4, 0),
    (6, 74, 32, 0),
    (6, 74, 1, 128),
    (6, 74, 1, 1000),
    (20, 100, 4, 0),
    (20, 500, 32, 0),
    (10, 1000, 4, 0),
    (10, 2000, 4, 0),
    (10, 2000, 1, 1000),
    (10, 10000, 4, 0),
    (10, 20000, 4, 0),
)
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


def question(d: int, n: int, q: int, p: int) -> tuple[float, float]:
    """The cost of one `ask(q)` with n noisy results in d dimensions, and p points running."""
    return cost(lambda: running(filled(d, n), d, p), lambda study: study.ask(q))


def running(study: Study, d: int, p: int) -> Study:
    """With p points handed out."""
    for u in np.random.default_rng(1).random((p, d)):
        study.enqueue(dict(zip(space(d), u.tolist(), strict=True)))
    if p:
        study.ask(p)
    return study


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


def listed(n: int, results: int = 50) -> tuple[float, float]:
    """The cost of `ask(5)` on a list of n candidates with six numbers and a text, some of which have results."""

    def make() -> Study:
        rng = np.random.default_rng(0)
        numbers, kinds = rng.random((n, 6)), rng.integers(5, size=n)
        rows = [
            dict(zip(space(6), u.tolist(), strict=True)) | {"kind": f"k{k}"}
            for u, k in zip(numbers, kinds, strict=True)
        ]
        study = Study(Candidates(rows), seed=0)
        for i in range(results):
            bowl = ((numbers[i, :3] - 0.4) ** 2).sum() + 0.1 * kinds[i] + 0.05 * rng.standard_normal()
            study.add(rows[i], float(bowl))
        return study

    return cost(make, lambda study: study.ask(5))


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


def tied(q: int, limit: int, d: int, n: int) -> tuple[float, float]:
    """The cost of `ask(q)` with at most so many values of one setting."""
    return cost(lambda: filled(d, n), lambda study: study.ask(q, shared={"x1": limit}))


def planned(budget: int, d: int, n: int) -> tuple[float, float]:
    """The cost of a plan, the model included."""
    return cost(lambda: filled(d, n), lambda study: study.plan(budget, setup=4))


# Questions of campaigns: plates and plans.
CAMPAIGNS: list[tuple[Any, ...]] = [
    *((f"`ask(24)`, {k} shared, n = 74, d = 6", tied, 24, k, 6, 74) for k in (1, 3)),
    ("`plan(60, setup=4)`, n = 74, d = 6", planned, 60, 6, 74),
]
LISTS: list[tuple[Any, ...]] = [(f"`ask(5)`, {n:,} candidates", listed, n) for n in (4_000, 100_000)]


def questions(asked: list[tuple[Any, ...]]) -> None:
    """The cost of each: a name, a function, and what it takes."""
    print("| question | CPU s | MB |\n|---|---:|---:|")
    for name, call, *case in asked:
        seconds, megabytes = alone(call, *case)
        print(f"| {name} | {seconds:.2f} | {megabytes:.0f} |", flush=True)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=3, help="of the search, with different starts; 0: only the questions"
    )
    parser.add_argument("--batches", type=int, default=20, help="of 4, after the start")
    parser.add_argument("--going-on", type=int, metavar="RUNS", help="only searches that go on from 2,000 results")
    parser.add_argument("--problems", nargs="*", help="with --embedded and --going-on: these alone")
    parser.add_argument("--lists", action="store_true", help="only the questions about lists of candidates")
    parser.add_argument("--refills", type=int, metavar="RUNS", help="only what refills beside many are worth")
    parser.add_argument("--haste", type=int, metavar="RUNS", help="only what points chosen with less effort are worth")
    parser.add_argument("--embedded", type=int, metavar="RUNS", help="only searches in many dimensions, beside peers")
    parser.add_argument("--dims", type=int, nargs="*", default=[50, 100], help="with --embedded")
    parser.add_argument("--contenders", nargs="*", default=list(embedded.CONTENDERS), help="with --embedded")
    parser.add_argument("--out", type=Path, help="with --embedded and --going-on: a line for every search")
    parser.add_argument("--campaigns", action="store_true", help="only the questions of plates and plans")
    chosen = parser.parse_args(arguments)
    os.environ.update(ONE_THREAD)
    if chosen.going_on:
        going_on.report(
            chosen.going_on, chosen.problems or list(going_on.PROBLEMS), chosen.out or Path("results/going-on.jsonl")
        )
        return
    if chosen.haste:
        refills.report(chosen.haste, haste=True)
        return
    if chosen.refills:
        refills.report(chosen.refills)
        return
    if chosen.embedded:
        out = chosen.out or Path("results/embedded.jsonl")
        problems = chosen.problems or list(embedded.PROBLEMS)
        embedded.report(chosen.embedded, problems, chosen.dims, chosen.batches, chosen.contenders, out)
        return
    if chosen.lists or chosen.campaigns:
        questions([*(LISTS if chosen.lists else ()), *(CAMPAIGNS if chosen.campaigns else ())])
        return
    print("| d | n | q | p | CPU s | MB |\n|---:|---:|---:|---:|---:|---:|")
    for case in CASES:
        seconds, megabytes = alone(question, *case)
        print("| " + " | ".join(map(str, case)) + f" | {seconds:.2f} | {megabytes:.0f} |", flush=True)
    others = [(f"`{what}`, 20,000 results", asked, what, 6, 20_000) for what in QUESTIONS]
    others.append(("`diagnostics`, 5,000 results", asked, "diagnostics", 6, 5_000))
    others += [*LISTS, *CAMPAIGNS]
    others += [("`ask(4)`, 500 options", options, 500), ("start and `ask(4)`, 400 constraints", constraints, 400)]
    print()
    questions(others)
    if chosen.runs:
        print("\n| problem | method | log10 regret |\n|---|---|---:|")
    for name in EMBEDDED if chosen.runs else ():
        for method in ("qkg", "random"):
            logs = [alone(search, name, method, chosen.batches, seed) for seed in range(chosen.runs)]
            error = f" ± {stdev(logs) / len(logs) ** 0.5:.2f}" if len(logs) > 1 else ""
            print(f"| {name} | `{method}` | {mean(logs):.2f}{error} |", flush=True)
