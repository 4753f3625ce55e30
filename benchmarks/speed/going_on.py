"""A search that goes on from many results: with the model of a part of them, and with the exact one of all.

`python -m benchmarks.large --going-on RUNS` has pairs: both searches begin with the same n results, half of them spread
over the domain and half where a search has been, ask for the same number of batches of 4, and are judged by the
regret of what they recommend. `exact` takes all results in and corrects the hyperparameters on 1,024 of them, as
versions before did up to 4,000 results. Every search is a line of the file `--out`, and those that are there are not
repeated.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev

import numpy as np

from benchmarks.processes import alone
from benchmarks.records import Record, gathered
from knowgrad import Study
from knowgrad.problems import HARTMANN6

Objective = Callable[[np.ndarray], float]
N, BATCHES, Q = 2_000, 6, 4
KEY, METHODS = ("problem", "method", "seed"), ("part", "exact")


def hartmann(x: np.ndarray) -> float:
    """Hartmann6; less its optimum."""
    return float(HARTMANN6.values(x[None])[0] - HARTMANN6.optimum)


def ackley(x: np.ndarray) -> float:
    """Ackley's function in 10 dimensions, on [−1, 3]¹⁰ around its optimum."""
    u = 4.0 * x - 1.0
    waves = math.exp(np.cos(2 * np.pi * u).mean())
    return float(20.0 + math.e - 20.0 * math.exp(-0.2 * math.sqrt((u**2).mean())) - waves)


HARTMANN_AT = np.array([0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573])
# the function, its optimum, and the standard deviation of noise
PROBLEMS: dict[str, tuple[Objective, np.ndarray, float]] = {
    "hartmann6, noise 0.1": (hartmann, HARTMANN_AT, 0.1),
    "hartmann6, exact": (hartmann, HARTMANN_AT, 0.0),
    "ackley10, noise 0.3": (ackley, np.full(10, 0.25), 0.3),
}


def go_on(name: str, exact: bool, seed: int) -> tuple[float, float]:
    """log10 regret of the recommendation in the end, and CPU seconds per batch."""
    objective, optimum, noise = PROBLEMS[name]
    if exact:
        _take_all()
    rng, d = np.random.default_rng(seed), len(optimum)
    X = rng.random((N, d))
    X[1::2] = np.clip(optimum + 0.15 * rng.standard_normal((N // 2, d)), 0.0, 1.0)
    names = [f"x{i}" for i in range(d)]
    study = Study(dict.fromkeys(names, (0.0, 1.0)), seed=seed, noise="learned" if noise else 0)
    for x in X:
        study.add(dict(zip(names, x.tolist(), strict=True)), objective(x) + noise * rng.standard_normal(), check=False)
    seconds = 0.0
    for _ in range(BATCHES):
        began = time.process_time()
        batch = study.ask(Q)
        seconds += time.process_time() - began
        for trial in batch:
            x = np.array([trial.params[each] for each in names])
            study.tell(trial, objective(x) + noise * rng.standard_normal(), check=False)
    best = study.recommend().params
    regret = objective(np.array([best[each] for each in names]))
    return math.log10(max(regret, 1e-10)), seconds / BATCHES


def _take_all() -> None:
    """The exact model, in this process."""
    from knowgrad.gp import fit
    from knowgrad.model import fitted

    fitted.LIMIT, fit.ALL, fit.even_subset = 10**6, 10**6, _evenly


def _evenly(n: int, effort: object = None) -> np.ndarray:
    return np.unique(np.linspace(0, n - 1, 1_024).astype(int))


def gone_on(job: tuple[str, str, int]) -> list[Record]:
    problem, method, seed = job
    regret, seconds = alone(go_on, problem, method == "exact", seed)  # which changes the process it runs in
    return [{**dict(zip(KEY, job, strict=True)), "regret": round(regret, 4), "cpu": round(seconds, 3)}]


def report(runs: int, names: list[str], out: Path) -> None:
    """A row for each problem: both, and the mean difference of log10 regret with its standard error."""
    print(f"\nFrom {N:,} results on, {BATCHES} batches of {Q}, {runs} pairs.\n")
    wanted = [(name, method, seed) for seed in range(runs) for name in names for method in METHODS]
    lines = {tuple(line[key] for key in KEY): line for line in gathered(out, KEY, wanted, gone_on, 1)}
    print("| problem | log10 regret, part | all, exact | difference | s per batch, part | all |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in names:
        pairs = [[lines[name, method, seed] for method in METHODS] for seed in range(runs)]
        gaps = [part["regret"] - whole["regret"] for part, whole in pairs]
        error = f" ± {stdev(gaps) / len(gaps) ** 0.5:.2f}" if len(gaps) > 1 else ""
        part, whole = ({key: mean(pair[k][key] for pair in pairs) for key in ("regret", "cpu")} for k in (0, 1))
        numbers = f"{part['regret']:.2f} | {whole['regret']:.2f} | {mean(gaps):+.2f}{error}"
        print(f"| {name} | {numbers} | {part['cpu']:.2f} | {whole['cpu']:.2f} |")
