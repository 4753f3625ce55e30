"""Recorded searches side by side, problem by problem and pooled: `python -m benchmarks.scores xgboost [--keep]`.

Differences are paired: the same problem from the same start. Pooled, every pair counts once, in the units of the data.
The runs are those in DIR or, if it has none, those that are kept; `--keep` keeps those in DIR.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.records import recorded
from benchmarks.reports import keep
from benchmarks.reports.keep import Run
from benchmarks.reports.stats import REFERENCE, difference

AFTER = (4, 8, 16)  # batches
Pair = tuple[str, int]  # problem and seed


def runs_of(out: Path, experiment: str, keeping: bool, kept: Path = keep.KEPT) -> list[Run]:
    """The runs in DIR, else those that are kept."""
    if keeping:
        keep.gather(out, experiment, kept)
    files = [] if keeping else sorted((out / experiment).rglob("*.jsonl"))
    return [Run.of(lines) for path in files if (lines := recorded(path))] or keep.load(experiment, kept).runs


def table(runs: Iterable[Run]) -> list[str]:
    """Shortfalls after some batches, and after the last the difference to q-KG."""
    found: dict[str, dict[Pair, list[float]]] = defaultdict(dict)
    for run in runs:
        if len(run.values) > AFTER[-1]:
            found[run.method][run.problem, run.seed] = run.values
    problems = sorted({problem for each in found.values() for problem, _ in each})
    after = " | ".join(f"after {batch}" for batch in AFTER)
    lines = [
        f"| problem | method | starts | {after} | minus q-KG, 95 % | q-KG better, worse |",
        "|---" * (len(AFTER) + 5) + "|",
    ]
    for shown, chosen in [*((problem, [problem]) for problem in problems), ("pooled", problems)]:
        for method in sorted(found, key=lambda name: (name != REFERENCE, name)):
            own = {pair: values for pair, values in found[method].items() if pair[0] in chosen}
            if own:
                means = " | ".join(f"{np.mean([values[batch] for values in own.values()]):.2f}" for batch in AFTER)
                lines.append(f"| {shown} | {method} | {len(own)} | {means} | {_beside(own, found[REFERENCE])} |")
    return lines


def _beside(own: dict[Pair, list[float]], reference: dict[Pair, list[float]]) -> str:
    """The paired difference after the last batch, and in how many pairs either is better."""
    pairs = sorted(own.keys() & reference.keys())
    gaps = {number: own[pair][AFTER[-1]] - reference[pair][AFTER[-1]] for number, pair in enumerate(pairs)}
    gap = difference(gaps, dict.fromkeys(gaps, 0.0))
    if gap is None or own is reference or not any(gaps.values()):
        return " | "
    counts = f"{sum(each > 0 for each in gaps.values())}, {sum(each < 0 for each in gaps.values())}"
    return f"{gap.mean:+.2f} ({gap.low:+.2f} to {gap.high:+.2f}) | {counts}"
