"""What a refill beside many running points is worth: `python -m benchmarks.large --refills RUNS`.

One point beside p running ones, chosen with their results drawn once (`criteria/crowd`) and with all of them carried
along, as before. The independent judge (`true_value`) says what each adds to the running points, under one and the same
Gaussian process.
"""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import mean

import numpy as np

from benchmarks.processes import alone
from benchmarks.speed.cases import Case
from benchmarks.speed.data import data
from benchmarks.speed.true_value import Gp, true_value

CASES = (Case("hartmann6", 74, 1, p=40), Case("hartmann6", 74, 1, p=64), Case("branin", 50, 1, p=64))


def refill(case: Case, noise: float, seed: int) -> tuple[float, float, float, float]:
    """What both refills add, and their CPU seconds without the fit."""
    from knowgrad.acquisition.methods import qkg
    from knowgrad.acquisition.problem import Question
    from knowgrad.advisor.threads import one_thread
    from knowgrad.gp.fit import fit
    from knowgrad.gp.prior import Prior
    from knowgrad.problems import PROBLEMS
    from knowgrad.space import Space

    U, pending, values = data(case, noise, seed)
    y = (values - values.mean()) / values.std()
    post = fit(U, y, np.full(len(y), np.nan if noise else 0.0), np.arange(U.shape[1]), Prior())
    gp = Gp(U, y, post.ell, post.s2, max(post.noise, 1e-6), post.m)
    space = Space(PROBLEMS[case.problem].space)
    post = replace(post, noise=gp.noise_var)
    question = Question([post], [post.constant_noise], space, pending, 1)
    found, seconds = [], []
    for few in (qkg.FEW, 10**6):
        qkg.FEW = few
        began = time.process_time()
        answer = one_thread(qkg.QKG().propose)(question, np.random.default_rng(seed))
        seconds.append(time.process_time() - began)
        found.append(true_value(gp, answer.Z, pending, samples=512, seed=seed).value)
    alone_worth = true_value(gp, pending[-1:], pending[:-1], samples=512, seed=seed).value
    return found[0] - alone_worth, found[1] - alone_worth, seconds[0], seconds[1]


def report(runs: int) -> None:
    print(f"\nWhat a refill adds, in standard deviations of the results, {runs} data sets each.\n")
    titles = ("case", "noise", "drawn once", "carried along", "ratio", "CPU s, drawn", "carried")
    print(f"| {' | '.join(titles)} |\n|---" + "|---:" * (len(titles) - 1) + "|")
    for case in CASES:
        for noise in (0.5, 0.0):
            rows = [alone(refill, case, noise, seed) for seed in range(runs)]
            drawn, full, quick, slow = (mean(column) for column in zip(*rows, strict=True))
            numbers = f"{drawn:.5f} | {full:.5f} | {drawn / full:.3f} | {quick:.2f} | {slow:.2f}"
            print(f"| {case.label} | {noise} | {numbers} |", flush=True)
