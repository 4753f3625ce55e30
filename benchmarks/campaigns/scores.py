"""Scores of recorded searches: `python -m benchmarks.scores EXPERIMENT [--out DIR] [--data DIR]`.

published, descriptors  the best measured yield after 15, 25 and 50 reactions, and paired differences to q-KG; with
                        --data beside published searches
lab, plate, mixture     mean rank after 3, 6 and 10 batches, and shortfalls with their paired differences to q-KG
errors                  log10 regret with gross errors minus that without them, from the same starts
xgboost                 shortfalls, and differences to q-KG, pooled over the tasks
plates, contexts, unlike, averages, environment   see `compared`

`--keep` puts the runs in DIR among those that are committed. Where DIR has none, or with `--keep`, these are scored.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks.campaigns import compared, pooled
from benchmarks.campaigns.spec import load
from benchmarks.problems.errors import PREFIX
from benchmarks.problems.experiments import BLENDS, DESCRIBED
from benchmarks.problems.lab import file_of
from benchmarks.records import Record
from benchmarks.reports import keep
from benchmarks.reports.stats import REFERENCE, difference, spread

AFTER, ENOUGH = (15, 25, 50), 99.0  # reactions, and the yield that is as good as the best
BATCHES = (3, 6, 10)
PLAIN, BESIDE = "arylation", {"descriptors": ("published",)}  # the same reactions without descriptors
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


def kept(experiment: str, folder: Path = keep.KEPT) -> list[Record]:
    """Of the runs that are committed, what is scored here: of a batch the best so far stands for its results."""
    return [
        {
            **{name: getattr(run, name) for name in ("problem", "method", "seed")},
            **dict.fromkeys(("value", "regret"), run.values[batch]),
            "batch": batch,
            "observed": [run.observed[batch]] * (count - before),
        }
        for run in keep.runs_of(folder / f"{experiment}.jsonl")
        for batch, (before, count) in enumerate(pairwise([0, *run.evaluations]))
    ]


def published(records: list[Record], data: Path | None) -> list[str]:
    problems = dict.fromkeys(record["problem"] for record in records)
    lines = [
        f"| method | runs | {' | '.join(map(str, AFTER))} | {ENOUGH:.0f} or more |",
        "|---" * (len(AFTER) + 3) + "|",
    ]
    for problem in problems:
        before = "" if len(problems) == 1 else f"{problem}, "
        found = {method: best_yields(runs) for method, runs in by_method(records, problem).items()}
        lines += [_yields(before + method, best) for method, best in found.items() if best]
        lines += [
            f"| {before}{method} minus {REFERENCE} {_beside(best, found[REFERENCE])} | |"
            for method, best in found.items()
            if method != REFERENCE and len(best.keys() & found.get(REFERENCE, {}).keys()) > 1
        ]
    lines += _without_descriptors(records)
    if data is not None:
        with file_of(data, "arylation/published_bo.csv").open(encoding="utf-8", newline="") as file:
            rows = [[float(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]]
        lines.append(_yields("published", {k: np.maximum.accumulate(row) for k, row in enumerate(rows)}))
    return lines


def _without_descriptors(records: list[Record]) -> list[str]:
    """What descriptors, right or in disorder, add to q-KG from the same starts."""
    of = {problem: best_yields(by_method(records, problem)[REFERENCE]) for problem in (PLAIN, *DESCRIBED)}
    return [
        f"| {REFERENCE}, {problem} minus {PLAIN} {_beside(of[problem], of[PLAIN])} | |"
        for problem in DESCRIBED
        if len(of[problem].keys() & of[PLAIN].keys()) > 1
    ]


def best_yields(runs: dict[int, dict[int, Record]]) -> dict[int, NDArray[np.float64]]:
    """By seed, the best so far after each reaction, of the searches that came to the end."""
    each = {seed: [100.0 - y for _, one in sorted(run.items()) for y in one["observed"]] for seed, run in runs.items()}
    return {seed: np.maximum.accumulate(y) for seed, y in each.items() if len(y) >= AFTER[-1]}


def _yields(name: str, best: dict[int, NDArray[np.float64]]) -> str:
    after = np.array([[y[count - 1] for count in AFTER] for y in best.values()])
    cells = " | ".join(f"{mean:.1f} ± {error:.1f}" for mean, error, _ in map(spread, after.T))
    return f"| {name} | {len(best)} | {cells} | {np.mean(after[:, -1] >= ENOUGH):.0%} |"


def _beside(best: dict[int, NDArray[np.float64]], reference: dict[int, NDArray[np.float64]]) -> str:
    gaps = [
        difference(*({seed: float(y[count - 1]) for seed, y in each.items()} for each in (best, reference)))
        for count in AFTER
    ]
    told = " | ".join(f"{gap.mean:+.1f} ({gap.low:+.1f} to {gap.high:+.1f})" for gap in gaps if gap)
    return f"| {len(best.keys() & reference.keys())} | {told}"


def lab(records: list[Record], data: Path | None) -> list[str]:
    heads = "| problem, after batches | method | starts | shortfall | rank | minus q-KG, 95 % |"
    lines = [heads, "|---|---|---:|---:|---:|---|"]
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
                own = f"{len(values[method])} | {np.mean(list(values[method].values())):.3g}"
                lines.append(f"| {problem}, {batch} | {method} | {own} | {np.mean(row):.2f} | {beside} |")
    return lines + [
        f"| mean of {len(r)} problems, {batch} | {method} | | | {np.mean(r):.2f} | |"
        for (batch, method), r in ranks.items()
        if len(r) > 1 < len({name for _, name in ranks})
    ]


def mixture(records: list[Record], data: Path | None) -> list[str]:
    """And what it costs q-KG to be given all components."""
    whole, left = (by_method(records, problem)[REFERENCE] for problem in BLENDS)
    lines = lab(records, data)
    for batch in BATCHES:
        if gap := difference(at(whole, batch), at(left, batch)):
            between = f"{gap.mean:+.3g} | | {gap.low:+.3g} to {gap.high:+.3g}"
            lines.append(f"| {' minus '.join(BLENDS)}, {batch} | {REFERENCE} | {gap.seeds} | {between} |")
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
    "mixture": mixture,
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
    if chosen.keep:
        keep.gather(chosen.out, chosen.experiment, keep.KEPT)
    records: list[Record] = []
    for experiment in (chosen.experiment, *BESIDE.get(chosen.experiment, ())):
        recent = [] if chosen.keep else load(chosen.out, experiment)
        records += recent or kept(experiment)
    print("\n".join(SCORES[chosen.experiment](records, chosen.data)))
