"""Results in words, tables and figures: `python -m benchmarks.report DIR` writes docs/results.md and docs/figures/."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

from benchmarks import figures
from benchmarks.experiments import EXPERIMENTS
from benchmarks.records import Record, load, read_json
from benchmarks.standings import standings
from benchmarks.stats import REFERENCE, Contender, by_problem, contenders, difference, last_batch, spread

INTRO = """# Results

Every method starts from the same 2d + 2 points for the same seed, and evaluation k of a seed gets the same noise
whoever asks. The curves show what a method recommends: the minimum of the posterior mean where it has a model to ask,
else the best observed point. Lower is better. A difference is paired over common seeds, with a 95 % bootstrap interval;
"not separable" means that the interval includes zero. Single intervals are not corrected for their number.
"""


def section(out: Path, docs: Path, experiment: str, records: list[Record]) -> list[str]:
    """One experiment: what was run, then a figure, a verdict and a table for each problem."""
    plan = EXPERIMENTS[experiment]
    lines = [f"## {plan.title} (`{experiment}`)", "", *_commands(out, experiment, records), *_missing(out, experiment)]
    for problem, part in by_problem(records).items():
        group = contenders(part)
        lines += [f"### {problem}", ""]
        if figures.available():
            path = docs / "figures" / f"{experiment}-{problem}.svg"
            figures.draw(path, problem, group, plan.measure)
            lines += [f"![{plan.measure} on {problem}](figures/{path.name})", ""]
        lines += [*_verdict(group), "", *_table(group, plan.measure), ""]
    return lines


def _commands(out: Path, experiment: str, records: list[Record]) -> list[str]:
    commands = read_json(out / experiment / "commands.json")
    dates = sorted(record["timing"]["date"][:10] for record in records)
    lines = ["```", *(f"{command}   # {date}" for command, date in commands.items()), "```", ""]
    scales = sorted({record["scale"] for record in records if record["scale"]})
    scale = f" Scale: {', '.join(scales)}; see `benchmarks/experiments/cnn.py` for what it cuts." if scales else ""
    lines += [f"Run from {dates[0]} to {dates[-1]}.{scale}", "", f"Versions: {_versions(records)}.", ""]
    return lines


def _versions(records: list[Record]) -> str:
    found: dict[str, set[str]] = {}
    first: dict[str, dict[str, str]] = {}
    for record in records:
        for name, version in record["versions"].items():
            found.setdefault(name, set()).add(version)
    mixed = {r["method"] for r in records if r["versions"] != first.setdefault(r["method"], r["versions"])}
    text = "; ".join(f"{name} {' and '.join(sorted(found[name]))}" for name in sorted(found))
    return text + (f". **Runs of different versions are mixed**: {', '.join(sorted(mixed))}" if mixed else "")


def _missing(out: Path, experiment: str) -> list[str]:
    """Who could not be run, and which runs failed: nobody is left out in silence."""
    methods = read_json(out / experiment / "methods.json")
    lines = [f"* `{name}` could not be run: {found['reason']}" for name, found in methods.items() if "reason" in found]
    for path in sorted((out / experiment).rglob("*.failed")):
        failure = read_json(path)
        lines.append(f"* the run `{failure['run']}` failed: {failure['reason']}")
    return [*lines, ""] if lines else []


def _reference(group: list[Contender], last: int) -> Contender | None:
    """q-KG, with the smallest batches where there are several sizes."""
    ours = [one for one in group if one.method == REFERENCE and one.reaching(last)]
    return min(ours, key=lambda one: one.q, default=None)


def _verdict(group: list[Contender]) -> list[str]:
    """Where the reference stands against each of the others."""
    last = last_batch(group)
    reference = _reference(group, last)
    if reference is None:
        return [f"`{REFERENCE}` has no complete run here."]
    own, standing = reference.at(last, last), {"better": [], "not separable": [], "worse": [], "too few runs": []}
    for one in group:
        if one is not reference and (d := difference(own, one.at(last, last))):
            standing[d.verdict].append(f"{one.name}")
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


def _table(group: list[Contender], measure: str) -> list[str]:
    """Ordered by the final mean; `against` is this method minus q-KG, and minus the best mean."""
    last = last_batch(group)
    done = [one for one in group if one.reaching(last)]
    done.sort(key=lambda one: spread(one.at(last, last).values())[0])
    reference = _reference(group, last)
    head = [
        "method",
        "runs",
        f"half-way ({last // 2} batches)",
        f"**final** ({last}) ± se",
        "sd",
        "best observed, final",
    ]
    head += [f"− {reference.name if reference else REFERENCE} [95 %]", "− best [95 %]", "CPU s / batch"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [_row(one, reference, done[0], last) for one in done]
    short = [f"{one.name} ({len(one.curves) - len(one.reaching(last))})" for one in group]
    short = [text for text, one in zip(short, group, strict=True) if len(one.curves) > len(one.reaching(last))]
    left = f" Runs still short of batch {last}: {', '.join(short)}." if short else ""
    return [*lines, "", f"{measure[0].upper()}{measure[1:]} of the recommendation.{left}"]


def _row(one: Contender, reference: Contender | None, best: Contender, last: int) -> str:
    final = one.at(last, last)
    mean, se, sd = spread(final.values())
    half = spread(one.at(last // 2, last).values())[0]
    observed = spread(one.observed[seed][last] for seed in final)[0]
    cells = [
        one.name if one.by_model else f"{one.name} ¹",
        str(len(final)),
        f"{half:.3f}",
        f"**{mean:.3f}** ± {se:.3f}",
    ]
    cells += [f"{sd:.3f}", f"{observed:.3f}", _against(one, reference, last), _against(one, best, last)]
    return f"| {' | '.join([*cells, f'{median(one.cpu):.2f}' if one.cpu else '–'])} |"


def _against(one: Contender, other: Contender | None, last: int) -> str:
    found = None if other is None or other is one else difference(one.at(last, last), other.at(last, last))
    if found is None:
        return "–"
    interval = f" [{found.low:+.2f}, {found.high:+.2f}]" if found.seeds >= 3 else f" (n = {found.seeds})"
    return f"{found.mean:+.2f}{interval}"


def summary(everything: dict[str, list[Record]]) -> list[str]:
    """One line for each problem with rivals: q-KG beside the lowest mean, worst news included."""
    lines = ["| experiment | problem | q-KG | lowest mean | q-KG − lowest [95 %] |", "|---|---|---|---|---|"]
    for experiment, records in everything.items():
        for problem, part in by_problem(records).items():
            group = contenders(part)
            if len({record["method"] for record in part}) == 1:
                continue
            last = last_batch(group)
            means = {one.name: spread(one.at(last, last).values())[0] for one in group if one.reaching(last)}
            reference = _reference(group, last)
            best = min((one for one in group if one.name in means), key=lambda one: means[one.name])
            own = "–" if reference is None else f"{means[reference.name]:.3f}"
            gap = "–" if reference is None else _against(reference, best, last)
            lines.append(f"| {experiment} | {problem} | {own} | {best.name}: {means[best.name]:.3f} | {gap} |")
    return [*lines, ""]


def _notes(out: Path) -> list[str]:
    """What whoever ran the campaign has to say about it, from DIR/notes.md."""
    path = out / "notes.md"
    return [path.read_text(encoding="utf-8")] if path.exists() else []


def write(out: Path, docs: Path) -> Path:
    """The page for all experiments that have results in `out`."""
    everything = {name: records for name in EXPERIMENTS if (records := load(out, name))}
    if not everything:
        raise SystemExit(f"{out}: no results; run python -m benchmarks.paper EXPERIMENT --out {out} first")
    lines = [INTRO, *summary(everything), *standings(everything), *_notes(out)]
    if not figures.available():
        lines += ["Figures were not drawn: matplotlib is not installed.", ""]
    for experiment, records in everything.items():
        lines += section(out, docs, experiment, records)
    lines += ["¹ No model to ask: recommends the best observed point.", ""]
    docs.mkdir(parents=True, exist_ok=True)
    path = docs / "results.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, metavar="DIR", help="the --out of python -m benchmarks.paper")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where results.md and figures/ go")
    chosen = parser.parse_args(arguments)
    print(write(chosen.out, chosen.docs), file=sys.stderr)


if __name__ == "__main__":
    main()
