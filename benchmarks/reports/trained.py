"""The paper's statements about models that are trained: logistic regression and a convolutional network.

A difference is q-KG minus parallel EI in the true error of what is recommended, in points of a hundred, over common
starts, with a 95 % interval (Student's t). All methods have the model of this package.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.reports import keep
from benchmarks.reports.statements import Terms, shown, verdict_of
from benchmarks.reports.stats import Difference, difference

EIS = ("qei", "mc-ei")
LEAST = 5  # common starts below which nothing is said: as many as the paper has for its network
FIRST, HALF, LAST = 1, 5, 10  # batches
Row = tuple[str, str, str, str]  # the statement, the experiment, the figure, the verdict
SAID = {
    "logreg": "Logistic regression: q-KG keeps its progress for longer than parallel EI.",
    "logreg-noisy": (
        "Logistic regression with small test sets: q-KG is better than both parallel EIs and ends near the error "
        "without noise."
    ),
    "cnn": "Convolutional network: q-KG is ahead of parallel EI from the start.",
}


def percent(terms: Terms, problem: str, method: str, batch: int) -> dict[int, float]:
    return {seed: 100.0 * error for seed, error in terms.at(problem, method, batch).items()}


def progress(terms: Terms, problem: str, method: str) -> dict[int, float]:
    """By how many points the error changes in the second half."""
    half, last = (percent(terms, problem, method, batch) for batch in (HALF, LAST))
    return {seed: last[seed] - half[seed] for seed in half.keys() & last.keys()}


def judged(gaps: dict[str, Difference | None], beside: str = "") -> tuple[str, str]:
    """The verdict on "lower than both", and the figure."""
    known = {name: gap for name, gap in gaps.items() if gap is not None and gap.seeds >= LEAST}
    if len(known) < len(gaps):
        return "not run", "–"
    starts = min(gap.seeds for gap in known.values())
    figure = ", ".join(f"to `{name}`: {shown(gap)}" for name, gap in known.items()) + f"; {starts} starts{beside}"
    return verdict_of(all(g.high < 0 for g in known.values()), any(g.low > 0 for g in known.values())), figure


def row(experiment: str, verdict: str, figure: str) -> Row:
    return SAID[experiment], f"`python -m benchmarks.paper {experiment} --data DIR`", figure, verdict


def statements(kept: Path) -> list[Row]:
    exact, noisy, net = (Terms(keep.load(name, kept)) for name in SAID)
    own = {name: progress(exact, "mnist", name) for name in ("qkg", *EIS)}
    rows = [row("logreg", *judged({name: difference(own["qkg"], own[name]) for name in EIS}))]
    ends = {name: percent(noisy, "mnist", name, LAST) for name in ("qkg", *EIS)}
    near = difference(ends["qkg"], percent(exact, "mnist", "qkg", LAST))
    beside = f"; with noise minus without: {shown(near)}" if near else ""
    rows.append(row("logreg-noisy", *judged({name: difference(ends["qkg"], ends[name]) for name in EIS}, beside)))
    first = {name: percent(net, "cifar10-small", name, FIRST) for name in ("qkg", *EIS)}
    rows.append(row("cnn", *judged({name: difference(first["qkg"], first[name]) for name in EIS})))
    return rows
