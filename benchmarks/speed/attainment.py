"""What share of q-KG each way of maximising it attains: `python -m benchmarks.attainment [--methods …]`.

A state is a function, with or without noise, early to late in a search, a batch of 1, 4 or 8, with or without pending
points: 73 in all. A Gaussian process is fitted by maximum likelihood, every method chooses its batch under that same
posterior, and the judge (`true_value`) says what the batches are worth, pending points included. The ratio is to what
the first method attains. Every state and method is a line of one file; a comparison that was stopped goes on there.

`--figure FILE` draws the ascent of `qkg-paper` in four states: the value of the averaged iterates against the step.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.peers.ours import fingerprint
from benchmarks.records import Record, gathered
from benchmarks.speed.cases import Case
from benchmarks.speed.data import data
from benchmarks.speed.true_value import Array, Gp, true_value
from knowgrad import Space
from knowgrad.acquisition.methods import resolve
from knowgrad.acquisition.problem import Question
from knowgrad.gp.fit import fit
from knowgrad.gp.posterior import Posterior

SIZES = {
    "branin": (10, 26, 50),
    "rosenbrock3": (12, 32, 60),
    "ackley5": (16, 36, 68),
    "hartmann6": (18, 42, 74),
}
BATCHES = ((1, 0), (4, 0), (8, 0), (1, 3), (4, 2))  # q and p
TIMED = ("hartmann6", 74, 4, 0)  # problem, n, q, p: where the seconds are compared
LEAST_NOISE = 1e-6  # with less, exact data next to each other are beyond double precision
DEFAULT = Path("results/attainment.jsonl")
KEY = ("version", "problem", "noise", "n", "q", "p", "method", "seed")
Job = tuple[str, str, float, int, int, int, str, int]


def states() -> Iterator[tuple[str, float, int, int, int]]:
    """Problem, noise, n, q and p; of the five kinds of batch each data set has three, in turns."""
    for k, (problem, noise) in enumerate((problem, noise) for problem in SIZES for noise in (0.0, 0.5)):
        for i, n in enumerate(SIZES[problem]):
            for j, (q, p) in enumerate(BATCHES):
                if (i + j + k) % len(BATCHES) < 3 or (problem, n, q, p) == TIMED:
                    yield problem, noise, n, q, p


def question(problem: str, noise: float, n: int, q: int, p: int, seed: int) -> Question:
    """The state, under a posterior by maximum likelihood."""
    U, pending, values = data(Case(problem, n, q, p), noise, seed)
    y = (values - values.mean()) / values.std()
    fitted = fit(U, y, np.full(n, np.nan if noise else 0.0), np.arange(U.shape[1]), None)
    variance = max(fitted.noise, LEAST_NOISE)
    post = Posterior.build(U, y, np.full(n, variance), fitted.ell, fitted.s2, fitted.m, noise=variance)
    cube = Space({f"x{i + 1}": (0.0, 1.0) for i in range(U.shape[1])})
    return Question([post], [post.constant_noise], cube, pending, q)


def worth(asked: Question, Z: Array, samples: int) -> tuple[float, float]:
    """True q-KG of a batch, jointly with what is pending, and its standard error."""
    post = asked.model[0]
    gp = Gp(post.X, post.y, post.ell, post.s2, post.noise, post.m)
    found = true_value(gp, Z, asked.pending if len(asked.pending) else None, samples=samples)
    return found.value, found.se


def perform(job: Job) -> list[Record]:
    """One method in one state."""
    _, problem, noise, n, q, p, method, seed = job
    asked = question(problem, noise, n, q, p, seed)
    began = time.process_time()
    Z = resolve(method).propose(asked, np.random.default_rng(seed)).Z
    cpu = round(time.process_time() - began, 3)
    value, error = worth(asked, Z, 1024)
    return [{**dict(zip(KEY, job, strict=True)), "value": value, "error": error, "cpu": cpu}]


def table(lines: Sequence[Record], methods: Sequence[str]) -> str:
    """By problem and noise: the mean and the least ratio to the first method, and how many states there are."""
    found = {(*(line[name] for name in KEY[1:6]), line["method"]): line for line in lines}
    ratios = {
        (*state, name): found[*state, name]["value"] / found[*state, methods[0]]["value"]
        for state in states()
        for name in methods[1:]
    }
    rows = [
        "| method | functions | states | mean ratio | least | CPU s, n = 74, d = 6, q = 4 |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for name in methods[1:]:
        for problem in (*SIZES, "all"):
            own = [r for state, r in ratios.items() if state[-1] == name and problem in (state[0], "all")]
            cpu = max(found[TIMED[0], noise, *TIMED[1:], name]["cpu"] for noise in (0.0, 0.5))
            seconds = f"{cpu:.2f}" if problem in ("hartmann6", "all") else ""
            rows.append(f"| `{name}` | {problem} | {len(own)} | {np.mean(own):.2f} | {min(own):.2f} | {seconds} |")
    return "\n".join(rows)


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.attainment", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--methods", nargs="+", default=["qkg", "qkg-paper"], help="the first is what others are held to"
    )
    parser.add_argument("--jobs", type=int, default=1, help="states at a time, one thread each")
    parser.add_argument("--seed", type=int, default=0, help="of the data and of the methods")
    parser.add_argument("--out", type=Path, default=DEFAULT)
    parser.add_argument("--figure", type=Path, help="draw the ascent of qkg-paper here instead")
    parser.add_argument(
        "--rivals", action="store_true", help="instead: what share each rival attains of its own criterion"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    chosen = options(arguments)
    if chosen.figure:
        from benchmarks.speed.ascent import draw

        draw(chosen.figure)
        return
    if chosen.rivals:
        from benchmarks.speed import rivals

        out = chosen.out.with_stem("rivals") if chosen.out == DEFAULT else chosen.out
        print(rivals.table(gathered(out, rivals.KEY, rivals.jobs(chosen.seed), rivals.perform, chosen.jobs)))
        return
    version = fingerprint()
    wanted = [(version, *state, method, chosen.seed) for state in states() for method in chosen.methods]
    print(table(gathered(chosen.out, KEY, wanted, perform, chosen.jobs), chosen.methods))
