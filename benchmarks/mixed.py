"""Mixed spaces: `python -m benchmarks.mixed [--runs N] [--methods …] [--peers optuna-gp optuna-tpe] [--jobs J]`.

Everyone begins with the same Latin hypercube of 2d + 2 points for the same seed, then chooses batches of 4, with exact
results and with noisy ones. The table has the mean log10 regret of the point each would use (ours by its model, the
peers by their best observation) with its standard error; beside it that of the best observation, for all; and how
often the optimum itself was found.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import mean, stdev

FLOOR = 1e-6  # of the regret, before its logarithm is taken
FOUND = 1e-3  # regret, relative to the noise, at which the optimum counts as found
Q = 4


@dataclass(frozen=True)
class Spec:
    """One run."""

    problem: str
    noisy: bool
    method: str
    seed: int
    batches: int

    @property
    def setting(self) -> str:
        return f"{self.problem}, {'noisy' if self.noisy else 'exact'}"


@dataclass(frozen=True)
class Outcome:
    """log10 regrets at the end of a run, and whether the optimum was found."""

    recommended: float
    observed: float
    found: bool


def perform(spec: Spec) -> Outcome:
    """One run, from the start to the last recommendation."""
    import numpy as np

    from benchmarks import optimizers
    from benchmarks.mixed_problems import PROBLEMS
    from benchmarks.tasks import Params, clean, start

    problem = PROBLEMS[spec.problem]
    sd = problem.noise if spec.noisy else 0.0
    rng = np.random.default_rng([spec.seed, 77])
    optimizer = optimizers.create(spec.method, problem.parameters, spec.seed, spec.noisy)
    seen: list[tuple[float, Params]] = []

    def measure(points: list[Params]) -> list[float]:
        values = [problem.function(point) + sd * float(rng.standard_normal()) for point in points]
        seen.extend(zip(values, points, strict=True))
        return values

    points = start(problem.parameters, spec.seed)
    optimizer.add(points, measure(points))
    for _ in range(spec.batches):
        points = [clean(point, problem.parameters) for point in optimizer.ask(Q)]
        optimizer.tell(measure(points))
    best = min(seen, key=lambda pair: pair[0])[1]
    chosen = optimizer.recommend() or best
    regret, observed = (problem.function(point) - problem.optimum() for point in (chosen, best))
    logs = [math.log10(max(gap, FLOOR)) for gap in (regret, observed)]
    return Outcome(logs[0], logs[1], regret <= FOUND * problem.noise)


def table(results: dict[Spec, Outcome]) -> str:
    """In Markdown, one line per setting and method."""
    lines = [
        "| problem | method | log10 regret | of the best observation | optimum found |",
        "|---|---|---:|---:|---:|",
    ]
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for spec in sorted(results, key=lambda spec: (spec.problem, spec.noisy, spec.seed)):
        groups.setdefault((spec.setting, spec.method), []).append(results[spec])
    for (setting, method), group in groups.items():
        logs = [outcome.recommended for outcome in group]
        error = f" ± {stdev(logs) / len(logs) ** 0.5:.2f}" if len(logs) > 1 else ""
        observed = mean(outcome.observed for outcome in group)
        found = sum(outcome.found for outcome in group)
        lines.append(f"| {setting} | `{method}` | {mean(logs):.2f}{error} | {observed:.2f} | {found} of {len(group)} |")
    return "\n".join(lines)


def specs(chosen: argparse.Namespace) -> Iterator[Spec]:
    for seed in range(chosen.first_seed, chosen.first_seed + chosen.runs):
        for problem in chosen.problems:
            for kind in chosen.noise:
                for method in [*chosen.methods, *chosen.peers]:
                    yield Spec(problem, kind == "noisy", method, seed, chosen.batches)


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mixed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="seeds; each has its own start")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--batches", type=int, default=10, help="of 4, after the start")
    parser.add_argument("--problems", nargs="+", default=["branin", "hartmann", "tuning", "table"])
    parser.add_argument("--noise", nargs="+", default=["exact", "noisy"], choices=["exact", "noisy"])
    parser.add_argument("--methods", nargs="*", default=["qkg"], help="ours, by the names Study takes")
    parser.add_argument("--peers", nargs="*", default=[], help="of benchmarks.optimizers, as far as they take choices")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time, one thread each")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    results: dict[Spec, Outcome] = {}
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(perform, spec): spec for spec in specs(chosen)}
        for future in as_completed(futures):
            results[futures[future]] = future.result()
    print(table(results))


if __name__ == "__main__":
    main()
