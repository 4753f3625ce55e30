"""What to recommend from exact results: `python -m benchmarks.recommendations DIR [--experiments noise-free]`.

Takes recorded searches of q-KG (`benchmarks.paper … --methods qkg --out DIR`), asks after every batch for the minimum
of the posterior mean and for the best point tried. Each rule chooses between the two; its figure is the mean difference
of log10 regret (of log10 error, where no optimum is known) to always taking the best point tried, over all batches. A
search does not depend on what is recommended, so one record serves all rules. Records are appended to `--lines` as they
come; a stopped replay goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.campaigns.run import FLOOR
from benchmarks.problems.experiments import EXPERIMENTS, make_task
from benchmarks.problems.task import clean, knowgrad_space
from benchmarks.records import Record, gathered, recorded
from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import mean_and_sd
from knowgrad.space import as_space
from knowgrad.trial import Settings, Trial

NEGLIGIBLE = 0.003  # standard deviation of f, relative to that of all results
KEY = ("experiment", "problem", "method", "seed")
Job = tuple[str, str, str, int]  # as KEY
EXACT = [name for name, plan in EXPERIMENTS.items() if plan.noise in (0.0, "exact")]


def _sure(times: float, sd: float, ahead: float) -> bool:
    return sd <= NEGLIGIBLE or ahead > times * sd


RULES: dict[str, Callable[[float, float], bool]] = {  # from sd and how far ahead: the untried point is recommended
    "minimum of the mean": lambda sd, ahead: True,
    "1 sd ahead": partial(_sure, 1.0),
    "2 sd ahead": partial(_sure, 2.0),
    "3 sd ahead": partial(_sure, 3.0),
    "sd negligible": partial(_sure, math.inf),
}


def replay(job: Job, records: Path, data: Path | None) -> list[Record]:
    """One search: a line for every batch."""
    experiment, problem, _, seed = job
    found = recorded(_path(records, *job))
    task = make_task(experiment, problem.split("-")[0], seed, data, found[0]["scale"] or "full")
    space = as_space(knowgrad_space(task.parameters))
    pairs = [pair for record in found for pair in zip(record["points"], record["true"], strict=True)]
    truth = {json.dumps(params): true for params, true in pairs}

    def loss(u: Array) -> float:
        params = clean(space.decode(u), task.parameters)
        if (key := json.dumps(params)) not in truth:
            truth[key] = task.truth(params)  # a training, in some experiments
        return math.log10(max(truth[key] - (task.optimum or 0.0), FLOOR))

    trials: list[Trial] = []
    lines: list[Record] = []
    for record in found:
        for params, value in zip(record["points"], record["observed"], strict=True):
            trials.append(Trial(str(len(trials)), len(trials), params, "complete", value=value))
        model = Snapshot(space, trials, Settings(seed, noise=0)).model.model
        tried = model[0].X
        best = tried[np.argmin(mean_and_sd(model, tried)[0])]
        low = lowest_mean(model, space, np.random.default_rng([seed, len(trials), 3]))
        mean, sd = mean_and_sd(model, np.array([low, best]))
        head = dict(zip(KEY, job, strict=True)) | {"batch": record["batch"]}
        lines.append(head | {"ahead": mean[1] - mean[0], "sd": sd[0], "lost": loss(low) - loss(best)})
    return lines


def _path(records: Path, experiment: str, problem: str, method: str, seed: int) -> Path:
    return records / experiment / problem / f"{method}.q4" / f"{seed:04d}.jsonl"


def report(lines: list[Record]) -> str:
    """By problem: the mean of each rule; then how often it loses, and gains, a factor of two."""
    rows = ["| problem | " + " | ".join(RULES) + " |", "|---|" + "---:|" * len(RULES)]

    def row(name: str, here: list[Record], of: Callable[[list[float]], str]) -> str:
        chosen = (
            [each["lost"] if rule(each["sd"], each["ahead"]) else 0.0 for each in here] for rule in RULES.values()
        )
        return f"| {name} | " + " | ".join(of(lost) for lost in chosen) + " |"

    def mean(lost: list[float]) -> str:
        return f"{np.mean(lost):+.3f}"

    for experiment, problem in dict.fromkeys((line["experiment"], line["problem"]) for line in lines):
        here = [line for line in lines if (line["experiment"], line["problem"]) == (experiment, problem)]
        rows.append(row(f"{experiment}, {problem}", here, mean))
    rows.append(row("all", lines, mean))
    rows.append(row("twice as bad", lines, lambda lost: f"{np.mean(np.array(lost) > math.log10(2)):.1%}"))
    rows.append(row("half as bad", lines, lambda lost: f"{np.mean(np.array(lost) < -math.log10(2)):.1%}"))
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, metavar="DIR")
    parser.add_argument("--experiments", nargs="+", choices=EXACT, default=EXACT)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--data", type=Path, help="the folder with mnist/ and cifar10/, for logreg and cnn")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--lines", type=Path, default=Path("results/recommendations.jsonl"))
    chosen = parser.parse_args()
    kept = [path for name in chosen.experiments for path in sorted((chosen.records / name).glob("*/qkg.q4"))]
    wanted = [
        (path.parent.parent.name, path.parent.name, "qkg", seed) for path, seed in product(kept, range(chosen.runs))
    ]
    jobs = [job for job in wanted if recorded(_path(chosen.records, *job))]
    if not jobs:
        raise SystemExit(
            f"{chosen.records}: no searches; run python -m benchmarks.paper noise-free --methods qkg first"
        )
    work = partial(replay, records=chosen.records, data=chosen.data)
    print(report(gathered(chosen.lines, KEY, jobs, work, chosen.jobs)))
