"""How near each rival comes to the maximum of its own criterion: `python -m benchmarks.attainment --rivals`.

The states are those of `attainment` without pending points, under the same posterior by maximum likelihood. Every rival
chooses its batch SEARCHES times, from other random numbers, and `qkg` once. Each of these batches is then judged by the
criterion of every rival, written out here without code of the package:

    q-EI     E[(f* − min f(z))⁺],    f* = min_i μ(x_i)            of `qei`, and of `mc-ei`, which builds it up greedily
    bound    f* − (μ(z_1) − √β s(z_1)),  of the first point        of `gp-bucb` and `gp-ucb-pe`

The share is what the rival's first batch has of the best value among all batches, whoever chose them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import ndtri
from scipy.stats import qmc

from benchmarks.peers.ours import fingerprint
from benchmarks.records import Record
from benchmarks.speed.attainment import SIZES, question, states
from benchmarks.speed.true_value import Array, Gp
from knowgrad.acquisition.methods import resolve

SEARCHES = 4
SAMPLES = 2**14
DELTA = 0.1  # of the schedule of both bounds
JITTER = 1e-10  # of the joint covariance, relative to s²
KEY = ("version", "problem", "noise", "n", "q", "seed")
Job = tuple[str, str, float, int, int, int]
Judge = Callable[[Gp, Array], float]


def expected_improvement(gp: Gp, Z: Array) -> float:
    """q-EI of a batch (q, d) by quasi Monte Carlo."""
    cov = gp.posterior_cov(Z, Z) + JITTER * gp.s2 * np.eye(len(Z))
    W = ndtri(qmc.Sobol(len(Z), seed=0).random(SAMPLES))
    f = gp.posterior_mean(Z) + W @ np.linalg.cholesky(cov).T
    return float(np.maximum(gp.posterior_mean(gp.X).min() - f.min(axis=1), 0.0).mean())


def bound(gp: Gp, Z: Array) -> float:
    """How far below f* the confidence bound of the first point lies."""
    t, d = len(gp.X) + 1, gp.X.shape[1]
    width = np.sqrt(2.0 * np.log(d * t**2 * np.pi**2 / (6.0 * DELTA)))
    sd = np.sqrt(max(float(gp.posterior_cov(Z[:1], Z[:1])[0, 0]), 0.0))
    return float(gp.posterior_mean(gp.X).min() - gp.posterior_mean(Z[:1])[0] + width * sd)


CRITERIA: dict[str, Judge] = {
    "qei": expected_improvement,
    "mc-ei": expected_improvement,
    "gp-ucb-pe": bound,
    "gp-bucb": bound,
}


def jobs(seed: int) -> list[Job]:
    version = fingerprint()
    return [(version, problem, noise, n, q, seed) for problem, noise, n, q, p in states() if p == 0]


def perform(job: Job) -> list[Record]:
    """The share of every rival in one state."""
    _, problem, noise, n, q, seed = job
    asked = question(problem, noise, n, q, 0, seed)
    post = asked.model[0]
    gp = Gp(post.X, post.y, post.ell, post.s2, post.noise, post.m)
    wanted = [("qkg", 0), *((name, k) for k in range(SEARCHES) for name in CRITERIA)]
    batches = {(name, k): resolve(name).propose(asked, np.random.default_rng([seed, k])).Z for name, k in wanted}
    lines = []
    for name, judge in CRITERIA.items():
        value = {who: judge(gp, Z) for who, Z in batches.items()}
        share = round(value[name, 0] / max(value.values()), 4)
        lines.append({**dict(zip(KEY, job, strict=True)), "method": name, "share": share})
    return lines


def table(lines: Sequence[Record]) -> str:
    """By method and function: the mean and the least share, and the number of states."""
    rows = ["| method | functions | states | mean share | least |", "|---|---|---:|---:|---:|"]
    for name in CRITERIA:
        for problem in (*SIZES, "all"):
            own = [x["share"] for x in lines if x["method"] == name and problem in (x["problem"], "all")]
            rows.append(f"| `{name}` | {problem} | {len(own)} | {np.mean(own):.2f} | {min(own):.2f} |")
    return "\n".join(rows)
