"""q-KG against each of the others over all the settings of the paper's synthetic functions: ahead, level or behind."""

from __future__ import annotations

from collections import defaultdict

from benchmarks.records import Record
from benchmarks.stats import REFERENCE, by_problem, contenders, difference, last_batch

COMPARED = ("noise-free", "noisy")


def standings(everything: dict[str, list[Record]]) -> list[str]:
    """A row for each method with the settings where q-KG is ahead of it, level and behind, most often ahead first."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for experiment in COMPARED:
        for problem, part in by_problem(everything.get(experiment, [])).items():
            group = contenders(part)
            last = last_batch(group)
            own = next((one.at(last, last) for one in group if one.name == REFERENCE), {})
            for one in group:
                if one.name != REFERENCE and (gap := difference(own, one.at(last, last))):
                    found[one.name][gap.verdict].append(f"{experiment} {problem}")
    if not found:
        return []
    ranked = sorted(found, key=lambda name: (-len(found[name]["better"]), len(found[name]["worse"]), name))
    lines = ["| q-KG against | ahead | not separable | behind | too few runs |", "|---|---|---|---|---|"]
    for name in ranked:
        cells = [_cell(found[name][verdict]) for verdict in ("better", "not separable", "worse", "too few runs")]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return ["Settings with and without noise by verdict, those named that are few:", "", *lines, ""]


def _cell(settings: list[str]) -> str:
    return f"{len(settings)}: {', '.join(settings)}" if 0 < len(settings) <= 2 else str(len(settings))
