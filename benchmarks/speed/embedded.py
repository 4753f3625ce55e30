"""Many parameters of which few matter: `python -m benchmarks.large --embedded RUNS [--dims 50 100] [--out FILE]`.

q-KG, random search and Optuna's two samplers go on from the same start of 2d + 2 points, in batches of 4, on exact
results. Compared is the regret of what is taken home: with q-KG the recommendation, else the best point found.
Optuna's Gaussian process needs torch. Every search is a line of FILE, and those that are there are not repeated.
"""

from __future__ import annotations

import math
import time
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from benchmarks.records import Record, gathered
from knowgrad import Study
from knowgrad.problems import HARTMANN6

KEY = ("problem", "d", "method", "batches", "seed")
CONTENDERS = ("qkg", "random", "gp", "tpe")
Params = dict[str, float]


def names(d: int) -> list[str]:
    return [f"x{i + 1}" for i in range(d)]


def hartmann(params: Params, d: int) -> float:
    """Hartmann6 on six columns, spread over all; less its optimum."""
    return HARTMANN6({f"x{i + 1}": params[f"x{i * d // 6 + 1}"] for i in range(6)}) - HARTMANN6.optimum


def quadratic(params: Params, d: int) -> float:
    """A bowl in three columns."""
    a, b, c = params["x2"] - 0.3, params[f"x{d // 2}"] - 0.8, params[f"x{d - 4}"] - 0.55
    return 4 * a**2 + 2 * b**2 + c**2 + a * b


PROBLEMS = {"hartmann6": hartmann, "quadratic, 3": quadratic}


def start(d: int, seed: int) -> list[Params]:
    """The same for all."""
    return [
        dict(trial.params) for trial in Study(dict.fromkeys(names(d), (0.0, 1.0)), seed=seed, noise=0).ask(2 * d + 2)
    ]


def search(problem: str, d: int, contender: str, batches: int, seed: int) -> tuple[float, float]:
    """log10 regret in the end, and CPU seconds per batch of 4."""
    objective = PROBLEMS[problem]
    made: Any = _Ours(d, contender, seed) if contender in ("qkg", "random") else _Optuna(d, contender, seed)
    first = start(d, seed)
    known = [(params, objective(params, d)) for params in first]
    made.add(known)
    seconds = 0.0
    for _ in range(batches):
        began = time.process_time()
        batch = made.ask(4)
        seconds += time.process_time() - began
        told = [(params, objective(params, d)) for params in batch]
        made.tell([value for _, value in told])
        known += told
    best = made.best() or min(known, key=lambda each: each[1])[0]
    return math.log10(max(objective(best, d), 1e-10)), seconds / batches


class _Ours:
    def __init__(self, d: int, method: str, seed: int) -> None:
        self._study, self._method = (
            Study(dict.fromkeys(names(d), (0.0, 1.0)), seed=seed, noise=0, method=method),
            method,
        )
        self._asked: list[Any] = []

    def add(self, known: list[tuple[Params, float]]) -> None:
        for params, value in known:
            self._study.add(params, value, check=False)

    def ask(self, q: int) -> list[Params]:
        self._asked = self._study.ask(q)
        return [dict(trial.params) for trial in self._asked]

    def tell(self, values: list[float]) -> None:
        for trial, value in zip(self._asked, values, strict=True):
            self._study.tell(trial, value, check=False)

    def best(self) -> Params | None:
        return dict(self._study.recommend().params) if self._method == "qkg" else None


class _Optuna:
    def __init__(self, d: int, sampler: str, seed: int) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        made: optuna.samplers.BaseSampler
        if sampler == "gp":
            made = optuna.samplers.GPSampler(seed=seed, deterministic_objective=True, n_startup_trials=1)
        else:
            made = optuna.samplers.TPESampler(seed=seed, constant_liar=True, n_startup_trials=1)
        self._study = optuna.create_study(sampler=made)
        self._space = {name: optuna.distributions.FloatDistribution(0.0, 1.0) for name in names(d)}
        self._asked: list[Any] = []

    def add(self, known: list[tuple[Params, float]]) -> None:
        import optuna

        for params, value in known:
            self._study.add_trial(optuna.trial.create_trial(params=params, distributions=self._space, value=value))

    def ask(self, q: int) -> list[Params]:
        self._asked = [self._study.ask(self._space) for _ in range(q)]
        return [trial.params for trial in self._asked]

    def tell(self, values: list[float]) -> None:
        for trial, value in zip(self._asked, values, strict=True):
            self._study.tell(trial, value)

    def best(self) -> Params | None:
        return None


def searched(job: tuple[str, int, str, int, int]) -> list[Record]:
    problem, d, contender, batches, seed = job
    regret, seconds = search(problem, d, contender, batches, seed)
    found = {"regret": round(regret, 4), "cpu": round(seconds, 3)}
    return [{**dict(zip(KEY, job, strict=True)), **found}]


def report(runs: int, problems: list[str], dims: list[int], batches: int, contenders: list[str], out: Path) -> None:
    """A row for each problem and contender, with the mean of paired differences of log10 regret to q-KG."""
    print(f"\nFrom the same start of 2d + 2 points, {batches} batches of 4, {runs} runs.\n")
    wanted = [(*job, batches, seed) for seed in range(runs) for job in product(problems, dims, contenders)]
    lines = gathered(out, KEY, wanted, searched, 1)
    print("| problem | d | contender | log10 regret | less that of `qkg` | `qkg` ahead | CPU s per batch |")
    print("|---|---:|---|---:|---:|---:|---:|")
    for d, problem, contender in product(dims, problems, contenders):
        mine, ours = ({r["seed"]: r for r in lines if _is(r, problem, d, name)} for name in (contender, "qkg"))
        logs, seconds = [r["regret"] for r in mine.values()], mean(r["cpu"] for r in mine.values())
        gaps = [r["regret"] - ours[seed]["regret"] for seed, r in mine.items() if seed in ours]
        ahead = f"{sum(gap > 0.0 for gap in gaps)} of {len(gaps)}"
        gap = "– | –" if contender == "qkg" or not gaps else f"{_with_error(gaps, '+')} | {ahead}"
        print(f"| {problem} | {d} | `{contender}` | {_with_error(logs)} | {gap} | {seconds:.2f} |", flush=True)


def _is(record: Record, problem: str, d: int, contender: str) -> bool:
    return (record["problem"], record["d"], record["method"]) == (problem, d, contender)


def _with_error(values: list[float], sign: str = "") -> str:
    error = f" ± {stdev(values) / len(values) ** 0.5:.2f}" if len(values) > 1 else ""
    return f"{mean(values):{sign}.2f}{error}"
