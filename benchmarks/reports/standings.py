"""q-KG against each of the others over all problems: how often ahead, level or behind, and by what factor."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from scipy import stats

from benchmarks.problems.experiments import EXPERIMENTS
from benchmarks.reports.keep import Kept
from benchmarks.reports.names import kind, shown
from benchmarks.reports.stats import REFERENCE, Difference, contenders, gap, last_batch, spread

Ratio = tuple[float, float, float]  # log10 of the factor, and of its interval
LEAST = 3  # starts below which a problem is not counted
ENOUGH = 4  # problems for an interval over problems


@dataclass
class Standing:
    """One of the others, over the problems it was run on; a difference is its log10 regret minus q-KG's."""

    name: str
    kind: str
    by_model: bool  # recommends a point by a model, not its best result
    exact: dict[str, Difference] = field(default_factory=dict)
    noisy: dict[str, Difference] = field(default_factory=dict)
    other: dict[str, Difference] = field(default_factory=dict)  # not measured by regret

    @property
    def all(self) -> list[Difference]:
        return [*self.exact.values(), *self.noisy.values(), *self.other.values()]

    def count(self, verdict: str) -> int:
        return sum(each.verdict == verdict for each in self.all)

    def ratios(self) -> dict[str, Ratio]:
        """By kind of results, where there are enough problems for an interval."""
        found = {"exact": self.exact, "noisy": self.noisy}
        return {name: interval(d.mean for d in gaps.values()) for name, gaps in found.items() if len(gaps) >= ENOUGH}


def interval(values: Iterable[float]) -> Ratio:
    """Mean and Student's 95 % interval."""
    values = list(values)
    mean, error, _ = spread(values)
    half = error * float(stats.t.ppf(0.975, len(values) - 1))
    return mean, mean - half, mean + half


def standings(everything: dict[str, Kept]) -> list[Standing]:
    """Other libraries first, those run on most problems first, then our own methods."""
    found: dict[str, Standing] = {}
    for experiment, kept in everything.items():
        plan = EXPERIMENTS[experiment]
        for problem in kept.problems:
            group = contenders(kept, problem)
            last = last_batch(group)
            own = next((one for one in group if one.name == REFERENCE), None)
            for one in group:
                distance = gap(one, own, last) if own and one is not own else None
                if distance is None or distance.seeds < LEAST:
                    continue
                standing = found.setdefault(one.name, Standing(one.name, kind(one), one.by_model))
                exact = plan.noise in (0.0, "exact")
                where = standing.other if "regret" not in plan.measure else standing.exact if exact else standing.noisy
                where[f"{experiment} {problem}"] = distance
    order = defaultdict(lambda: 1, peers=0)
    return sorted(found.values(), key=lambda one: (order[one.kind], -len(one.all), one.name))


HEAD = ["| knowgrad against | problems | ahead | level | behind |", "|---|---:|---:|---:|---:|"]


def table(rows: Iterable[Standing]) -> list[str]:
    """Ahead and behind: the 95 % interval of the difference leaves out zero. A row's own view is the reverse."""
    lines = list(HEAD)
    for one in rows:
        name = shown(one.name) + ("" if one.kind == "peers" else ", ours")
        counts = [len(one.all), *(one.count(verdict) for verdict in ("worse", "not separable", "better"))]
        lines.append(f"| {name} | {' | '.join(map(str, counts))} |")
    return lines
