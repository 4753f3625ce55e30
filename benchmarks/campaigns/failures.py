"""What failed trials should tell the search: several answers on problems where part of the domain fails.

    python -m benchmarks.failures --runs 5 [--problem discs …] [--rule ignore …]

Each run asks for a start and ten batches of four. A recommendation that would fail scores as an average point would.
Printed are the mean log10 regret of the recommendation with its standard error, the share of trials that failed, how
many recommendations would have failed, and CPU seconds of a run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.problems.failing import PROBLEMS, Problem
from knowgrad import Study
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.model import failures

Raise = Callable[[Posterior, Array, Array], Posterior]


def ignore(post: Posterior, failed: Array, p: Array) -> Posterior:
    return post


def worst(post: Posterior, failed: Array, p: Array) -> Posterior:
    return post.condition(failed, np.full(len(failed), 1e-6 * post.s2), np.full(len(failed), post.y.max()))


def pessimist(post: Posterior, failed: Array, p: Array) -> Posterior:
    """Two standard deviations above the mean, whatever the chance of failing."""
    variance = np.maximum(post.var(failed), 1e-8 * post.s2)
    return post.condition(failed, 0.1 * variance, post.mean(failed) + 2.0 * np.sqrt(variance))


@dataclass(frozen=True)
class Rule:
    """What pseudo-observations are made, and where failing is too likely to search and to recommend."""

    raised: Raise
    searched: float = np.inf
    safe: float = np.inf


RULES = {
    "ignore": Rule(ignore),
    "worst result": Rule(worst),
    "mean + 2 sd": Rule(pessimist),
    "avoid": Rule(ignore, 0.5, 0.3),
    "avoid, mean + 2 sd": Rule(pessimist, 0.5, 0.3),
    "avoid, mean + 2 p sd": Rule(failures.penalized, 0.5, 0.3),
}


def run(problem: Problem, rule: Rule, seed: int) -> tuple[dict[str, Any], float]:
    """The recommendation and the share of failed trials."""
    rng = np.random.default_rng([seed, 1])
    study = Study(problem.space, seed=seed, noise="learned" if problem.sd else 0)
    with (
        patch("knowgrad.model.fitted.penalized", rule.raised),
        patch("knowgrad.model.fitted.SEARCHED", rule.searched),
        patch("knowgrad.model.fitted.SAFE", rule.safe),
    ):
        for q in [2 * len(problem.space) + 2] + [4] * 10:
            for trial in study.ask(q):
                error, luck = problem.sd * rng.standard_normal(), rng.random()
                if problem.fails(trial.params) or luck < problem.chance:
                    study.fail(trial, "crashed")
                else:
                    study.tell(trial, problem.value(trial.params) + error)
        best = study.recommend().params
    return best, float(np.mean([trial.state == "failed" for trial in study.trials]))


def compare(name: str, rules: list[str], runs: int) -> None:
    problem = PROBLEMS[name]
    values = np.array([problem.value(p) for p in problem.points() if not problem.fails(p)])
    for rule in rules:
        begin, scores, shares, lost = time.process_time(), [], [], 0
        for seed in range(runs):
            best, share = run(problem, RULES[rule], seed)
            lost += problem.fails(best)
            value = float(values.mean()) if problem.fails(best) else problem.value(best)
            scores.append(np.log10(max(value - problem.optimum, 1e-9)))
            shares.append(share)
        seconds = (time.process_time() - begin) / runs
        error = np.std(scores) / np.sqrt(runs)
        print(
            f"{name:13} {rule:20} {np.mean(scores):6.2f} ± {error:.2f}  failed {100 * np.mean(shares):3.0f} %"
            f"  lost {lost}/{runs}  {seconds:.1f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="what failed trials should tell the search")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--problem", nargs="*", choices=PROBLEMS, default=list(PROBLEMS))
    parser.add_argument("--rule", nargs="*", choices=RULES, default=list(RULES))
    options = parser.parse_args()
    for name in options.problem:
        compare(name, options.rule, options.runs)
