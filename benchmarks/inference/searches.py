"""Which inference, units and smoothness find better points: `python -m benchmarks.model [--runs N] [--out FILE.jsonl]`.

The acquisition stays q-KG with batches of 4; only the model's inference differs. Problems, noise and starts are the
same for all. Noise is in standard deviations of the function over the cube; the noisy settings leave it to be learned.
Records are appended as runs end, and runs that are already in the file are not repeated.
"""

from __future__ import annotations

import argparse
import time
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.inference.inferences import INFERENCES, Inference
from benchmarks.problems.functions import ALL, NOISES, Array, Problem, told
from benchmarks.records import Record, gathered
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Space

KEY = ("problem", "noise", "method", "seed", "batches")


def run(problem: Problem, noise: str, inference: Inference, seed: int, batches: int) -> Record:
    """log10 regret of the recommendation half-way and at the end, and CPU seconds per batch."""
    space = Space({f"x{i}": (0.0, 1.0) for i in range(problem.d)})
    rng, luck = (np.random.default_rng([seed, k]) for k in (1, 2))
    X = latin_hypercube(2 * problem.d + 2, space, np.random.default_rng([seed, 0]))
    y = NOISES[noise](problem.f(X), problem.sd, luck)
    regrets, cpu = [], 0.0
    for batch in range(1, batches + 1):
        began = time.process_time()
        model = _model(X, y, noise, inference, rng)
        question = Question(model, [post.constant_noise for post in model], space, np.empty((0, problem.d)), 4)
        Z = QKG().propose(question, rng).Z
        cpu += time.process_time() - began
        X, y = np.vstack([X, Z]), np.append(y, NOISES[noise](problem.f(Z), problem.sd, luck))
        if batch in (batches // 2, batches):
            best = lowest_mean(_model(X, y, noise, inference, rng), space, rng)
            regrets.append(problem.regret(best))
    return {"half": regrets[0], "final": regrets[-1], "cpu": cpu / batches}


def _model(X: Array, y: Array, noise: str, inference: Inference, rng: np.random.Generator) -> list[Posterior]:
    return inference(X, y, told(noise, len(y)), rng)[1]


def _job(job: tuple[str, str, str, int, int]) -> list[Record]:
    problem, noise, name, seed, batches = job
    return [dict(zip(KEY, job, strict=True)) | run(ALL[problem], noise, INFERENCES[name], seed, batches)]


def report(lines: list[Record]) -> str:
    """Mean log10 regret at the end for each setting, by inference, and the mean rank."""
    names = list(dict.fromkeys(str(line["method"]) for line in lines))
    settings = list(dict.fromkeys((str(line["problem"]), str(line["noise"])) for line in lines))
    rows = ["| problem, noise | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    table = np.full((len(settings), len(names)), np.nan)
    for (i, (problem, noise)), (j, name) in product(enumerate(settings), enumerate(names)):
        key = {"problem": problem, "noise": noise, "method": name}
        values = [line["final"] for line in lines if key.items() <= line.items()]
        table[i, j] = np.mean(values) if values else np.nan
    for (problem, noise), row in zip(settings, table, strict=True):
        best = np.nanmin(row)
        rows.append(
            f"| {problem}, {noise} | " + " | ".join(f"**{v:+.2f}**" if v == best else f"{v:+.2f}" for v in row) + " |"
        )
    full = table[~np.isnan(table).any(axis=1)]
    ranks = full.argsort(axis=1).argsort(axis=1).mean(axis=0) + 1
    rows.append("| mean | " + " | ".join(f"{v:+.2f}" for v in full.mean(axis=0)) + " |")
    rows.append("| mean rank | " + " | ".join(f"{v:.1f}" for v in ranks) + " |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("--problems", nargs="+", choices=ALL, default=list(ALL))
    parser.add_argument("--noises", nargs="+", choices=NOISES, default=["exact", "low", "high"])
    parser.add_argument("--inferences", nargs="+", choices=INFERENCES, default=list(INFERENCES))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("results/model.jsonl"))
    options = parser.parse_args()
    wanted = product(options.problems, options.noises, range(options.runs), options.inferences)
    jobs = [(p, z, name, seed, options.batches) for p, z, seed, name in wanted]
    print(report(gathered(options.out, KEY, jobs, _job, options.jobs)))
