"""Cheap looks against the expensive ones alone: what it costs to find the best.

    python -m benchmarks.cheap cofs --data DIR [--starts 100] [--single | --shuffled]
    python -m benchmarks.cheap augmented [--problem hartmann6] [--starts 10] [--budget 20] [--single | --botorch]
    python -m benchmarks.cheap lcbench --data DIR [--starts 2] [--tasks 3945 …] [--share 0.33] [--methods curves]
    python -m benchmarks.cheap earlier --data DIR [--starts 2] [--tasks 3945 …] [--methods cold warm misled]
    python -m benchmarks.cheap refill
    python -m benchmarks.cheap tables

`cofs`: 608 frameworks, the Xe/Kr selectivity by an expensive simulation and by one that costs 0.065 of it (a list with
a source); the cost, in expensive simulations, until the best framework was simulated expensively. `--shuffled`: the
cheap results belong to other frameworks. `augmented`: two test functions with a fidelity, cost 0.1 + 0.9 s; the regret
of the recommendation once the budget is spent. `--botorch`: by BoTorch's qMultiFidelityKnowledgeGradient, after the
same start. `lcbench`: network trainings (`trainings`), at a share of the seconds that 40 whole trainings take.
`earlier`: what earlier studies are worth there (`earlier`). `refill`: CPU seconds of `ask()` with a fidelity and a
learned cost, 200 results in 8 parameters. One line of JSON for each start. With `--out FILE` it is a line of that file
too, with the commit, and a start that is there is not run again. `tables` prints those of
`benchmarks/kept/cheap.jsonl`.
"""

from __future__ import annotations

import csv
import json
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import knowgrad as kg
from benchmarks.campaigns.cheap_tables import tables
from benchmarks.campaigns.earlier import WARM, learned
from benchmarks.campaigns.trainings import TASKS, compared
from benchmarks.processes import commit
from benchmarks.records import opened, recorded

CHEAP = 0.065  # of the expensive simulation
KEPT = Path(__file__).parents[1] / "kept" / "cheap.jsonl"
MOST = 200.0  # expensive simulations after which a search is given up


def cofs(data: Path, start: int, single: bool, shuffled: bool) -> dict[str, Any]:
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
    return {"seed": start, "cost": round(cost, 3), **counts, "cpu": round(time.process_time() - begun, 1)}


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
    return {"seed": start, "regret": round(regret, 6), "spent": round(spent, 2), "n": len(study.trials), "cpu": cpu}


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
    return {"seed": start, "regret": round(regret, 6), "spent": round(spent, 2), "n": len(search.y), "cpu": cpu}


def refill() -> dict[str, Any]:
    """CPU seconds of one more point, after 200 results."""
    rng, names = np.random.default_rng(0), [f"x{j}" for j in range(8)]
    study = kg.Study({**dict.fromkeys(names, (0.0, 1.0)), "s": kg.Fidelity(1, 52, log=True)}, seed=0)

    def look(params: dict[str, Any]) -> float:
        exact = sum((params[name] - 0.4) ** 2 for name in names) + 1.0 / params["s"]
        return float(exact + 0.1 * rng.standard_normal())

    for _ in range(200):
        params: dict[str, Any] = {name: float(rng.random()) for name in names}
        params["s"] = int(np.exp(rng.uniform(0.0, np.log(52.0))))
        study.add(params, look(params), cost=params["s"] * (1.0 + params["x0"]), check=False)
    study.ask()
    times = []
    for _ in range(5):
        trial = study.pending[0]
        study.tell(trial, look(trial.params), cost=float(trial.params["s"]), check=False)
        begun = time.process_time()
        study.ask()
        times.append(time.process_time() - begun)
    return {"cpu": round(float(np.median(times)), 3)}


def found(given: Namespace) -> Iterator[dict[str, Any]]:
    """The lines of all starts, but for those of the file."""
    starts, known = range(given.first, given.first + given.starts), recorded(given.out) if given.out else []
    if given.what == "lcbench":
        yield from compared(
            given.data, given.tasks, starts, given.share, given.methods or ["curves", "hyperband"], known
        )
    elif given.what == "earlier":
        yield from learned(given.data, given.tasks, starts, given.methods or list(WARM), known)
    elif given.what == "cofs":
        problem = "cofs-shuffled" if given.shuffled else "cofs"
        for start in _missing(starts, known, problem, method := "single" if given.single else "qkg"):
            yield {"problem": problem, "method": method, **cofs(given.data, start, given.single, given.shuffled)}
    else:
        problem, method = (
            f"augmented-{given.problem}",
            "botorch" if given.botorch else "single" if given.single else "qkg",
        )
        search = by_botorch if given.botorch else partial(augmented, single=given.single)
        for start in _missing(starts, known, problem, method):
            yield {"problem": problem, "method": method, **search(given.problem, start, given.budget)}


def _missing(starts: range, known: list[dict[str, Any]], problem: str, method: str) -> list[int]:
    done = {(line["problem"], line["method"], line["seed"]) for line in known}
    return [start for start in starts if (problem, method, start) not in done]


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cofs", "augmented", "lcbench", "earlier", "refill", "tables"])
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
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--out", type=Path, help="a file of lines")
    given = parser.parse_args()
    if given.what == "refill":
        print(json.dumps(refill()))
    elif given.what == "tables":
        print("\n".join(tables(recorded(KEPT))))
    else:
        for line in found(given):
            print(json.dumps(line), flush=True)
            if given.out:
                with opened(given.out) as file:
                    file.append({key: value for key, value in line.items() if key != "course"} | {"commit": commit()})


if __name__ == "__main__":
    main()
