"""Recorded searches side by side, problem by problem and pooled: `python -m benchmarks.scores xgboost [--keep]`.

Differences are paired: the same problem from the same start. Pooled, every pair counts once, in the units of the data.
The runs are those in DIR or, if it has none, those that are kept; `--keep` keeps those in DIR.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.records import recorded
from benchmarks.reports import keep
from benchmarks.reports.keep import Run
from benchmarks.reports.names import shown
from benchmarks.reports.stats import REFERENCE, Difference, difference

AFTER = (4, 8, 16)  # batches
VERDICTS = ("worse", "not separable", "better")  # of the other method
Pair = tuple[str, int]  # problem and seed


def runs_of(out: Path, experiment: str, keeping: bool, kept: Path = keep.KEPT) -> list[Run]:
    """The runs in DIR, else those that are kept."""
    if keeping:
        keep.gather(out, experiment, kept)
    files = [] if keeping else sorted((out / experiment).rglob("*.jsonl"))
    return [Run.of(lines) for path in files if (lines := recorded(path))] or keep.load(experiment, kept).runs


def ended(runs: Iterable[Run]) -> dict[str, dict[Pair, list[float]]]:
    """By method, of the runs that came to the end; q-KG first."""
    found: dict[str, dict[Pair, list[float]]] = {REFERENCE: {}}
    for run in sorted(runs, key=lambda run: run.method):
        if len(run.values) > AFTER[-1]:
            found.setdefault(run.method, {})[run.problem, run.seed] = run.values
    return found


def table(runs: Iterable[Run]) -> list[str]:
    """Who ends where in a line, then shortfalls after some batches, and after the last the difference to q-KG."""
    found = ended(runs)
    problems = sorted({problem for each in found.values() for problem, _ in each})
    after = " | ".join(f"after {batch}" for batch in AFTER)
    lines = [
        *summary(found, problems),
        "",
        f"| problem | method | starts | {after} | minus q-KG, 95 % | q-KG better, worse |",
        "|---" * (len(AFTER) + 5) + "|",
    ]
    for named, chosen in [*((problem, [problem]) for problem in problems), ("pooled", problems)]:
        for method in found:
            own = {pair: values for pair, values in found[method].items() if pair[0] in chosen}
            if own:
                means = " | ".join(f"{np.mean([values[batch] for values in own.values()]):.2f}" for batch in AFTER)
                lines.append(f"| {named} | {method} | {len(own)} | {means} | {_beside(own, found[REFERENCE])} |")
    return lines


def summary(found: dict[str, dict[Pair, list[float]]], problems: list[str]) -> list[str]:
    """A line for each method: where it ends on each problem (starts), and how q-KG compares."""
    heads = [*(problem.partition("-")[2] or problem for problem in problems), "pairs", "pooled minus q-KG, 95 %"]
    lines = [f"| | {' | '.join(heads)} | q-KG better, worse | ahead, level, behind |", "|---" * (len(heads) + 3) + "|"]
    reference = found[REFERENCE]
    for method, own in found.items():
        ends = [[values[AFTER[-1]] for pair, values in own.items() if pair[0] == problem] for problem in problems]
        cells = [f"{np.mean(each):.2f} ({len(each)})" if each else "" for each in ends]
        pairs = len(own.keys() & reference.keys())
        verdicts = [_gap(own, reference, problem) for problem in problems]
        counts = [sum(gap is not None and gap.verdict == verdict for gap in verdicts) for verdict in VERDICTS]
        last = "" if method == REFERENCE else ", ".join(map(str, counts))
        lines.append(f"| {shown(method)} | {' | '.join(cells)} | {pairs} | {_beside(own, reference)} | {last} |")
    return lines


def _gap(own: dict[Pair, list[float]], reference: dict[Pair, list[float]], problem: str) -> Difference | None:
    """The paired difference on one problem; level where all pairs are equal."""
    ends = (
        {seed: values[AFTER[-1]] for (name, seed), values in each.items() if name == problem}
        for each in (own, reference)
    )
    return difference(*ends)


def _beside(own: dict[Pair, list[float]], reference: dict[Pair, list[float]]) -> str:
    """The paired difference after the last batch, and in how many pairs either is better."""
    pairs = sorted(own.keys() & reference.keys())
    gaps = {number: own[pair][AFTER[-1]] - reference[pair][AFTER[-1]] for number, pair in enumerate(pairs)}
    gap = difference(gaps, dict.fromkeys(gaps, 0.0))
    if gap is None or own is reference or not any(gaps.values()):
        return " | "
    counts = f"{sum(each > 0 for each in gaps.values())}, {sum(each < 0 for each in gaps.values())}"
    return f"{gap.mean:+.2f} ({gap.low:+.2f} to {gap.high:+.2f}) | {counts}"
