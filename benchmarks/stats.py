"""From records to curves and comparisons: a curve for each contender and seed, and paired differences over seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.records import Record

Array = NDArray[np.float64]
REFERENCE = "qkg"
RESAMPLES = 10_000


@dataclass
class Contender:
    """What one method with one batch size did on one problem, by seed."""

    name: str
    q: int
    curves: dict[int, list[float]] = field(
        default_factory=dict
    )  # what counts: the model's recommendation if it has one
    observed: dict[int, list[float]] = field(default_factory=dict)  # of the best observed point
    evaluations: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)  # of each batch, the start excepted
    by_model: bool = False

    @property
    def method(self) -> str:
        return self.name.split(",")[0]

    def reaching(self, batch: int) -> dict[int, list[float]]:
        return {seed: curve for seed, curve in self.curves.items() if len(curve) > batch}

    def at(self, batch: int, last: int) -> dict[int, float]:
        """Values after a batch, of the runs that reached the last one."""
        return {seed: curve[batch] for seed, curve in self.reaching(last).items()}


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


def contenders(records: Iterable[Record]) -> list[Contender]:
    """Those of one problem; named by method, and batch size where there are several."""
    found: dict[tuple[str, int], Contender] = {}
    for record in sorted(records, key=lambda r: r["batch"]):
        key = record["method"], record["q"]
        one = found.setdefault(key, Contender(*key))
        measure = "value" if record["regret"] is None else "regret"
        one.curves.setdefault(record["seed"], []).append(record[measure])
        one.observed.setdefault(record["seed"], []).append(record["best"][measure])
        one.by_model = one.by_model or record["model"] is not None
        if len(one.evaluations) <= record["batch"]:
            one.evaluations.append(record["evaluations"])
        if record["batch"]:
            one.cpu.append(record["timing"]["batch_cpu"])
    several = len({q for _, q in found}) > 1
    for one in found.values():
        one.name = f"{one.name}, q = {one.q}" if several else one.name
    return sorted(found.values(), key=lambda one: (not one.name.startswith(REFERENCE), one.name, one.q))


def last_batch(group: Iterable[Contender]) -> int:
    """The batch that results are compared after: the farthest that anyone reached."""
    return max(len(curve) - 1 for one in group for curve in one.curves.values())


def difference(a: dict[int, float], b: dict[int, float]) -> Difference | None:
    """a − b on the seeds both have; None if there are none."""
    seeds = sorted(a.keys() & b.keys())
    if not seeds:
        return None
    d = np.array([a[seed] - b[seed] for seed in seeds])
    drawn = np.random.default_rng(0).integers(len(d), size=(RESAMPLES, len(d)))
    low, high = np.quantile(d[drawn].mean(axis=1), [0.025, 0.975])
    return Difference(float(d.mean()), float(low), float(high), len(seeds))


def spread(values: Iterable[float]) -> tuple[float, float, float]:
    """Mean, standard error and standard deviation; the last two are zero for a single value."""
    x = np.array(list(values))
    sd = float(x.std(ddof=1)) if len(x) > 1 else 0.0
    return float(x.mean()), sd / len(x) ** 0.5, sd


def by_problem(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Records by problem, a scale counting as part of it."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for record in records:
        groups[f"{record['problem']}-{record['scale']}" if record["scale"] else record["problem"]].append(record)
    return dict(groups)
