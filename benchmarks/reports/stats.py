"""From runs to curves and comparisons: what each contender reached, and paired differences over common seeds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.reports.keep import Kept, Run, part_of

Spread = tuple[float, float, float]  # mean, standard error, standard deviation
REFERENCE = "qkg"


@dataclass(frozen=True)
class Difference:
    """Mean difference over seeds, with its 95 % interval; below zero the first is better."""

    mean: float
    low: float
    high: float
    seeds: int

    @property
    def verdict(self) -> str:
        if self.seeds < 3:
            return "too few runs"
        return "better" if self.high < 0 else "worse" if self.low > 0 else "not separable"

    def __neg__(self) -> Difference:
        return Difference(-self.mean, -self.high, -self.low, self.seeds)


@dataclass(frozen=True)
class Contender:
    """What one method with one batch size did on one problem, by seed."""

    name: str
    q: int
    runs: dict[int, Run] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return self.name.split(",")[0]

    @property
    def by_model(self) -> bool:
        return any(run.by_model for run in self.runs.values())

    @property
    def last(self) -> int:
        return max((len(run.values) - 1 for run in self.runs.values()), default=0)

    @property
    def seconds(self) -> float | None:
        """CPU seconds of a batch."""
        every = [cpu for run in self.runs.values() for cpu in run.cpu]
        return median(every) if every else None

    def reaching(self, batch: int) -> dict[int, Run]:
        return {seed: run for seed, run in self.runs.items() if len(run.values) > batch}

    def count(self, last: int) -> int:
        return len(self.reaching(last))

    def evaluations(self, last: int) -> list[int]:
        return next(run.evaluations[: last + 1] for run in self.reaching(last).values())

    def at(self, last: int) -> dict[int, float]:
        """Values after the last batch."""
        return {seed: run.values[last] for seed, run in self.reaching(last).items()}

    def points(self, last: int) -> list[Spread]:
        """Of the runs that reached the last batch, from the start on."""
        runs = self.reaching(last).values()
        return [spread(run.values[batch] for run in runs) for batch in range(last + 1)]

    def best_observed(self, last: int) -> float:
        return spread(run.observed[last] for run in self.reaching(last).values())[0]


@dataclass(frozen=True)
class Earlier:
    """The same where only means and errors by batch are kept, and perhaps the paired difference to q-KG."""

    name: str
    q: int
    runs: int
    by_model: bool
    evaluated: list[int]
    curve: list[Spread]
    observed: float
    seconds: float | None
    gap: Difference | None  # to the reference

    @classmethod
    def of(cls, line: dict[str, Any]) -> Earlier:
        curve = list(zip(line["mean"], line["se"], line["sd"], strict=True))
        gap = Difference(*line["gap"], seeds=line["runs"]) if line["gap"] else None
        known = (line[name] for name in ("method", "q", "runs", "by_model", "evaluations"))
        return cls(*known, curve, line["observed"], line["cpu"], gap)

    @property
    def method(self) -> str:
        return self.name.split(",")[0]

    @property
    def last(self) -> int:
        return len(self.curve) - 1

    def count(self, last: int) -> int:
        return self.runs if self.last >= last else 0

    def evaluations(self, last: int) -> list[int]:
        return self.evaluated[: last + 1]

    def points(self, last: int) -> list[Spread]:
        return self.curve[: last + 1]

    def best_observed(self, last: int) -> float:
        return self.observed


Anyone = Contender | Earlier


def contenders(kept: Kept, problem: str) -> list[Anyone]:
    """Those of one problem, by method, and batch size where there are several; more runs take the place of fewer."""
    runs: dict[tuple[str, int], dict[int, Run]] = {}
    for run in kept.runs:
        if part_of(run) == problem:
            runs.setdefault((run.method, run.q), {})[run.seed] = run
    found: dict[tuple[str, int], Anyone] = {key: Contender(*key, part) for key, part in runs.items()}
    for one in (Earlier.of(line) for line in kept.earlier if line["problem"] == problem):
        now = found.get((one.name, one.q))
        if now is None or now.count(one.last) < one.runs:
            found[one.name, one.q] = one
    if len({q for _, q in found}) > 1:
        found = {key: replace(one, name=f"{one.name}, q = {one.q}") for key, one in found.items()}
    return sorted(found.values(), key=lambda one: (not one.name.startswith(REFERENCE), one.name, one.q))


def last_batch(group: Iterable[Anyone]) -> int:
    """The batch that results are compared after: the farthest that anyone reached."""
    return max(one.last for one in group)


def gap(one: Anyone, other: Anyone, last: int) -> Difference | None:
    """one − other: paired over common seeds, or from both standard errors where single runs are not kept."""
    if isinstance(one, Contender) and isinstance(other, Contender):
        return difference(one.at(last), other.at(last))
    if isinstance(one, Earlier) and one.gap and isinstance(other, Earlier) and other.method == REFERENCE:
        return one.gap
    if isinstance(other, Earlier) and other.gap and isinstance(one, Earlier) and one.method == REFERENCE:
        return -other.gap
    return _unpaired(one, other, last)


def _unpaired(one: Anyone, other: Anyone, last: int) -> Difference | None:
    """By Welch's interval."""
    counts = one.count(last), other.count(last)
    if min(counts) < 1:
        return None
    (a, se_a, _), (b, se_b, _) = one.points(last)[last], other.points(last)[last]
    error = (se_a**2 + se_b**2) ** 0.5
    parts = [se**4 / (n - 1) for se, n in zip((se_a, se_b), counts, strict=True) if n > 1]
    half = error * float(stats.t.ppf(0.975, error**4 / sum(parts))) if error else 0.0
    return Difference(a - b, a - b - half, a - b + half, min(counts))


def difference(a: dict[int, float], b: dict[int, float]) -> Difference | None:
    """a − b on the seeds both have, with Student's interval; None if there are none."""
    seeds = sorted(a.keys() & b.keys())
    if not seeds:
        return None
    mean, error, _ = spread(a[seed] - b[seed] for seed in seeds)
    half = error * float(stats.t.ppf(0.975, len(seeds) - 1)) if error else 0.0
    return Difference(mean, mean - half, mean + half, len(seeds))


def spread(values: Iterable[float]) -> Spread:
    """Mean, standard error and standard deviation; the last two are zero for a single value."""
    x = np.array(list(values))
    sd = float(x.std(ddof=1)) if len(x) > 1 else 0.0
    return float(x.mean()), sd / len(x) ** 0.5, sd
