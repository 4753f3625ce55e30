"""Scores of recorded searches: `python -m benchmarks.scores EXPERIMENT [--out DIR] [--data DIR]`.

published, descriptors   the best measured yield after 15, 25 and 50 reactions; with --data beside published searches
lab, plate, mixture      mean rank after 3, 6 and 10 batches, and shortfalls with their paired differences to q-KG
errors                  log10 regret with gross errors minus that without them, from the same starts
xgboost                 shortfalls, and differences to q-KG, pooled over the tasks; --keep commits them
plates, contexts, unlike, averages, environment   see `compared`; --keep commits them
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from benchmarks.campaigns import compared, pooled
from benchmarks.campaigns.spec import load
from benchmarks.problems.errors import PREFIX
from benchmarks.problems.lab import file_of
from benchmarks.records import Record
from benchmarks.reports.stats import REFERENCE, difference, spread

AFTER, ENOUGH = (15, 25, 50), 99.0  # reactions, and the yield that is as good as the best
BATCHES = (3, 6, 10)
Runs = dict[str, dict[int, dict[int, Record]]]  # method -> seed -> batch -> record


def by_method(records: Iterable[Record], problem: str) -> Runs:
    found: Runs = defaultdict(lambda: defaultdict(dict))
    for record in records:
        if record["problem"] == problem:
            found[record["method"]][record["seed"]][record["batch"]] = record
    return found


def at(runs: dict[int, dict[int, Record]], batch: int, name: str = "value") -> dict[int, float]:
    """By seed, of the runs that came as far."""
    return {seed: batches[batch][name] for seed, batches in runs.items() if batch in batches}


def published(records: list[Record], data: Path | None) -> list[str]:
    problems = dict.fromkeys(record["problem"] for record in records)
    searches = {
        method if len(problems) == 1 else f"{problem}, {method}": [
            [100.0 - y for _, each in sorted(run.items()) for y in each["observed"]] for run in runs.values()
        ]
        for problem in problems
        for method, runs in by_method(records, problem).items()
    }
    if data is not None:
        with file_of(data, "arylation/published_bo.csv").open(encoding="utf-8", newline="") as file:
            searches["published"] = [[float(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]]
    lines = [
        f"| method | runs | {' | '.join(map(str, AFTER))} | {ENOUGH:.0f} or more |",
        "|---" * (len(AFTER) + 3) + "|",
    ]
    for method, yields in searches.items():
        best = np.array([np.maximum.accumulate(each[: AFTER[-1]]) for each in yields if len(each) >= AFTER[-1]])
        if len(best):
            means = (spread(best[:, count - 1]) for count in AFTER)
            cells = " | ".join(f"{mean:.1f} ± {error:.1f}" for mean, error, _ in means)
            lines.append(f"| {method} | {len(best)} | {cells} | {np.mean(best[:, -1] >= ENOUGH):.0%} |")
    return lines


def lab(records: list[Record], data: Path | None) -> list[str]:
    lines = ["| problem, after batches | method | shortfall | rank | minus q-KG, 95 % |", "|---|---|---:|---:|---|"]
    ranks: dict[tuple[int, str], list[float]] = defaultdict(list)
    for problem in dict.fromkeys(record["problem"] for record in records):
        runs = by_method(records, problem)
        for batch in BATCHES:
            values = {method: at(each, batch) for method, each in runs.items()}
            seeds = sorted(set.intersection(*(set(each) for each in values.values())))
            if not seeds:
                continue
            each = rankdata([[values[method][seed] for seed in seeds] for method in values], axis=0)
            for method, row in zip(values, each, strict=True):
                ranks[batch, method].append(float(np.mean(row)))
                gap = difference(values[method], values.get(REFERENCE, {}))
                beside = f"{gap.mean:+.3g} ({gap.low:+.3g} to {gap.high:+.3g})" if gap and method != REFERENCE else ""
                mean = np.mean([values[method][seed] for seed in seeds])
                lines.append(f"| {problem}, {batch} | {method} | {mean:.3g} | {np.mean(row):.2f} | {beside} |")
    lines += [
        f"| mean of {len(r)} problems, {batch} | {method} | | {np.mean(r):.2f} | |"
        for (batch, method), r in ranks.items()
    ]
    return lines


def errors(records: list[Record], data: Path | None) -> list[str]:
    lines = ["| problem | method | seeds | without errors | with | lost, 95 % |", "|---|---|---:|---:|---:|---|"]
    lost: dict[str, list[float]] = defaultdict(list)
    for problem in dict.fromkeys(record["problem"].removeprefix(PREFIX) for record in records):
        clean, wrong = by_method(records, problem), by_method(records, PREFIX + problem)
        for method in clean:
            last = max(record["batch"] for record in records)
            a, b = at(wrong[method], last, "regret"), at(clean[method], last, "regret")
            if gap := difference(a, b):
                lost[method].append(gap.mean)
                means = " | ".join(f"{np.mean([part[seed] for seed in a.keys() & b.keys()]):+.2f}" for part in (b, a))
                beside = f"{gap.mean:+.2f} ({gap.low:+.2f} to {gap.high:+.2f})"
                lines.append(f"| {problem} | {method} | {gap.seeds} | {means} | {beside} |")
    return [
        *lines,
        *(f"| mean of {len(each)} | {method} | | | | {np.mean(each):+.2f} |" for method, each in lost.items()),
    ]


SCORES = {
    "published": published,
    "descriptors": published,
    "lab": lab,
    "plate": lab,
    "mixture": lab,
    "errors": errors,
}
KEPT = {"xgboost": pooled.table, **compared.TABLES}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scores", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("experiment", choices=[*SCORES, *KEPT])
    parser.add_argument("--out", type=Path, default=Path("results"), help="folder of the results")
    parser.add_argument("--data", type=Path, help="folder with lab/")
    parser.add_argument("--keep", action="store_true", help="keep the runs in DIR with the project")
    chosen = parser.parse_args(arguments)
    if chosen.experiment in KEPT:
        runs = pooled.runs_of(chosen.out, chosen.experiment, chosen.keep)
        print("\n".join(KEPT[chosen.experiment](runs)))
        return
    print("\n".join(SCORES[chosen.experiment](load(chosen.out, chosen.experiment), chosen.data)))
