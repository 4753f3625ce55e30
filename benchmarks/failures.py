"""What failed trials should tell the search: several answers on problems where part of the domain fails.

    python -m benchmarks.failures --runs 5 [--problem discs …] [--rule ignore …]

Each run asks for a start and ten batches of four. A recommendation that would fail scores as an average point would.
Printed are the mean log10 regret of the recommendation with its standard error, the share of trials that failed, how
many recommendations would have failed, and CPU seconds of a run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from knowgrad import Study
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Posterior
from knowgrad.model import failures
from knowgrad.problems import BRANIN

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Problem:
    """A function of which a part of the domain, or a share of all tries, comes to nothing."""

    space: dict[str, tuple[float, float]]
    value: Callable[[Params], float]
    fails: Callable[[Params], bool]
    optimum: float
    chance: float = 0.0
    sd: float = 0.0

    def points(self, n: int = 4000) -> list[dict[str, float]]:
        low, high = np.array(list(self.space.values())).T
        rows = low + (high - low) * np.random.default_rng(0).random((n, len(low)))
        return [dict(zip(self.space, row, strict=True)) for row in rows.tolist()]


CUBE = dict.fromkeys("xyz", (0.0, 1.0))


def bowl(centre: float) -> Callable[[Params], float]:
    """A tilted bowl with ripples, so that one parabola does not explain it."""

    def value(p: Params) -> float:
        u = np.array(list(p.values())) - centre
        return float(u @ u + 0.5 * (u[0] * u[1]) + 0.02 * (1.0 - np.cos(9.0 * u)).sum())

    return value


def discs(p: Params) -> bool:
    """Around two of Branin's three minima."""
    return any(np.hypot(p["x1"] - a, p["x2"] - b) < 3.0 for a, b in ((np.pi, 2.275), (-np.pi, 12.275)))


PROBLEMS = {
    "discs": Problem(BRANIN.space, BRANIN, discs, BRANIN.optimum),
    "noisy discs": Problem(BRANIN.space, BRANIN, discs, BRANIN.optimum, sd=2.0),
    "half-space": Problem(CUBE, bowl(0.6), lambda p: p["x"] + p["y"] + p["z"] > 1.5, 0.05743910),
    "cliff": Problem(CUBE, bowl(0.5), lambda p: p["x"] > 0.52, 0.0),
    "chance": Problem(BRANIN.space, BRANIN, lambda p: False, BRANIN.optimum, chance=0.2),
    "noisy chance": Problem(CUBE, bowl(0.5), lambda p: False, 0.0, chance=0.2, sd=0.05),
}


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
    "avoid, mean + 2 p sd": Rule(failures.discouraged, 0.5, 0.3),
}


def run(problem: Problem, rule: Rule, seed: int) -> tuple[dict[str, Any], float]:
    """The recommendation and the share of failed trials."""
    rng = np.random.default_rng([seed, 1])
    study = Study(problem.space, seed=seed, noise="learned" if problem.sd else 0)
    with (
        patch("knowgrad.model.fitted.discouraged", rule.raised),
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


if __name__ == "__main__":
    main()
