"""Searches where several outcomes count, from the same starts: limits that must hold, and objectives that pull apart.

    python -m benchmarks.outcomes --kind limits --methods knowgrad --seeds 10
    .venv-peers/bin/python -m benchmarks.outcomes --kind fronts --methods botorch optuna-gp --seeds 3
    python -m benchmarks.outcomes --kind lab --data DIR
    python -m benchmarks.outcomes --kind limits --tables results/outcomes.jsonl

A line is the end of one search. `regret` is that of the recommended point without noise; one that truly breaks a limit
counts as the spread of the objective over the domain. `missing` is the part of the true front's hypervolume that the
true values of the recommended front lack, `missing_tried` the same of all points that were tried. `knowgrad-auto` has
60 % of the budget: the first outcome costs ten times as much as another, and it chooses what to measure where.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import qmc, t

from benchmarks.peers.outcomes import DEAR, NAMES, Decoupled, create
from benchmarks.problems.outcomes import FRONTS, LIMITS, Problem, volume
from benchmarks.problems.outcomes_lab import LAB
from benchmarks.processes import commit
from benchmarks.records import Record, gathered, recorded

PROBLEMS = {problem.name: problem for problem in (*LIMITS, *FRONTS)}
ORDER = (*PROBLEMS, *LAB)
BATCHES, Q = {"limits": 15, "fronts": 12}, 4
SHARE, MOST = 0.6, 3  # of what measuring everything costs, where costs differ; and how many times as many batches
NOISE = 0.1  # of the spread of each outcome, where there is noise
KEY = ("problem", "method", "noise", "seed", "batches")
Job = tuple[str, str, float, int, int]


def searched(job: Job, data: Path | None = None) -> list[Record]:
    """One search, from a Latin hypercube of 2d + 2 points."""
    name, method, noise, seed, batches = job
    problem, rng = LAB[name](data) if name in LAB else PROBLEMS[name], np.random.default_rng([seed, 1])
    spread = problem.spread()

    def measured(U: np.ndarray) -> np.ndarray:
        Y = problem.values(problem.real(U))
        return Y + noise * spread * rng.standard_normal(Y.shape)

    U = qmc.LatinHypercube(problem.dim, rng=np.random.default_rng(seed)).random(2 * problem.dim + 2)
    U = problem.snapped(U)
    contender, start = create(method, problem, seed, noise > 0.0), time.process_time()
    contender.add(U, measured(U))
    budget = SHARE * (2 * problem.dim + 2 + batches * Q) * (DEAR + problem.objectives + problem.limits - 1)
    for _ in range(batches if method != "knowgrad-auto" else MOST * batches):
        if isinstance(contender, Decoupled) and contender.spent >= budget:
            break
        Z = contender.ask(Q)
        contender.add(Z, measured(Z))
        U = np.vstack([U, Z])
    found = contender.recommend()
    seconds = time.process_time() - start
    told = dict(zip(KEY, job, strict=True))
    return [{**told, **judged(problem, found, U, spread), "seconds": round(seconds, 2), "commit": commit()}]


def judged(problem: Problem, found: np.ndarray, tried: np.ndarray, spread: np.ndarray) -> Record:
    """What is recommended, and what was tried, by the true values."""
    Y, T = problem.values(problem.real(found)), problem.values(problem.real(tried))
    k = problem.objectives
    if k == 1:
        assert problem.optimum is not None
        feasible, kept = bool((Y[0, 1:] <= 1e-9).all()), (T[:, 1:] <= 1e-9).all(axis=1)
        regret = max(float(Y[0, 0]) - problem.optimum, 0.0) if feasible else float(spread[0])
        best = float(T[kept, 0].min()) - problem.optimum if kept.any() else float(spread[0])
        return {"regret": regret, "feasible": feasible, "regret_tried": max(best, 0.0)}
    assert problem.volume is not None
    corner = np.array(problem.reference)
    part = [1.0 - volume(values, corner) / problem.volume for values in (Y, T)]
    return {"missing": part[0], "missing_tried": part[1], "points": len(Y)}


def tables(lines: Sequence[Record]) -> str:
    """By problem and noise: each contender's median, and the paired difference of log10 to knowgrad."""
    rows = [
        "| problem | noise | method | runs | feasible | median | log10, against knowgrad (90 %) | CPU s |",
        "|---|" * 1,
    ]
    rows[1] = "|---|---|---|---|---|---|---|---|"
    by: dict[tuple[str, float, str], dict[int, Record]] = {}
    for line in lines:
        by.setdefault((line["problem"], line["noise"], line["method"]), {})[line["seed"]] = line
    for (problem, noise, method), runs in sorted(by.items(), key=lambda each: _order(each[0])):
        ours = by.get((problem, noise, "knowgrad"), {})
        kept = [run["feasible"] for run in runs.values() if "feasible" in run]
        share = f"{np.mean(kept):.0%}" if kept else ""
        against = "" if method == "knowgrad" else paired(runs, ours)
        seconds = np.median([run["seconds"] for run in runs.values()])
        median = np.median([score(run) for run in runs.values()])
        rows.append(
            f"| {problem} | {noise:g} | {method} | {len(runs)} | {share} | {median:.2g} | {against} | {seconds:.0f} |"
        )
    return "\n".join(rows)


def score(run: Record) -> float:
    """Less is better."""
    return float(run["regret"] if "regret" in run else run["missing"])


def paired(runs: dict[int, Record], ours: dict[int, Record], floor: float = 1e-6) -> str:
    """The mean difference of log10 of what they lack, over the same starts, and a 90 % interval."""
    both = sorted(runs.keys() & ours.keys())
    if len(both) < 2:
        return ""
    steps = [np.log10(max(score(runs[s]), floor)) - np.log10(max(score(ours[s]), floor)) for s in both]
    half = t.ppf(0.95, len(steps) - 1) * np.std(steps, ddof=1) / np.sqrt(len(steps))
    return f"{np.mean(steps):+.2f} ({np.mean(steps) - half:+.2f} to {np.mean(steps) + half:+.2f})"


def _order(key: tuple[str, float, str]) -> tuple[int, float, int]:
    return ORDER.index(key[0]), key[1], NAMES.index(key[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=("limits", "fronts", "lab"), default="limits")
    parser.add_argument("--data", type=Path, help="DIR/lab has the measured reactions of --kind lab")
    parser.add_argument("--problems", nargs="+", choices=ORDER, help="only these")
    parser.add_argument("--methods", nargs="+", choices=NAMES, default=["knowgrad"])
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, NOISE])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--batches", type=int, help="of four; 15 for limits and 12 for fronts if left out")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results/outcomes.jsonl"))
    parser.add_argument("--tables", type=Path, help="print the tables of these lines, run nothing")
    args = parser.parse_args()
    if args.tables:
        print(tables(recorded(args.tables)))
        return
    kinds = {"limits": [each.name for each in LIMITS], "fronts": [each.name for each in FRONTS], "lab": list(LAB)}
    names = args.problems or kinds[args.kind]
    jobs = [
        (name, method, noise, seed, args.batches or BATCHES["limits" if name in kinds["limits"] else "fronts"])
        for name in names
        for noise in args.noise
        for seed in range(args.seeds)
        for method in args.methods
    ]
    print(tables(gathered(args.out, KEY, jobs, partial(searched, data=args.data), args.processes)))
