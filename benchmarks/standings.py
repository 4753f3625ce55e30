"""q-KG against each of the others over many settings: how often ahead, level or behind, and by how much on average."""

from __future__ import annotations

from collections import defaultdict

from benchmarks.records import Record
from benchmarks.stats import REFERENCE, Difference, by_problem, contenders, difference, last_batch, spread

TABLES = {
    "The paper's synthetic functions": ("noise-free", "noisy"),
    "Functions and noises that are not in the paper": ("unsaid", "beyond", "beyond-noisy", "multiplicative", "heavy"),
}
HEAD = [
    "| q-KG against | ahead | not separable | behind | too few runs | mean difference |",
    "|---|---|---|---|---|---|",
]
Gaps = dict[str, Difference]  # by setting


def standings(everything: dict[str, list[Record]]) -> list[str]:
    """The tables. The mean is over settings, with its standard error; below zero q-KG is better."""
    lines: list[str] = []
    for title, experiments in TABLES.items():
        if found := _gaps({name: everything.get(name, []) for name in experiments}):
            rows = (_row(name, found[name]) for name in sorted(found, key=lambda name: _rank(name, found[name])))
            lines += [f"{title}: settings by verdict, those named that are few.", "", *HEAD, *rows, ""]
    return lines


def _gaps(everything: dict[str, list[Record]]) -> dict[str, Gaps]:
    """By method and setting, q-KG minus the method after the last batch."""
    found: dict[str, Gaps] = defaultdict(dict)
    for experiment, records in everything.items():
        for problem, part in by_problem(records).items():
            group = contenders(part)
            last = last_batch(group)
            own = next((one.at(last, last) for one in group if one.name == REFERENCE), {})
            for one in group:
                if one.name != REFERENCE and (gap := difference(own, one.at(last, last))):
                    found[one.name][f"{experiment} {problem}"] = gap
    return found


def _rank(name: str, gaps: Gaps) -> tuple[int, int, str]:
    """Those first that q-KG is most often ahead of."""
    return -len(_with("better", gaps)), len(_with("worse", gaps)), name


def _row(name: str, gaps: Gaps) -> str:
    cells = []
    for verdict in ("better", "not separable", "worse", "too few runs"):
        settings = _with(verdict, gaps)
        cells.append(f"{len(settings)}: {', '.join(settings)}" if 0 < len(settings) <= 2 else str(len(settings)))
    mean, error, _ = spread(gap.mean for gap in gaps.values())
    return f"| {name} | {' | '.join(cells)} | {mean:+.2f}{f' ± {error:.2f}' if len(gaps) > 1 else ''} |"


def _with(verdict: str, gaps: Gaps) -> list[str]:
    return [setting for setting, gap in gaps.items() if gap.verdict == verdict]
