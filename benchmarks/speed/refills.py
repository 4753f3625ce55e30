"""What points beside many running ones are worth: `python -m benchmarks.large --refills RUNS`, `--haste RUNS`.

One point beside p running ones, chosen with their results drawn once (`criteria/crowd`) and with all of them carried
along; and 16 points, chosen with less effort and with the usual one in two blocks of eight. The independent judge
(`true_value`) says what each adds to the running points, under one and the same Gaussian process.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean, stdev
from typing import Any

import numpy as np

from benchmarks.processes import alone
from benchmarks.speed.cases import Case
from benchmarks.speed.data import data
from benchmarks.speed.true_value import Gp, true_value

HASTE = (Case("hartmann6", 74, 16, p=64), Case("hartmann6", 300, 16, p=64), Case("branin", 50, 16, p=64))
CASES = (Case("hartmann6", 74, 1, p=80), Case("hartmann6", 74, 1, p=128), Case("branin", 50, 1, p=80))


def setting(case: Case, noise: float, seed: int) -> tuple[Any, Gp]:
    """The question for one point, and the process to judge its answer by."""
    from knowgrad.acquisition.problem import Question
    from knowgrad.gp.fit import fit
    from knowgrad.gp.prior import Prior
    from knowgrad.problems import PROBLEMS
    from knowgrad.space import Space

    U, pending, values = data(case, noise, seed)
    y = (values - values.mean()) / values.std()
    post = fit(U, y, np.full(len(y), np.nan if noise else 0.0), np.arange(U.shape[1]), Prior())
    gp = Gp(U, y, post.ell, post.s2, max(post.noise, 1e-6), post.m)
    post = replace(post, noise=gp.noise_var)
    return Question([post], [post.constant_noise], Space(PROBLEMS[case.problem].space), pending, 1), gp


def judged(gp: Gp, pending: np.ndarray, answers: Sequence[np.ndarray], seed: int) -> list[float]:
    """What each batch adds to the running points."""
    before = true_value(gp, pending[-1:], pending[:-1], samples=512, seed=seed).value
    return [true_value(gp, Z, pending, samples=512, seed=seed).value - before for Z in answers]


def refill(case: Case, noise: float, seed: int) -> tuple[float, float, float, float]:
    """What both refills add, and their CPU seconds without the fit."""
    from knowgrad.acquisition.methods import qkg
    from knowgrad.advisor.threads import one_thread

    question, gp = setting(case, noise, seed)
    found, seconds = [], []
    for few in (qkg.FEW, 10**6):
        qkg.FEW = few
        began = time.process_time()
        found.append(one_thread(qkg.QKG().propose)(question, np.random.default_rng(seed)).Z)
        seconds.append(time.process_time() - began)
    worth = judged(gp, question.pending, found, seed)
    return worth[0], worth[1], seconds[0], seconds[1]


def hurry(case: Case, noise: float, seed: int) -> tuple[float, float, float, float]:
    """What points chosen with less effort add, and with the usual effort; CPU seconds of both, without the fit."""
    from knowgrad.acquisition.methods.qkg import QKG, given
    from knowgrad.advisor.threads import one_thread

    question, gp = setting(case, noise, seed)
    rng, propose, began = np.random.default_rng(seed), one_thread(QKG().propose), time.process_time()
    quick = propose(replace(question, q=case.q, hurried=True), rng).Z
    seconds, began = [time.process_time() - began], time.process_time()
    head = propose(replace(question, q=case.q // 2), rng).Z
    usual = np.vstack([head, propose(given(replace(question, q=case.q), head), rng).Z])
    seconds.append(time.process_time() - began)
    worth = judged(gp, question.pending, [quick, usual], seed)
    return worth[0], worth[1], seconds[0], seconds[1]


def report(runs: int, *, haste: bool = False) -> None:
    print(f"\nWhat is added, in standard deviations of the results, {runs} data sets each.\n")
    ways = ("less effort", "usual effort") if haste else ("drawn once", "jointly")
    titles = ("case", "noise", *ways, "ratio", "difference", *(f"CPU s, {way}" for way in ways))
    print(f"| {' | '.join(titles)} |\n|---" + "|---:" * (len(titles) - 1) + "|")
    for case in HASTE if haste else CASES:
        for noise in (0.5, 0.0):
            rows = [alone(hurry if haste else refill, case, noise, seed) for seed in range(runs)]
            first, second, quick, slow = (mean(column) for column in zip(*rows, strict=True))
            gaps = [row[0] - row[1] for row in rows]
            error = f" ± {stdev(gaps) / len(gaps) ** 0.5:.5f}" if len(gaps) > 1 else ""
            worth = f"{first:.5f} | {second:.5f} | {first / second:.3f} | {mean(gaps):+.5f}{error}"
            numbers = f"{worth} | {quick:.2f} | {slow:.2f}"
            print(f"| {case.label} | {noise} | {numbers} |", flush=True)
