"""Mixed spaces: `python -m benchmarks.mixed [--runs N] [--methods …] [--peers optuna-gp optuna-tpe] [--jobs J]`.

Everyone begins with the same Latin hypercube of 2d + 2 points for the same seed, then chooses batches of 4, with exact
results and with noisy ones. The table has the mean log10 regret of the point each would use (ours by its model, the
peers by their best observation) with its standard error; beside it that of the best observation, for all; and how
often the optimum itself was found. Every run is a line of one file; those of this version are not repeated.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks import peers
from benchmarks.peers.ours import fingerprint
from benchmarks.problems.mixed import PROBLEMS
from benchmarks.problems.task import Params, clean, start
from benchmarks.records import Record, gathered
from benchmarks.reports.stats import spread

FLOOR = 1e-6  # of the regret, before its logarithm is taken
FOUND = 1e-3  # regret, relative to the noise, at which the optimum counts as found
Q = 4
KEY = ("version", "problem", "noise", "method", "batches", "seed")

Job = tuple[str, str, str, str, int, int]  # as KEY


def perform(job: Job) -> list[Record]:
    """One run, from the start to the last recommendation: log10 regrets, and whether the optimum was found."""
    _, name, noise, method, batches, seed = job
    problem, noisy = PROBLEMS[name], noise == "noisy"
    sd = problem.noise if noisy else 0.0
    rng = np.random.default_rng([seed, 77])
    optimizer = peers.create(method, problem.parameters, seed, noisy)
    seen: list[tuple[float, Params]] = []

    def measure(points: list[Params]) -> list[float]:
        values = [problem.function(point) + sd * float(rng.standard_normal()) for point in points]
        seen.extend(zip(values, points, strict=True))
        return values

    points = start(problem.parameters, seed)
    optimizer.add(points, measure(points))
    for _ in range(batches):
        points = [clean(point, problem.parameters) for point in optimizer.ask(Q)]
        optimizer.tell(measure(points))
    best = min(seen, key=lambda pair: pair[0])[1]
    chosen = optimizer.recommend() or best
    regret, observed = (problem.function(point) - problem.optimum() for point in (chosen, best))
    logs = [math.log10(max(gap, FLOOR)) for gap in (regret, observed)]
    found = bool(regret <= FOUND * problem.noise)
    return [{**dict(zip(KEY, job, strict=True)), "regret": logs[0], "observed": logs[1], "found": found}]


def table(lines: list[Record]) -> str:
    """In Markdown, one line per setting and method."""
    rows = [
        "| problem | method | log10 regret | of the best observation | optimum found |",
        "|---|---|---:|---:|---:|",
    ]
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for line in sorted(lines, key=lambda line: (line["problem"], line["noise"], line["seed"])):
        groups.setdefault((line["problem"], line["noise"], line["method"]), []).append(line)
    for (problem, noise, method), group in groups.items():
        mean, se, _ = spread(line["regret"] for line in group)
        error = f" ± {se:.2f}" if len(group) > 1 else ""
        observed = spread(line["observed"] for line in group)[0]
        found = f"{sum(line['found'] for line in group)} of {len(group)}"
        rows.append(f"| {problem}, {noise} | `{method}` | {mean:.2f}{error} | {observed:.2f} | {found} |")
    return "\n".join(rows)


def jobs(chosen: argparse.Namespace) -> Iterator[Job]:
    version = fingerprint()
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.runs):
        for problem in chosen.problems:
            for noise in chosen.noise:
                for method in [*chosen.methods, *chosen.peers]:
                    yield version, problem, noise, method, chosen.batches, seed


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mixed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="seeds; each has its own start")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--batches", type=int, default=10, help="of 4, after the start")
    parser.add_argument("--problems", nargs="+", choices=PROBLEMS, default=list(PROBLEMS))
    parser.add_argument("--noise", nargs="+", default=["exact", "noisy"], choices=["exact", "noisy"])
    parser.add_argument("--methods", nargs="*", default=["qkg"], help="ours, by the names Study takes")
    parser.add_argument("--peers", nargs="*", default=[], help="of benchmarks.peers, as far as they take choices")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, one thread each")
    parser.add_argument("--out", type=Path, default=Path("results/mixed.jsonl"))
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    print(table(gathered(chosen.out, KEY, jobs(chosen), perform, chosen.jobs)))
