"""Of very many results, which should the model rest on: `python -m benchmarks.subsets [--runs N]`.

Every choice keeps 400 of 4,000 results, noisy and exact, spread evenly or half of them where a search has been. A model
of each subset is held against the true function around its optimum: the root mean square error of the mean there and
the regret of the lowest mean, both relative to the standard deviation of all results; median over runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.linalg import Array
from knowgrad.model.select import learned
from knowgrad.model.subset import lots, subset
from knowgrad.problems import BRANIN, HARTMANN6, Problem
from knowgrad.space import Space

KEPT, N = 400, 4_000
Kept = NDArray[np.intp]


def best_only(X: Array, y: Array, limit: int) -> Kept:
    """The lowest values."""
    return np.argsort(y, kind="stable")[:limit]


def by_lot(X: Array, y: Array, limit: int) -> Kept:
    """Some at random."""
    return np.argsort(lots(len(y)), kind="stable")[:limit]


def neighbours(X: Array, y: Array, limit: int) -> Kept:
    """The lowest values, those nearest to the lowest few, and some at random."""
    near = np.argsort(squared_distance(X, X[best_only(X, y, 16)]).min(axis=1), kind="stable")
    kept = np.unique(np.r_[best_only(X, y, limit // 4), near[: limit // 4]])
    others = np.setdiff1d(by_lot(X, y, len(y)), kept, assume_unique=True)
    return np.r_[kept, others[: limit - len(kept)]]


def taken(X: Array, y: Array, limit: int) -> Kept:
    """What the package does."""
    return subset(X, y, np.arange(X.shape[1]), limit)


CHOICES: dict[str, Callable[[Array, Array, int], Kept]] = {
    "lowest values": best_only,
    "by lot": by_lot,
    "lowest, neighbours, by lot": neighbours,
    "believed lowest, latest, by lot": taken,
}


def results(problem: Problem, noise: float, searched: bool, seed: int) -> tuple[Space, Array, Array, Array]:
    """The space, the optimum, and points with results."""
    space = Space(problem.space)
    rng = np.random.default_rng(seed)
    X = rng.random((N, space.dim))
    optimum = space.encode(space.validate(problem.optimizers[0]))
    if searched:
        X[1::2] = np.clip(optimum + 0.15 * rng.standard_normal((N // 2, space.dim)), 0.0, 1.0)
    f = truth(problem, X)
    return space, optimum, X, f + noise * f.std() * rng.standard_normal(N)


def truth(problem: Problem, X: Array) -> Array:
    low, high = np.array(list(problem.space.values())).T
    return problem.values(low + (high - low) * X)


@one_thread
def judged(problem: Problem, noise: float, searched: bool, seed: int) -> dict[str, tuple[float, float]]:
    """Error near the optimum, and regret, of each choice."""
    space, optimum, X, y = results(problem, noise, searched, seed)
    near = np.clip(optimum + 0.05 * np.random.default_rng(99).standard_normal((256, space.dim)), 0.0, 1.0)
    f, unit = truth(problem, near), float(np.std(y))
    found = {}
    for name, choose in CHOICES.items():
        keep = np.sort(choose(X, y, KEPT))
        sd = np.full(len(keep), np.nan)
        units, _, post = learned(X[keep], y[keep], sd, space.groups, "minimize", "map")
        mean = np.array([units.value(float(m)) for m in post.mean(near)])
        best = lowest_mean([post], space, np.random.default_rng(seed))
        regret = truth(problem, best[None])[0] - problem.optimum
        found[name] = float(np.sqrt(np.mean((mean - f) ** 2))) / unit, float(regret) / unit
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.subsets", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="with different results")
    runs = parser.parse_args(arguments).runs
    print("| function | noise | results | " + " | ".join(CHOICES) + " |\n|---|---:|---|" + "---:|" * len(CHOICES))
    for problem in (BRANIN, HARTMANN6):
        for noise in (0.0, 0.1, 1.0):
            for searched in (False, True):
                each = [judged(problem, noise, searched, seed) for seed in range(runs)]
                cells = [" / ".join(f"{median(run[name][k] for run in each):.1g}" for k in (0, 1)) for name in CHOICES]
                where = "half searched" if searched else "spread"
                print(f"| {problem.name} | {noise} | {where} | " + " | ".join(cells) + " |", flush=True)
