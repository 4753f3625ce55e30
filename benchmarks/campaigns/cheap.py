"""Cheap looks against the expensive ones alone: what it costs to find the best.

    python -m benchmarks.cheap cofs --data DIR [--starts 100] [--single | --shuffled]
    python -m benchmarks.cheap augmented [--problem hartmann6] [--starts 10] [--budget 20] [--single | --botorch]
    python -m benchmarks.cheap lcbench --data DIR [--starts 2] [--tasks 3945 …] [--share 0.33] [--methods curves]
    python -m benchmarks.cheap refill

`cofs`: 608 frameworks, the Xe/Kr selectivity by an expensive simulation and by one that costs 0.065 of it (a list with
a source); the cost, in expensive simulations, until the best framework was simulated expensively. `--shuffled`: the
cheap results belong to other frameworks. `augmented`: two test functions with a fidelity, cost 0.1 + 0.9 s; the regret
of the recommendation once the budget is spent. `--botorch`: by BoTorch's qMultiFidelityKnowledgeGradient, after the
same start. `lcbench`: network trainings (`trainings`), at a share of the seconds that 40 whole trainings take.
`refill`: CPU seconds of `ask()` with a fidelity and a learned cost,
200 results in 8 parameters. One line of JSON for each start, then the mean with its standard error.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import knowgrad as kg
from benchmarks.campaigns.trainings import TASKS, compared

CHEAP = 0.065  # of the expensive simulation
MOST = 200.0  # expensive simulations after which a search is given up


def cofs(data: Path, start: int, *, single: bool, shuffled: bool) -> dict[str, Any]:
    """One search for the best framework."""
    with (data / "lab" / "cofs.csv").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    table = np.array(rows, dtype=float)
    high, low = table[:, names.index("HF")], table[:, names.index("LF")]
    low = np.random.default_rng(start).permutation(low) if shuffled else low
    frameworks = [{**{f"f{j}": float(x) for j, x in enumerate(row[:14])}, "id": i} for i, row in enumerate(table)]
    varied = [f"f{j}" for j in range(14) if len(set(table[:, j])) > 1]
    there = kg.Candidates([{name: row[name] for name in (*varied, "id")} for row in frameworks], labels=["id"])
    source = kg.Source(["low", "high"], target="high", cost=[CHEAP, 1.0])
    space = there if single else {"framework": there, "simulation": source}
    study = kg.Study(space, direction="maximize", seed=start)
    counts, best, begun = {"low": 0, "high": 0}, int(np.argmax(high)), time.process_time()
    while (cost := CHEAP * counts["low"] + counts["high"]) < MOST:
        trial = study.ask()[0]
        by, i = trial.params.get("simulation", "high"), trial.params["id"]
        study.tell(trial, float((low if by == "low" else high)[i]), check=False)
        counts[by] += 1
        if by == "high" and i == best:
            cost += 1.0
            break
    return {"start": start, "cost": round(cost, 3), **counts, "cpu": round(time.process_time() - begun, 1)}


A = np.array(
    [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
)
P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def hartmann6(x: Any, s: float) -> float:
    alpha = np.array([1.0 - 0.1 * (1.0 - s), 1.2, 3.0, 3.2])
    return float(-(alpha * np.exp(-(A * (x - P) ** 2).sum(axis=1))).sum())


def branin(x: Any, s: float) -> float:
    u, v = 15.0 * x[0] - 5.0, 15.0 * x[1]
    bend = 5.1 / (4.0 * np.pi**2) - 0.1 * (1.0 - s)
    return float((v - bend * u**2 + 5.0 * u / np.pi - 6.0) ** 2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(u) + 10.0)


PROBLEMS = {"hartmann6": (hartmann6, 6, -3.322368), "branin": (branin, 2, 0.397887)}


def augmented(problem: str, start: int, budget: float, *, single: bool) -> dict[str, Any]:
    """One search with a fidelity from 0 to 1, or at 1 alone."""
    f, d, least = PROBLEMS[problem]
    space: dict[str, Any] = {f"x{j}": (0.0, 1.0) for j in range(d)}
    if not single:
        space["s"] = kg.Fidelity(0.0, 1.0)
    study = kg.Study(space, noise=0, seed=start, cost=None if single else (lambda params: 0.1 + 0.9 * params["s"]))
    spent, begun = 0.0, time.process_time()
    while spent < budget:
        trial = study.ask()[0]
        s = trial.params.get("s", 1.0)
        study.tell(trial, f([trial.params[f"x{j}"] for j in range(d)], s), check=False)
        spent += 0.1 + 0.9 * s
    found = study.recommend().params
    regret = f([found[f"x{j}"] for j in range(d)], 1.0) - least
    cpu = round(time.process_time() - begun, 1)
    return {"start": start, "regret": round(regret, 6), "spent": round(spent, 2), "n": len(study.trials), "cpu": cpu}


def by_botorch(problem: str, start: int, budget: float) -> dict[str, Any]:
    """The same search by BoTorch, after the points that our start consists of."""
    from benchmarks.peers.botorch_fidelity import FidelityKG

    f, d, least = PROBLEMS[problem]
    space: dict[str, Any] = {**{f"x{j}": (0.0, 1.0) for j in range(d)}, "s": kg.Fidelity(0.0, 1.0)}
    study = kg.Study(space, noise=0, seed=start)
    X, y = [], []
    while (trial := study.ask()[0]).source == "start":
        X.append([*(trial.params[f"x{j}"] for j in range(d)), trial.params["s"]])
        y.append(f(X[-1][:d], X[-1][d]))
        study.tell(trial, y[-1], check=False)
    begun = time.process_time()
    search = FidelityKG(np.array(X), np.array(y), start)
    spent = sum(0.1 + 0.9 * x[d] for x in X)
    while spent < budget:
        x = search.ask()
        search.tell(x, f(x[:d], x[d]))
        spent += 0.1 + 0.9 * x[d]
    regret = f(search.recommend(), 1.0) - least
    cpu = round(time.process_time() - begun, 1)
    return {"start": start, "regret": round(regret, 6), "spent": round(spent, 2), "n": len(search.y), "cpu": cpu}


def refill() -> dict[str, Any]:
    """CPU seconds of one more point, after 200 results."""
    rng, names = np.random.default_rng(0), [f"x{j}" for j in range(8)]
    study = kg.Study({**dict.fromkeys(names, (0.0, 1.0)), "s": kg.Fidelity(1, 52, log=True)}, seed=0)
    for _ in range(200):
        params: dict[str, Any] = {name: float(rng.random()) for name in names}
        params["s"] = int(np.exp(rng.uniform(0.0, np.log(52.0))))
        value = sum((params[name] - 0.4) ** 2 for name in names) + 1.0 / params["s"] + 0.1 * rng.standard_normal()
        study.add(params, value, cost=params["s"] * (1.0 + params["x0"]), check=False)
    study.ask()
    times = []
    for _ in range(5):
        trial = study.pending[0]
        study.tell(trial, 1.0 + 0.1 * rng.standard_normal(), cost=float(trial.params["s"]), check=False)
        begun = time.process_time()
        study.ask()
        times.append(time.process_time() - begun)
    return {"cpu": round(float(np.median(times)), 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cofs", "augmented", "lcbench", "refill"])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--problem", choices=sorted(PROBLEMS), default="hartmann6")
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the number of the first start")
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--single", action="store_true", help="without the cheap looks")
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--botorch", action="store_true", help="the same by BoTorch")
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), help="of LCBench")
    parser.add_argument("--share", type=float, default=1.0 / 3.0, help="of the seconds that whole trainings take")
    parser.add_argument("--methods", nargs="+", default=["curves", "hyperband"])
    given = parser.parse_args()
    if given.what == "refill":
        print(json.dumps(refill()))
        return
    starts = range(given.first, given.first + given.starts)
    if given.what == "lcbench":
        for one in compared(given.data, given.tasks, starts, given.share, given.methods):
            print(json.dumps(one), flush=True)
        return
    found = []
    for start in starts:
        if given.what == "cofs":
            one = cofs(given.data, start, single=given.single, shuffled=given.shuffled)
        elif given.botorch:
            one = by_botorch(given.problem, start, given.budget)
        else:
            one = augmented(given.problem, start, given.budget, single=given.single)
        print(json.dumps(one), flush=True)
        found.append(one["cost"] if given.what == "cofs" else one["regret"])
    error = float(np.std(found, ddof=1) / np.sqrt(len(found))) if len(found) > 1 else 0.0
    print(json.dumps({"mean": round(float(np.mean(found)), 4), "sem": round(error, 4), "starts": len(found)}))


if __name__ == "__main__":
    main()
