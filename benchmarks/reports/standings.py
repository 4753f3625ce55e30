"""q-KG against each of the others over many settings: how often ahead, level or behind, and by how much on average."""

from __future__ import annotations

from collections import defaultdict

from benchmarks.reports.keep import Kept
from benchmarks.reports.stats import REFERENCE, Difference, contenders, gap, last_batch, spread

TABLES = {
    "The paper's synthetic functions": ("noise-free", "noisy"),
    "Functions and noises that are not in the paper": ("unsaid", "beyond", "beyond-noisy", "multiplicative", "heavy"),
    "Twelve textbook functions": ("unseen", "unseen-noisy"),
    "Functions of few of their variables": ("idle", "idle-noisy"),
}
HEAD = [
    "| q-KG against | ahead | not separable | behind | too few runs | mean difference |",
    "|---|---|---|---|---|---|",
]
Gaps = dict[str, Difference]  # by setting


def standings(everything: dict[str, Kept]) -> list[str]:
    """The tables. The mean is over settings, with its standard error; below zero q-KG is better."""
    lines: list[str] = []
    for title, experiments in TABLES.items():
        if found := _gaps({name: everything[name] for name in experiments if name in everything}):
            rows = (_row(name, found[name]) for name in sorted(found, key=lambda name: _rank(name, found[name])))
            lines += [
                f"{title}: how many settings had which outcome, and which these were if one or two.",
                "",
                *HEAD,
                *rows,
                "",
            ]
    return lines


def _gaps(everything: dict[str, Kept]) -> dict[str, Gaps]:
    """By method and setting, q-KG minus the method after the last batch."""
    found: dict[str, Gaps] = defaultdict(dict)
    for experiment, kept in everything.items():
        for problem in kept.problems:
            group = contenders(kept, problem)
            own = next((one for one in group if one.name == REFERENCE), None)
            for one in group:
                if own and one is not own and (distance := gap(own, one, last_batch(group))):
                    found[one.name][f"{experiment} {problem}"] = distance
    return found


def _rank(name: str, gaps: Gaps) -> tuple[int, int, str]:
    """Those first that q-KG is most often ahead of."""
    return -len(_with("better", gaps)), len(_with("worse", gaps)), name


def _row(name: str, gaps: Gaps) -> str:
    cells = []
    for verdict in ("better", "not separable", "worse", "too few runs"):
        settings = _with(verdict, gaps)
        cells.append(f"{len(settings)}: {', '.join(settings)}" if 0 < len(settings) <= 2 else str(len(settings)))
    mean, error, _ = spread(each.mean for each in gaps.values())
    return f"| {name} | {' | '.join(cells)} | {mean:+.2f}{f' ± {error:.2f}' if len(gaps) > 1 else ''} |"


def _with(verdict: str, gaps: Gaps) -> list[str]:
    return [setting for setting, each in gaps.items() if each.verdict == verdict]
