"""Four workers on an Optuna study: `python -m benchmarks.optuna_workers [--runs N] [--evaluations N] [--out FILE]`.

Our sampler and Optuna's GPSampler, each as a user would create it, on the noisy test functions. Four trials are asked
for, then all four are told, again and again. Evaluation k of a seed gets the same noise whoever asked for it. Compared
is the regret of what a user would take home: with our sampler `recommend(study)`, with GPSampler `study.best_params`.
The table has the other two combinations as well, and the paired difference of log10 regrets over the seeds. Needs
`optuna` and `torch`; runs already in FILE are not repeated.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from statistics import mean

import numpy as np
import optuna

from benchmarks.records import Record, gathered
from benchmarks.reports.stats import difference
from knowgrad.integrations.optuna import KnowledgeGradientSampler, recommend
from knowgrad.problems import PROBLEMS

FUNCTIONS = ("branin", "rosenbrock3", "ackley5", "hartmann6")
SD = 0.5
WORKERS = 4
KEY = ("problem", "method", "seed", "evaluations")
FLOOR = 1e-6  # of the regret, before its logarithm is taken
ANSWERS = {  # column -> sampler, and what a user takes home
    "q-KG, recommended": ("qkg", "recommended"),
    "q-KG, best observed": ("qkg", "observed"),
    "GPSampler, best observed": ("gp", "observed"),
    "GPSampler, recommended by our model": ("gp", "recommended"),
}


def sampler(name: str, seed: int) -> optuna.samplers.BaseSampler:
    if name == "gp":
        return optuna.samplers.GPSampler(seed=seed)
    return KnowledgeGradientSampler(seed=seed, batch_size=WORKERS)


def perform(job: tuple[str, str, int, int]) -> list[Record]:
    """One run: regrets at the end, and the CPU seconds it took."""
    function, name, seed, evaluations = job
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    problem, began = PROBLEMS[function], time.process_time()
    space = {key: optuna.distributions.FloatDistribution(low, high) for key, (low, high) in problem.space.items()}
    study = optuna.create_study(sampler=sampler(name, seed))
    for _ in range(evaluations // WORKERS):
        for trial in [study.ask(space) for _ in range(WORKERS)]:
            noise = np.random.default_rng([seed, 1, trial.number]).normal(0.0, SD)
            study.tell(trial, problem(trial.params) + noise)
    cpu = time.process_time() - began
    answers = {"recommended": recommend(study).params, "observed": study.best_params}
    regrets = {answer: problem(params) - problem.optimum for answer, params in answers.items()}
    return [{**dict(zip(KEY, job, strict=True)), "cpu": cpu, **regrets}]


def table(results: list[Record]) -> str:
    """The table of the documentation, in Markdown."""
    lines = [f"| function | {' | '.join(ANSWERS)} | difference of log10, 95 % |", "|---" * (len(ANSWERS) + 2) + "|"]
    for function in FUNCTIONS:
        columns = {
            column: {r["seed"]: r[answer] for r in results if (r["problem"], r["method"]) == (function, name)}
            for column, (name, answer) in ANSWERS.items()
        }
        logs = [{seed: math.log10(max(x, FLOOR)) for seed, x in column.items()} for column in columns.values()]
        gap = difference(logs[0], logs[2])
        cells = [f"{mean(column.values()):.3g}" for column in columns.values()]
        if gap is not None:
            cells.append(f"{gap.mean:+.2f} ({gap.low:+.2f} to {gap.high:+.2f}), {gap.seeds} seeds: {gap.verdict}")
        lines.append(f"| {function} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Our Optuna sampler beside GPSampler, four workers, noisy functions")
    parser.add_argument("--runs", type=int, default=15, help="seeds")
    parser.add_argument("--evaluations", type=int, default=64, help="in each run, a multiple of 4")
    parser.add_argument("--out", type=Path, default=Path("results/optuna_workers.jsonl"))
    options = parser.parse_args()
    jobs = [
        (function, name, seed, options.evaluations)
        for seed in range(options.runs)
        for function in FUNCTIONS
        for name in ("qkg", "gp")
    ]
    results = gathered(options.out, KEY, jobs, perform, 1)
    print(table(results))
    for name in ("qkg", "gp"):
        print(f"{name}: {mean(run['cpu'] for run in results if run['method'] == name):.1f} CPU s a run")
