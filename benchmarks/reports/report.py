"""Results in three depths: `python -m benchmarks.report [DIR]` writes docs/results.md, docs/results/ and docs/paper.md.

The runs in DIR are first taken over those kept in benchmarks/kept; without DIR, what is kept is drawn anew. A campaign
of one version grows beside that, sitting by sitting, with --campaign FOLDER, and takes its place with --publish FOLDER.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.problems.experiments import EXPERIMENTS
from benchmarks.records import read_json
from benchmarks.reports import figures, keep, pages, paper_page, sittings
from benchmarks.reports.keep import Kept
from benchmarks.reports.names import shown
from benchmarks.reports.standings import Standing, standings, table
from benchmarks.reports.stats import REFERENCE, Contender, contenders, last_batch, spread

INTRO = """# Results

knowgrad's default method, q-KG, was compared with {peers} other optimisers on {problems} problems. All begin a problem
with the same points and meet the same noise. After the last batch each says which point to use. Its *regret* is how
much worse that point truly is than the optimum.
"""
FIGURE = """![Regret of other optimisers relative to knowgrad, exact and noisy problems](results/standings.svg)

A mark is the geometric mean over problems, its line the 95 % interval.
"""
COUNTS = """The table counts single problems. Ahead and behind mean that the 95 % interval of the difference leaves out
zero; otherwise the two are level.
"""
TERMS = """What differs: {without} recommend no point of their own,
so their best result counts. All run with their defaults, and not every one on every problem.
"""
LUCK = """On noisy problems the point with the best result has **{factor:.1f} times** the regret of the recommendation
({problems} problems, q-KG's own runs): the luckiest result is not the best point.
"""


MOST_RUN = """* **{0} of {all}** problems: ahead of {name} by a 95 % interval; level on {1}, behind on {2}:
  `python -m benchmarks.report`"""
LUCKIEST = """* **{factor:.1f} times** the regret of the recommendation is that of the luckiest result, on {problems}
  noisy problems: `python -m benchmarks.report`
"""
BEGIN = """All begin with the same points. In the end each says which point to use. Its *regret* is how much worse that
is than the optimum.
"""
APART = ("terms", *sittings.ELSEWHERE)  # experiments that are told about on other pages
OPEN, CLOSE = "<!-- results -->", "<!-- /results -->"
MORE = """[The paper on its own terms](paper.md) compares q-KG with the paper's four rivals under one fit. The
[experiment log](experiments.md) has what was tried and not kept. `python -m benchmarks.report` writes these pages from
committed records."""


def load(kept: Path) -> dict[str, Kept]:
    """What is kept of each experiment that has a page here."""
    found = {name: keep.load(name, kept) for name in EXPERIMENTS}
    return {name: one for name, one in found.items() if one.problems and name not in APART}


def luck(everything: dict[str, Kept]) -> tuple[float, int]:
    """How many times the regret of the recommendation that of the luckiest point is, under noise; and of how many
    problems that is the geometric mean."""
    logs = []
    for experiment, kept in everything.items():
        plan = EXPERIMENTS[experiment]
        if "regret" not in plan.measure or plan.noise in (0.0, "exact") or len(plan.batch_sizes) > 1:
            continue
        for problem in kept.problems:
            group = contenders(kept, problem)
            own = next((one for one in group if one.name == REFERENCE and isinstance(one, Contender)), None)
            if own and own.count(last := last_batch(group)):
                logs.append(own.best_observed(last) - own.points(last)[last][0])
    return (10 ** spread(logs)[0], len(logs)) if logs else (1.0, 0)


def terms(peers: list[Standing]) -> str:
    """What is not the same for all."""
    without = [shown(one.name) for one in peers if not one.by_model]
    return TERMS.format(without=" and ".join(filter(None, (", ".join(without[:-1]), without[-1])))) if without else ""


def overview(everything: dict[str, Kept], rows: list[Standing], drawn: bool) -> list[str]:
    """The half page."""
    peers = [one for one in rows if one.kind == "peers"]
    settings = {setting for one in peers for part in (one.exact, one.noisy, one.other) for setting in part}
    lines = [INTRO.format(peers=len(peers), problems=len(settings))]
    lines += [*([FIGURE] if drawn else []), COUNTS, *table(rows), ""]
    lines += [terms(peers)]
    factor, problems = luck(everything)
    if problems:
        lines += [LUCK.format(factor=factor, problems=problems)]
    lines += ["## Experiment by experiment", "", "| experiment | problems |", "|---|---:|"]
    lines += [f"| [{EXPERIMENTS[k].title}](results/{k}.md) | {len(one.problems)} |" for k, one in everything.items()]
    return [*lines, "", MORE]


def for_readme(everything: dict[str, Kept], rows: list[Standing]) -> str:
    """What the README shows of it: two figures, and how it compares with each of the others."""
    peers = [one for one in rows if one.kind == "peers"]
    factor, problems = luck(everything)
    lines = [LUCKIEST.format(factor=factor, problems=problems)]
    if peers:
        counts = [peers[0].count(verdict) for verdict in ("worse", "not separable", "better")]
        lines.insert(0, MOST_RUN.format(*counts, all=len(peers[0].all), name=shown(peers[0].name)))
    return "\n".join([*lines, BEGIN, *table(peers), "", COUNTS, terms(peers)])


def into_readme(path: Path, text: str) -> None:
    """Between its two marks, if there is such a file."""
    if path.exists():
        before, _, rest = path.read_text(encoding="utf-8").partition(OPEN)
        _, _, after = rest.partition(CLOSE)
        path.write_text(f"{before}{OPEN}\n{text}\n{CLOSE}{after}", encoding="utf-8")


def write(out: Path | None, docs: Path, kept: Path) -> Path:
    """All pages for all experiments of which runs are in `out` or kept."""
    for experiment in EXPERIMENTS if out else ():
        keep.gather(out, experiment, kept)
    everything = load(kept)
    if not everything:
        raise SystemExit(f"{out}: no results; run python -m benchmarks.paper EXPERIMENT --out {out} first")
    for stray in sittings.strays(kept):
        print(stray, file=sys.stderr)
    rows = standings(everything)
    drawn = [(shown(one.name), ratios) for one in rows if one.kind == "peers" and (ratios := one.ratios())]
    if drawn and figures.available():
        figures.ratios(docs / "results" / "standings.svg", drawn)
    campaign = read_json(kept / sittings.NOTE)
    for experiment, one in everything.items():
        pages.write(docs, experiment, one, campaign.get("commits", ()))
    path = docs / "results.md"
    path.write_text("\n".join(overview(everything, rows, bool(drawn))) + "\n", encoding="utf-8")
    paper_page.write(docs, kept)
    into_readme(docs.parent / "README.md", for_readme(everything, rows))
    return path


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, nargs="?", metavar="DIR", help="the --out of python -m benchmarks.paper")
    parser.add_argument("--docs", type=Path, default=Path("docs"), help="where results.md and results/ go")
    parser.add_argument("--kept", type=Path, default=keep.KEPT, help="where runs are kept (benchmarks/kept)")
    parser.add_argument(
        "--campaign", type=Path, metavar="FOLDER", help="add DIR to the campaign that grows in FOLDER; draw nothing"
    )
    parser.add_argument(
        "--publish", type=Path, metavar="FOLDER", help="keep the campaign in FOLDER instead, and draw it"
    )
    chosen = parser.parse_args(arguments)
    if chosen.campaign and (chosen.publish or not chosen.out):
        parser.error("--campaign: expected DIR, the results of a sitting, and no --publish")
    if chosen.publish and chosen.out:
        parser.error("--publish: expected no DIR; add it with --campaign first")
    if chosen.campaign:
        print(sittings.take(chosen.out, chosen.campaign, chosen.kept), file=sys.stderr)
        return
    if chosen.publish:
        sittings.publish(chosen.publish, chosen.kept)
    print(write(chosen.out, chosen.docs, chosen.kept), file=sys.stderr)
