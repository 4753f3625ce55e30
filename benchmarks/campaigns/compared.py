"""Recorded campaigns side by side: `python -m benchmarks.scores plates|contexts|unlike|averages|environment [--keep]`.

plates     the shortfall of the best yield after each plate, and paired differences
contexts   how many experiments it takes until the mean shortfall stays below so many points: one study for all contexts
           beside a study for each, with an interval by drawing starts again, in pairs
unlike     the same where one context is unlike the others: the experiments in it beside a study of it alone, and those
           in the others beside a study of these alone
averages   the shortfall of the average in the end, and paired differences; environment: the same
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.reports.keep import Run
from benchmarks.reports.stats import difference

LEVELS = (10.0, 5.0)  # points of yield
DRAWS = 2000
TOGETHER, APART, FOURTH = "@across", "@apart", 3
Array = NDArray[np.float64]
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


def reached(shortfalls: Array, evaluations: Sequence[int], level: float) -> float:
    """After how many experiments the mean of the rows stays below the level; nan if it does not."""
    above = np.flatnonzero(shortfalls.mean(axis=0) > level)
    after = int(above[-1]) + 1 if len(above) else 0
    return float(evaluations[after]) if after < len(evaluations) else np.nan


class Side(NamedTuple):
    """Shortfalls (starts, batches) and the experiments made until each batch."""

    shortfalls: Array
    evaluations: Sequence[int]


def share(one: Side, other: Side, level: float) -> str:
    """Experiments of one beside those of the other, and their share with an interval."""
    rng, starts = np.random.default_rng(0), len(one.shortfalls)
    a, b = (reached(*each, level) for each in (one, other))
    drawn = rng.integers(starts, size=(DRAWS, starts))
    pairs = np.array(
        [[reached(each.shortfalls[rows], each.evaluations, level) for each in (one, other)] for rows in drawn]
    )
    known = pairs[~np.isnan(pairs).any(axis=1)]
    low, high = np.quantile(known[:, 0] / known[:, 1], [0.025, 0.975]) if len(known) else (np.nan, np.nan)
    return f"{level:g} | {starts} | {a:g} | {b:g} | {a / b:.2f} ({low:.2f} to {high:.2f}) |"


def contexts(runs: Iterable[Run]) -> list[str]:
    lines = ["| problem | below | starts | together | apart | share, 95 % |", "|---|---:|---:|---:|---:|---|"]
    for problem, methods in sorted(curves(runs).items()):
        if seeds := sorted(methods[TOGETHER].keys() & methods[APART].keys()):
            evaluations = methods[TOGETHER][seeds[0]].evaluations
            both = [Side(np.array([methods[m][s].values for s in seeds]), evaluations) for m in (TOGETHER, APART)]
            lines += [f"| {problem} | {share(*both, level)}" for level in LEVELS]
    return lines


def unlike(runs: Iterable[Run]) -> list[str]:
    """The last context is unlike the others."""
    found = curves(runs)
    lines = ["| contexts | below | starts | with the others | without | share, 95 % |", "|---|---:|---:|---:|---:|---|"]
    together, apart, others = found["unlike"][TOGETHER], found["unlike"][APART], found["three"][TOGETHER]
    for name, rest, last in (("the unlike one", apart, True), ("the three others", others, False)):
        if seeds := sorted(together.keys() & rest.keys()):
            both = [_within([each[seed] for seed in seeds], last) for each in (together, rest)]
            lines += [f"| {name} | {share(*both, level)}" for level in LEVELS]
    return lines


def _within(runs: Sequence[Run], last: bool) -> Side:
    """In the fourth context alone, or in the first three; these have their batches by turns."""
    each = np.array([run.each for run in runs])  # (starts, batches, contexts)
    m, q = each.shape[2], runs[0].q
    turns = np.arange(each.shape[1]) % m == FOURTH
    counted = turns if last else ~turns
    return Side(each[:, :, FOURTH] if last else each[:, :, :FOURTH].mean(axis=2), (q * np.cumsum(counted)).tolist())


TABLES = {
    "plates": lambda runs: beside(runs, "@plate", best=True),
    "contexts": contexts,
    "unlike": unlike,
    "averages": lambda runs: beside(runs, "@average", best=False),
    "environment": lambda runs: beside(runs, "@average", best=False),
}
