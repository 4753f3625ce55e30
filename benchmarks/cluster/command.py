"""Many workers on one study: `python -m benchmarks.cluster [--workers W …] [--contenders …]`.

In virtual time (`simulate`): the share of time that workers evaluate, and the log10 regret of what is taken home
after a quarter, a half and all of the time. With `--real W` instead, W processes on PostgreSQL with an objective that
sleeps (`real`). Optuna's Gaussian process needs torch.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from benchmarks.cluster.contenders import contender
from benchmarks.cluster.durations import lcbench, lognormal
from benchmarks.cluster.real import real
from benchmarks.cluster.simulate import NOISE, Cluster, Outcome
from benchmarks.processes import ONE_THREAD, alone
from knowgrad.problems import PROBLEMS

CONTENDERS = ("qkg", "gp", "tpe")


def simulated(
    name: str, workers: int, problem: str, mean: float, rounds: float, seed: int, data: Path | None
) -> Outcome:
    """One simulation, in this process."""
    chosen, rng = PROBLEMS[problem], np.random.default_rng([seed, 7])
    low, high = np.array(list(chosen.space.values())).T
    spread = chosen.values(low + (high - low) * np.random.default_rng(0).random((4_096, len(low)))).std()
    draw = lognormal(mean) if data is None else lcbench(mean, data)
    horizon = rounds * mean
    made = Cluster(
        contender(name, dict(chosen.space), seed), chosen, draw, workers, horizon, rng, NOISE * float(spread)
    )
    return made.run([0.25 * horizon, 0.5 * horizon, horizon])


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="*", default=[4, 64, 1000])
    parser.add_argument("--contenders", nargs="*", default=list(CONTENDERS), choices=CONTENDERS)
    parser.add_argument("--problem", default="hartmann6", choices=list(PROBLEMS))
    parser.add_argument("--mean", type=float, default=600.0, help="seconds of an evaluation")
    parser.add_argument("--rounds", type=float, help="evaluations per worker, about (120 / W, at least 2)")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--data", type=Path, help="with DIR/lab/lcbench: seconds of LCBench instead of lognormal ones")
    parser.add_argument("--real", type=int, metavar="W", help="processes on PostgreSQL instead")
    parser.add_argument("--evaluations", type=int, default=15, help="with --real: of each process")
    parser.add_argument("--seconds", type=float, default=1.0, help="with --real: of an evaluation")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    os.environ.update(ONE_THREAD)
    if chosen.real:
        real(chosen.real, chosen.evaluations, chosen.seconds, chosen.contenders)
        return
    print("| workers | contender | evaluations | evaluating | choices | longest, s | regret at ¼ | ½ | 1 |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    for workers in chosen.workers:
        rounds = chosen.rounds or max(2.0, 120.0 / workers)
        for name in chosen.contenders:
            for seed in range(chosen.runs):
                task = (name, workers, chosen.problem, chosen.mean, rounds, seed, chosen.data)
                found: Outcome = alone(simulated, *task)
                regrets = " | ".join(f"{regret:.2f}" for regret in found.regrets)
                numbers = (
                    f"{found.evaluations} | {100 * found.utilisation:.2f} % | {found.choices} | {found.longest:.1f}"
                )
                print(f"| {workers} | `{name}` | {numbers} | {regrets} |", flush=True)
