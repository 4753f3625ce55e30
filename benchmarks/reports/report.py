"""Results in words, tables and figures: `python -m benchmarks.report [DIR]` writes docs/results.md, docs/figures/ and
docs/paper.md.

The runs in DIR are first taken over those kept in benchmarks/kept; without DIR, what is kept is drawn anew.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.problems.experiments import EXPERIMENTS
from benchmarks.reports import figures, keep, paper_page
from benchmarks.reports.keep import Kept
from benchmarks.reports.standings import standings
from benchmarks.reports.stats import REFERENCE, Anyone, Earlier, contenders, gap, last_batch

INTRO = """# Results

Every method starts from the same 2d + 2 points for the same seed, and evaluation k of a seed gets the same noise
whoever asks. The curves show what a method recommends: the minimum of the posterior mean where it has a model to ask,
else the best observed point. Lower is better. A difference is paired over common seeds, with a 95 % bootstrap interval;
"not separable" means that the interval includes zero. Single intervals are not corrected for their number.
"""
FOOTNOTES = """¹ No model to ask: recommends the best observed point.

² Of an earlier campaign, of which means and errors are kept but no single runs; its difference is to the q-KG of then.
"""


def section(docs: Path, experiment: str, kept: Kept) -> list[str]:
    """One experiment: what was run, then a figure, a verdict and a table for each problem."""
    plan = EXPERIMENTS[experiment]
    lines = [f"## {plan.title} (`{experiment}`)", "", *_commands(kept), *_missing(kept)]
    for problem in kept.problems:
        group = contenders(kept, problem)
        lines += [f"### {problem}", ""]
        if figures.available():
            path = docs / "figures" / f"{experiment}-{problem}.svg"
            figures.draw(path, problem, group, plan.measure)
            lines += [f"![{plan.measure} on {problem}](figures/{path.name})", ""]
        lines += [*_verdict(group), "", *_table(group, plan.measure), ""]
    return lines


def _commands(kept: Kept) -> list[str]:
    commands = kept.about.get("commands", {})
    dates = sorted({run.date for run in kept.runs} | {line["date"] for line in kept.earlier})
    lines = ["```", *(f"{command}   # {date}" for command, date in sorted(commands.items())), "```", ""]
    scales = sorted(({run.scale for run in kept.runs} | {line.get("scale", "") for line in kept.earlier}) - {""})
    scale = f" Scale: {', '.join(scales)}; see `benchmarks/experiments/cnn.py` for what it cuts." if scales else ""
    lines += [f"Run from {dates[0]} to {dates[-1]}.{scale}", "", f"Versions: {_versions(kept)}.", ""]
    return lines


def _versions(kept: Kept) -> str:
    found = {name: set(versions) for name, versions in kept.about.get("versions", {}).items()}
    first: dict[str, dict[str, str]] = {}
    for run in kept.runs:
        for name, version in run.versions.items():
            found.setdefault(name, set()).add(version)
    mixed = {run.method for run in kept.runs if run.versions != first.setdefault(run.method, run.versions)}
    text = "; ".join(f"{name} {' and '.join(sorted(found[name]))}" for name in sorted(found))
    return text + (f". **Runs of different versions are mixed**: {', '.join(sorted(mixed))}" if mixed else "")


def _missing(kept: Kept) -> list[str]:
    """Who could not be run, and which runs failed: nobody is left out in silence."""
    lines = [f"* `{name}` could not be run: {reason}" for name, reason in kept.about.get("reasons", {}).items()]
    lines += [f"* the run `{run}` failed: {reason}" for run, reason in kept.about.get("failed", {}).items()]
    return [*lines, ""] if lines else []


def _reference(group: list[Anyone], last: int) -> Anyone | None:
    """q-KG, with the smallest batches where there are several sizes."""
    ours = [one for one in group if one.method == REFERENCE and one.count(last)]
    return min(ours, key=lambda one: one.q, default=None)


def _verdict(group: list[Anyone]) -> list[str]:
    """Where the reference stands against each of the others."""
    last = last_batch(group)
    reference = _reference(group, last)
    if reference is None:
        return [f"`{REFERENCE}` has no complete run here."]
    standing: dict[str, list[str]] = {"better": [], "not separable": [], "worse": [], "too few runs": []}
    for one in group:
        if one is not reference and (found := gap(reference, one, last)):
            standing[found.verdict].append(one.name)
    if standing["worse"]:
        text = f"**`{reference.name}` is not the best here**: behind {', '.join(standing['worse'])}"
    elif standing["not separable"]:
        text = f"`{reference.name}` is not separable from {', '.join(standing['not separable'])}"
    else:
        text = f"`{reference.name}` is ahead of all" if standing["better"] else "Nothing to compare with"
    lines = [f"{text} after batch {last}."]
    words = {"better": "ahead of", "not separable": "not separable from", "too few runs": "too few common runs with"}
    lines += [f"{words[k].capitalize()}: {', '.join(names)}." for k, names in standing.items() if k in words and names]
    return [" ".join(lines)]


def _table(group: list[Anyone], measure: str) -> list[str]:
    """Ordered by the final mean; `against` is this method minus q-KG, and minus the best mean."""
    last = last_batch(group)
    done = sorted((one for one in group if one.count(last)), key=lambda one: one.points(last)[last][0])
    reference = _reference(group, last)
    head = ["method", "runs", f"half-way ({last // 2} batches)", f"**final** ({last}) ± se", "sd"]
    head += ["best observed, final", f"− {reference.name if reference else REFERENCE} [95 %]", "− best [95 %]"]
    head += ["CPU s / batch"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [_row(one, reference, done[0], last) for one in done]
    short = [f"{one.name} ({one.count(0) - one.count(last)})" for one in group if one.count(0) > one.count(last)]
    left = f" Runs still short of batch {last}: {', '.join(short)}." if short else ""
    return [*lines, "", f"{measure[0].upper()}{measure[1:]} of the recommendation.{left}"]


def _row(one: Anyone, reference: Anyone | None, best: Anyone, last: int) -> str:
    points = one.points(last)
    mean, se, sd = points[last]
    marks = ("" if one.by_model else " ¹") + (" ²" if isinstance(one, Earlier) else "")
    cells = [f"{one.name}{marks}", str(one.count(last)), f"{points[last // 2][0]:.3f}", f"**{mean:.3f}** ± {se:.3f}"]
    cells += [f"{sd:.3f}", f"{one.best_observed(last):.3f}", _against(one, reference, last), _against(one, best, last)]
    return f"| {' | '.join([*cells, '–' if one.seconds is None else f'{one.seconds:.2f}'])} |"


def _against(one: Anyone, other: Anyone | None, last: int) -> str:
    found = None if other is None or other is one else gap(one, other, last)
    if found is None:
        return "–"
    interval = f" [{found.low:+.2f}, {found.high:+.2f}]" if found.seeds >= 3 else f" (n = {found.seeds})"
    return f"{found.mean:+.2f}{interval}"


def summary(everything: dict[str, Kept]) -> list[str]:
    """One line for each problem with rivals: q-KG beside the lowest mean, worst news included."""
    lines = ["| experiment | problem | q-KG | lowest mean | q-KG − lowest [95 %] |", "|---|---|---|---|---|"]
    for experiment, kept in everything.items():
        for problem in kept.problems:
            group = contenders(kept, problem)
            if len({one.method for one in group}) == 1:
                continue
            last = last_batch(group)
            means = {one.name: one.points(last)[last][0] for one in group if one.count(last)}
            reference = _reference(group, last)
            best = min((one for one in group if one.name in means), key=lambda one: means[one.name])
            own = "–" if reference is None else f"{means[reference.name]:.3f}"
            distance = "–" if reference is None else _against(reference, best, last)
            lines.append(f"| {experiment} | {problem} | {own} | {best.name}: {means[best.name]:.3f} | {distance} |")
    return [*lines, ""]


def _notes(kept: Path) -> list[str]:
    """What whoever ran the campaign has to say about it."""
    path = kept / "notes.md"
    return [path.read_text(encoding="utf-8")] if path.exists() else []


def write(out: Path | None, docs: Path, kept: Path) -> Path:
    """The page for all experiments of which runs are in `out` or kept."""
    for experiment in EXPERIMENTS if out else ():
        keep.gather(out, experiment, kept)
    found = {name: keep.load(name, kept) for name in EXPERIMENTS}
    everything = {name: one for name, one in found.items() if one.problems and name != "terms"}  # has a page of its own
    if not everything:
        raise SystemExit(f"{out}: no results; run python -m benchmarks.paper EXPERIMENT --out {out} first")
    lines = [INTRO, *summary(everything), *standings(everything), *_notes(kept)]
    if not figures.available():
        lines += ["Figures were not drawn: matplotlib is not installed.", ""]
    for experiment, one in everything.items():
        lines += section(docs, experiment, one)
    docs.mkdir(parents=True, exist_ok=True)
    path = docs / "results.md"
    path.write_text("\n".join([*lines, FOOTNOTES]), encoding="utf-8")
    paper_page.write(docs, kept)
    return path


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, nargs="?", metavar="DIR", help="the --out of python -m benchmarks.paper")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where results.md and figures/ go")
    parser.add_argument("--kept", type=Path, default=keep.KEPT, help="where runs are kept (benchmarks/kept)")
    chosen = parser.parse_args(arguments)
    print(write(chosen.out, chosen.docs, chosen.kept), file=sys.stderr)
