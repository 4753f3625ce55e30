"""docs/results/EXPERIMENT.md: what was compared, by which version and command, figures, a table for each problem."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from pathlib import Path

from benchmarks.peers import PEERS
from benchmarks.problems.experiments import ERROR, EXPERIMENTS, Experiment
from benchmarks.reports import figures
from benchmarks.reports.keep import Kept
from benchmarks.reports.names import KINDS, kind, shown
from benchmarks.reports.stats import REFERENCE, Anyone, contenders, gap, last_batch

Groups = dict[str, list[Anyone]]  # by problem


def write(docs: Path, experiment: str, kept: Kept, commits: Collection[str]) -> Path:
    """The page and its figures."""
    plan, groups = EXPERIMENTS[experiment], ordered(experiment, kept)
    lines = [f"# {plan.title}", "", _what(plan, groups), "", version_line(kept, commits), ""]
    lines += ["```", *commands(experiment, groups), "```", "", *_missing(kept)]
    folder = docs / "results"
    folder.mkdir(parents=True, exist_ok=True)
    for name, panels in _panels(groups).items():
        if figures.available():
            path = folder / f"{experiment}-{name}.svg"
            figures.curves(path, panels, plan.measure)
            lines += [f"![{plan.measure}: {KINDS.get(name, 'q-KG')}]({path.name})", ""]
    for problem, group in groups.items():
        lines += [f"## {problem}", "", *table(group, plan.measure), ""]
    path = folder / f"{experiment}.md"
    path.write_text("\n".join([*lines, "All experiments: [Results](../results.md)."]) + "\n", encoding="utf-8")
    return path


def ordered(experiment: str, kept: Kept) -> Groups:
    """By problem in the order of the paper, or of the experiment's list."""
    order = {name: i for i, name in enumerate(EXPERIMENTS[experiment].problems)}
    problems = sorted(kept.problems, key=lambda name: (order.get(name, len(order)), name))
    return {problem: contenders(kept, problem) for problem in problems}


def _what(plan: Experiment, groups: Groups) -> str:
    last = max(map(last_batch, groups.values()))
    sizes = sorted({one.q for group in groups.values() for one in group})
    count = f"{len(groups)} problem{'s' if len(groups) > 1 else ''}"
    batches = f"{last} batches of {' or '.join(map(str, sizes))}"
    return (
        f"{count}: {', '.join(groups)}. From the same starting points, {batches}. "
        f"Shown is the {plan.measure} of the point that each method recommends; lower is better."
    )


def version_line(kept: Kept, commits: Collection[str]) -> str:
    """One line: our version, the others', and when."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, versions in kept.about.get("versions", {}).items():
        found[name] |= set(versions)
    for run in kept.runs:
        for name, number in run.versions.items():
            found[name].add(number)
    found.pop("adapter", None)  # our code, not theirs: it only tells runs apart
    at = sorted({run.commit[:12] for run in kept.runs if run.commit in commits and "knowgrad" in run.versions})
    own = f"knowgrad {' and '.join(sorted(found.pop('knowgrad', {'?'})))}" + (
        f" at commit {' and '.join(at)}" if at else ""
    )
    dates = sorted({run.date for run in kept.runs} | {line["date"] for line in kept.earlier})
    when = " to ".join(_day(day) for day in dict.fromkeys((dates[0], dates[-1])))
    others = "; ".join(f"{name} {' and '.join(sorted(found[name]))}" for name in sorted(found, key=str.lower))
    return f"Version: {own}; run {when}. With {others}."


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%B %Y}"


def commands(experiment: str, groups: Groups) -> list[str]:
    """What makes these runs, one command for methods with as many starts."""
    counts: dict[str, int] = defaultdict(int)
    for group in groups.values():
        for one in group:
            counts[one.method] = max(counts[one.method], one.count(0))
    lines = []
    for runs in sorted(set(counts.values()), reverse=True):
        peers = [name for name, n in counts.items() if n == runs and name in PEERS]
        ours = [name for name, n in counts.items() if n == runs and name not in PEERS]
        parts = ["--methods", *ours, *(["--peers", *peers] if peers else [])]
        lines.append(f"python -m benchmarks.paper {experiment} --runs {runs} {' '.join(parts)}")
    return lines


def _missing(kept: Kept) -> list[str]:
    """Who could not be run, and which runs failed: nobody is left out in silence."""
    lines = [f"* {shown(name)} could not be run: {reason}" for name, reason in kept.about.get("reasons", {}).items()]
    lines += [f"* the run `{run}` failed: {reason}" for run, reason in kept.about.get("failed", {}).items()]
    return [*lines, ""] if lines else []


def _panels(groups: Groups) -> dict[str, Groups]:
    """Figures by kind of contender, each with a panel for every problem; one of q-KG alone if there is nobody else."""
    found: dict[str, Groups] = {}
    for name in KINDS:
        for problem, group in groups.items():
            if others := [one for one in group if kind(one) == name]:
                found.setdefault(name, {})[problem] = figures.chosen(group, others)
    return found or {"alone": {problem: figures.chosen(group, []) for problem, group in groups.items()}}


def reference(group: list[Anyone], last: int) -> Anyone | None:
    """q-KG, with the smallest batches where there are several sizes."""
    ours = [one for one in group if one.method == REFERENCE and one.count(last)]
    return min(ours, key=lambda one: one.q, default=None)


def table(group: list[Anyone], measure: str) -> list[str]:
    """q-KG, then other libraries, then our other methods, each kind by its final mean."""
    last = last_batch(group)
    rank = {name: i for i, name in enumerate(("", *KINDS))}
    done = [one for one in group if one.count(last)]
    done.sort(key=lambda one: (rank[kind(one)], one.points(last)[last][0]))
    own = reference(group, last)
    head = [
        "method",
        "starts",
        f"after {last // 2} batches",
        f"after {last} ± se",
        "minus q-KG [95 %]",
        "CPU s",
    ]
    lines = [f"| {' | '.join(head)} |", "|---|---:|---:|---:|---:|---:|"]
    digits = 4 if measure == ERROR else 2
    return [*lines, *(_row(one, own, last, digits) for one in done)]


def _row(one: Anyone, own: Anyone | None, last: int, d: int) -> str:
    points = one.points(last)
    mean, error, _ = points[last]
    cells = [
        shown(one.name),
        str(one.count(last)),
        f"{points[last // 2][0]:.{d}f}",
        f"**{mean:.{d}f}** ± {error:.{d}f}",
    ]
    found = None if own is None or own is one else gap(one, own, last)
    cells.append("" if found is None else f"{found.mean:+.{d}f} [{found.low:+.{d}f}, {found.high:+.{d}f}]")
    cells.append("" if one.seconds is None else f"{one.seconds:.2f}")
    return f"| {cells[0]} | {' | '.join(cells[1:]).replace('-', '−')} |"
