"""From runs to curves and comparisons: what each contender reached, and paired differences over common seeds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.reports.keep import Kept, Run, part_of

Array = NDArray[np.float64]
Spread = tuple[float, float, float]  # mean, standard error, standard deviation
REFERENCE = "qkg"
RESAMPLES = 10_000


@dataclass(frozen=True)
class Difference:
    """Mean paired difference over common seeds, with a bootstrap interval; below zero the first is better."""

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
    """The same of a campaign whose single runs are lost: by batch, and the difference to the q-KG of then."""

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
    """one − other; None if nothing is known of it."""
    if isinstance(one, Contender) and isinstance(other, Contender):
        return difference(one.at(last), other.at(last))
    if isinstance(one, Earlier) and one.gap and other.method == REFERENCE:
        return one.gap
    if isinstance(other, Earlier) and other.gap and one.method == REFERENCE:
        return -other.gap
    return None


def difference(a: dict[int, float], b: dict[int, float]) -> Difference | None:
    """a − b on the seeds both have; None if there are none."""
    seeds = sorted(a.keys() & b.keys())
    if not seeds:
        return None
    d = np.array([a[seed] - b[seed] for seed in seeds])
    drawn = np.random.default_rng(0).integers(len(d), size=(RESAMPLES, len(d)))
    low, high = np.quantile(d[drawn].mean(axis=1), [0.025, 0.975])
    return Difference(float(d.mean()), float(low), float(high), len(seeds))


def spread(values: Iterable[float]) -> Spread:
    """Mean, standard error and standard deviation; the last two are zero for a single value."""
    x = np.array(list(values))
    sd = float(x.std(ddof=1)) if len(x) > 1 else 0.0
    return float(x.mean()), sd / len(x) ** 0.5, sd
