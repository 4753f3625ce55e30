"""What each inference makes of the same results: `python -m benchmarks.inference [--runs 20] [--jobs 2]`.

No search: a Latin hypercube of n points on each of `problems.functions`, with noise of several kinds, and each of
`inferences` on the same data. Two questions to each model:

* regret: log10 of what is lost at the minimum of its mean;
* inside: how often the true value at a fresh point, one of the better half, lies in its 90 % interval.

Records are appended to the file as they come; a stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
import time
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.inference.inferences import INFERENCES
from benchmarks.problems.functions import ALL, NOISES, told
from benchmarks.records import Record, gathered
from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.diagnose import MOST
from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.model.fitted import mean_and_sd
from knowgrad.space import Space

NAMES = (
    "default",
    "mle",
    "map",
    "map, independent scales",
    "map, scales without tails",
    "map, tight signal",
    "map, warped",
    "map, smoother",
    "average of 4 draws",
)
SIZES = ("2d + 2", "50", "200")
FRESH = 512
KEY = ("problem", "noise", "size", "seed")


def compare(job: tuple[str, str, str, int]) -> list[Record]:
    """One data set: a line for each inference."""
    name, noise, size, seed = job
    problem = ALL[name]
    space = Space({f"x{i}": (0.0, 1.0) for i in range(problem.d)})
    n = 2 * problem.d + 2 if size == SIZES[0] else int(size)
    X = latin_hypercube(n, space, np.random.default_rng([seed, 0]))
    y = NOISES[noise](problem.f(X), problem.sd, np.random.default_rng([seed, 1]))
    fresh = space.sample(FRESH, np.random.default_rng([seed, 2]))
    true = problem.f(fresh)
    better = true <= np.median(true)
    lines: list[Record] = []
    for inference in NAMES:
        began = time.process_time()
        units, model = INFERENCES[inference](X, y, told(noise, n), np.random.default_rng([seed, 3]))
        cpu = time.process_time() - began
        best = lowest_mean(model, space, np.random.default_rng([seed, 4]))
        mean, sd = mean_and_sd(model, fresh[better])
        low, high = (np.array([units.value(t) for t in mean + side * MOST * sd]) for side in (-1, 1))
        inside = float(np.mean((low <= true[better]) & (true[better] <= high)))
        head = dict(zip(KEY, job, strict=True)) | {"method": inference}
        lines.append(head | {"regret": problem.regret(best), "inside": inside, "cpu": cpu})
    return lines


def report(lines: list[Record]) -> str:
    """By noise and size, over all problems: mean regret, its difference to the default's, and the share inside."""
    rows = ["| noise, n | " + " | ".join(NAMES) + " |", "|---|" + "---:|" * len(NAMES)]
    settings = dict.fromkeys((line["noise"], line["size"]) for line in lines)
    for noise, size in settings:
        here = [line for line in lines if (line["noise"], line["size"]) == (noise, size)]
        regret, inside = (
            np.array([[line[what] for line in here if line["method"] == name] for name in NAMES])
            for what in ("regret", "inside")
        )
        better = regret - regret[0]
        error = better.std(axis=1) / np.sqrt(regret.shape[1])
        cells = [f"{regret[0].mean():+.2f}; {inside[0].mean():.0%}"] + [
            f"{better[k].mean():+.2f} ± {error[k]:.2f}; {inside[k].mean():.0%}" for k in range(1, len(NAMES))
        ]
        rows.append(f"| {noise}, {size} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--problems", nargs="+", choices=ALL, default=list(ALL))
    parser.add_argument("--noises", nargs="+", choices=NOISES, default=list(NOISES))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/inference.jsonl"))
    options = parser.parse_args()
    wanted = product(options.sizes, range(options.runs), options.noises, options.problems)
    jobs = [(p, z, n, seed) for n, seed, z, p in wanted]
    print(report(gathered(options.out, KEY, jobs, compare, options.jobs)))
