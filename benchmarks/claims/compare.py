"""Does the package keep its word? `python -m benchmarks.calibration [--data DIR] [--runs 3] [--batches 9] [--jobs 2]`.

Searches with batches of 4 on problems of six kinds, recorded once: points and results, a line for each search. Every
state of them, after the start and after each batch, is then judged by this version:

* does the 90 % interval of `recommend()`, mean ± 1.645 sd, hold the true value there;
* the improvement of the recommendation over the search, and the sum of what `gain` had said before each batch;
* does the interval of the learned noise hold the true one;
* the true regret of rules of what to recommend, against the best observed point.

A search is not run again for another rule or interval; `--redo` runs those again that another version had run. Without
`--data` the real problems are left out. `--kept` prints the tables of the committed states, `--keep` writes these.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.claims.judge import judged
from benchmarks.claims.keep import KEPT, keep, kept
from benchmarks.claims.problems import KINDS, names
from benchmarks.claims.report import report
from benchmarks.claims.searches import forget, searches


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.calibration",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--problems", nargs="+", help="some of them, by name")
    parser.add_argument("--method", default="qkg")
    parser.add_argument("--runs", type=int, default=3, help="seeds; each has its own start")
    parser.add_argument("--batches", type=int, default=9, help="of 4, after the start")
    parser.add_argument("--data", type=Path, help="the folder with lab/, for the real problems")
    parser.add_argument("--jobs", type=int, default=1, help="searches at a time, one thread each")
    parser.add_argument("--out", type=Path, default=Path("results/calibration"))
    parser.add_argument("--redo", action="store_true", help="run searches again that another version had run")
    parser.add_argument("--keep", action="store_true", help=f"write what the tables need to {KEPT.name}")
    parser.add_argument("--kept", action="store_true", help="the tables of what is kept; nothing is run")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    if chosen.kept:
        print(report(kept()))
        return
    found = [kind for kind in chosen.kinds if kind != "real" or chosen.data]
    jobs = [
        (kind, problem, chosen.method, seed, chosen.batches)
        for seed in range(chosen.runs)
        for kind in found
        for problem in names(kind)
        if not chosen.problems or problem in chosen.problems
    ]
    file = chosen.out / "searches.jsonl"
    if chosen.redo:
        forget(file)
    lines = judged(
        chosen.out / "judged.jsonl", searches(file, jobs, chosen.data, chosen.jobs), chosen.data, chosen.jobs
    )
    if chosen.keep:
        keep(lines)
    print(report(lines))
