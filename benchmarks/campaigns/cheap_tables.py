"""The tables of recorded cheap looks: `python -m benchmarks.cheap tables`.

Differences are paired, the same problem from the same start; pooled, every pair counts once. Shortfalls of trainings
are also compared as logarithms to the base of ten, for tasks differ in how much there is to gain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from benchmarks.reports.stats import difference

Line = dict[str, Any]
LEAST = 0.01  # points of accuracy: shortfalls below are the same
COLD, HALF = 40, 20  # trainings


def tables(lines: list[Line]) -> list[str]:
    return [*costs(lines), *regrets(lines), *shortfalls(lines), *transfers(lines)]


def _chosen(lines: Iterable[Line], prefix: str) -> list[Line]:
    return [line for line in lines if line["problem"].startswith(prefix)]


def _methods(lines: Iterable[Line]) -> list[str]:
    return sorted({line["method"] for line in lines})


def _interval(gaps: list[float]) -> str:
    found = difference(dict(enumerate(gaps)), dict.fromkeys(range(len(gaps)), 0.0))
    if found is None or len(gaps) < 2:
        return f"{gaps[0]:+.3f}" if gaps else ""
    return f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f})"


def _paired(lines: list[Line], one: str, other: str, of: Callable[[Line], float]) -> list[float]:
    by = {(line["problem"], line["seed"], line["method"]): of(line) for line in lines}
    return [by[p, s, m] - by[p, s, other] for p, s, m in by if m == one and (p, s, other) in by]


def costs(lines: list[Line]) -> list[str]:
    """Of finding the best framework."""
    rows = ["", "| cost to the best framework | method | starts | mean ± error | median | largest |", "|---" * 6 + "|"]
    for problem in ("cofs", "cofs-shuffled"):
        for method in _methods(here := [line for line in lines if line["problem"] == problem]):
            cost = [line["cost"] for line in here if line["method"] == method]
            error = np.std(cost, ddof=1) / np.sqrt(len(cost)) if len(cost) > 1 else np.nan
            said = f"{np.mean(cost):.1f} ± {error:.1f} | {np.median(cost):.1f} | {max(cost):.1f}"
            rows.append(f"| {problem} | {method} | {len(cost)} | {said} |")
    return rows


def regrets(lines: list[Line]) -> list[str]:
    rows = ["", "| augmented | method | starts | mean log10 regret | CPU s |", "|---" * 5 + "|"]
    for problem in sorted({line["problem"] for line in _chosen(lines, "augmented")}):
        for method in _methods(here := [line for line in lines if line["problem"] == problem]):
            mine = [line for line in here if line["method"] == method]
            mean = np.mean([_log(line["regret"]) for line in mine])
            rows.append(
                f"| {problem} | {method} | {len(mine)} | {mean:.2f} | {np.mean([x['cpu'] for x in mine]):.1f} |"
            )
        if gaps := _paired(here, "qkg", "botorch", lambda line: _log(line["regret"])):
            rows.append(f"| {problem} | qkg − botorch | {len(gaps)} | {_interval(gaps)} | |")
    return rows


def _log(value: float) -> float:
    return float(np.log10(max(value, 1e-6)))


def shortfalls(lines: list[Line]) -> list[str]:
    """Of trainings that report as they go."""
    here = [line for line in _chosen(lines, "lcbench-") if "shortfall" in line]
    titles = "shortfall of accuracy | pairs | curves | the other | curves − the other | of log10"
    rows = ["", f"| {titles} |", "|---" * 6 + "|"]
    problems = sorted({line["problem"] for line in here})
    for name, chosen in [*((each, [each]) for each in problems), ("pooled", problems)]:
        part = [line for line in here if line["problem"] in chosen]
        for other in (method for method in _methods(part) if method != "curves"):
            if not (gaps := _paired(part, "curves", other, lambda line: line["shortfall"])):
                continue
            logs = _paired(part, "curves", other, lambda line: float(np.log10(max(line["shortfall"], LEAST))))
            pairs = {(x["problem"], x["seed"]) for x in part if x["method"] == "curves"}
            pairs &= {(x["problem"], x["seed"]) for x in part if x["method"] == other}
            means = [
                np.mean([x["shortfall"] for x in part if x["method"] == m and (x["problem"], x["seed"]) in pairs])
                for m in ("curves", other)
            ]
            said = f"{means[0]:.2f} | {other}: {means[1]:.2f} | {_interval(gaps)} | {_interval(logs)}"
            rows.append(f"| {name} | {len(gaps)} | {said} |")
    return rows


def transfers(lines: list[Line]) -> list[str]:
    """Of searches after earlier studies, by log10 of the shortfall of accuracy."""
    here = _chosen(lines, "earlier-")
    rows = ["", "| log10 shortfall | pairs | difference |", "|---" * 3 + "|"]
    asked = (("warm", HALF, COLD), ("warm", HALF, HALF), ("misled", COLD, COLD))
    problems = sorted({line["problem"] for line in here})
    for name, chosen in [*((each, [each]) for each in problems), ("pooled", problems)]:
        part = [line for line in here if line["problem"] in chosen]
        for method, n, m in asked:
            after = {method: n, "cold": m}
            gaps = _paired(
                [line for line in part if line["method"] in after],
                method,
                "cold",
                lambda line, after=after: float(np.log10(max(line["shortfall"][after[line["method"]] - 1], LEAST))),
            )
            if gaps:
                rows.append(f"| {name}: {method} after {n} − cold after {m} | {len(gaps)} | {_interval(gaps)} |")
    return rows
