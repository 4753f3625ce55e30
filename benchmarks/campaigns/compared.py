"""Recorded campaigns side by side: `python -m benchmarks.scores plates|contexts|averages [--keep]`.

plates     the shortfall of the best yield after each plate, and paired differences
contexts   how many experiments it takes until the mean shortfall stays below so many points: one study for all contexts
           beside a study for each, with an interval by drawing starts again, in pairs
averages   the shortfall of the average in the end, and paired differences
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from benchmarks.reports.keep import Run
from benchmarks.reports.stats import difference

LEVELS = (10.0, 5.0)  # points of yield
DRAWS = 2000
Curves = dict[str, dict[str, dict[int, Run]]]  # problem -> method -> seed -> run


def curves(runs: Iterable[Run]) -> Curves:
    """Of the runs that came to the end."""
    runs = list(runs)
    last = {run.problem: max(len(each.values) for each in runs if each.problem == run.problem) for run in runs}
    found: Curves = defaultdict(lambda: defaultdict(dict))
    for run in runs:
        if len(run.values) == last[run.problem]:
            found[run.problem][run.method][run.seed] = run
    return found


def beside(runs: Iterable[Run], first: str, *, best: bool) -> list[str]:
    """Each method in the end, and the first minus it on the starts both have; `best`: of what was measured."""
    lines = [f"| problem | method | starts | in the end | {first} minus it, 95 % |", "|---|---|---:|---:|---|"]
    for problem, methods in sorted(curves(runs).items()):
        last = {
            name: {seed: (run.observed if best else run.values)[-1] for seed, run in each.items()}
            for name, each in methods.items()
        }
        for name, values in last.items():
            gap = difference(last[first], values) if name != first else None
            told = "" if gap is None else f"{gap.mean:+.2f} ({gap.low:+.2f} to {gap.high:+.2f}), {gap.verdict}"
            lines.append(f"| {problem} | {name} | {len(values)} | {np.mean(list(values.values())):.2f} | {told} |")
    return lines


def reached(shortfalls: NDArray[np.float64], evaluations: list[int], level: float) -> float:
    """After how many experiments the mean of the rows stays below the level; nan if it does not."""
    above = np.flatnonzero(shortfalls.mean(axis=0) > level)
    after = int(above[-1]) + 1 if len(above) else 0
    return float(evaluations[after]) if after < len(evaluations) else np.nan


def contexts(runs: Iterable[Run], together: str = "@across", apart: str = "@apart") -> list[str]:
    rng = np.random.default_rng(0)
    lines = ["| problem | below | starts | together | apart | share, 95 % |", "|---|---:|---:|---:|---:|---|"]
    for problem, methods in sorted(curves(runs).items()):
        seeds = sorted(methods[together].keys() & methods[apart].keys())
        if not seeds:
            continue
        evaluations = methods[together][seeds[0]].evaluations
        both = [np.array([methods[name][seed].values for seed in seeds]) for name in (together, apart)]
        for level in LEVELS:
            a, b = (reached(each, evaluations, level) for each in both)
            drawn = rng.integers(len(seeds), size=(DRAWS, len(seeds)))
            pairs = np.array([[reached(each[rows], evaluations, level) for each in both] for rows in drawn])
            known = pairs[~np.isnan(pairs).any(axis=1)]
            low, high = np.quantile(known[:, 0] / known[:, 1], [0.025, 0.975]) if len(known) else (np.nan, np.nan)
            share = f"{a / b:.2f} ({low:.2f} to {high:.2f})"
            lines.append(f"| {problem} | {level:g} | {len(seeds)} | {a:g} | {b:g} | {share} |")
    return lines


TABLES = {
    "plates": lambda runs: beside(runs, "@plate", best=True),
    "contexts": contexts,
    "averages": lambda runs: beside(runs, "@average", best=False),
}
