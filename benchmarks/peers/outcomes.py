"""Who takes part where several outcomes count: knowgrad, BoTorch and Optuna, on the unit cube.

All begin with the same points. What is recommended: by knowgrad `recommend(chance=0.95)` or `front()`; by BoTorch, of
the points tried, the best posterior mean of those that keep the limits with a chance of 0.95 under its model, or the
front of posterior means; by Optuna the best trials by what was observed. That results are exact is said to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from benchmarks.peers.outcomes_botorch import BoTorch
from benchmarks.peers.outcomes_kept import CHANCE, Array, Kept
from benchmarks.problems.outcomes import Problem

DEAR = 10.0  # what the first outcome costs, where costs differ


class Contender(Protocol):
    """Points are rows of the unit cube, results rows of outcomes."""

    def add(self, U: Array, Y: Array) -> None: ...
    def ask(self, q: int) -> Array: ...
    def recommend(self) -> Array: ...


def outcome_names(problem: Problem) -> list[str]:
    return [f"f{k}" for k in range(problem.objectives)] + [f"c{k}" for k in range(problem.limits)]


class Ours:
    def __init__(self, problem: Problem, seed: int, noisy: bool, costs: dict[str, float] | None = None) -> None:
        import knowgrad as kg

        self._names = outcome_names(problem)
        objectives = dict.fromkeys(self._names[: problem.objectives], "minimize")
        limits = [f"{name} <= 0" for name in self._names[problem.objectives :]] or None
        self._keys = [f"x{i}" for i in range(problem.dim)]
        space: Any = {key: labels(n) if n else (0.0, 1.0) for key, n in zip(self._keys, problem.options, strict=True)}
        self._options = problem.options
        noise = "learned" if noisy else 0
        self._study: Any = kg.Study(space, objectives=objectives, limits=limits, costs=costs, seed=seed, noise=noise)
        self._several = problem.objectives > 1
        self._running: list[Any] = []

    def add(self, U: Array, Y: Array) -> None:
        told = [dict(zip(self._names, map(float, y), strict=True)) for y in Y]
        if self._running:
            for trial, each in zip(self._running, told, strict=True):
                self._study.tell(trial, each)
            self._running = []
            return
        for u, each in zip(U, told, strict=True):
            self._study.add(said(self._keys, u, self._options), each)

    def ask(self, q: int) -> Array:
        self._running = self._study.ask(q)
        return self._rows(trial.params for trial in self._running)

    def recommend(self) -> Array:
        snapshot = self._study.snapshot()
        if self._several:
            return self._rows(point.params for point in snapshot.front())
        return self._rows([snapshot.recommend(chance=CHANCE).params])

    def _rows(self, params: Any) -> Array:
        return np.array([heard([each[key] for key in self._keys], self._options) for each in params])


def labels(n: int) -> list[str]:
    """Names of options, without an order."""
    return [f"o{i}" for i in range(n)]


def said(keys: Sequence[str], u: Array, options: Sequence[int]) -> dict[str, Any]:
    """A point of the cube as others name it: options by their labels."""
    return {key: f"o{round(x * (n - 1))}" if n else float(x) for key, x, n in zip(keys, u, options, strict=True)}


def heard(values: Sequence[Any], options: Sequence[int]) -> list[float]:
    """And back."""
    return [int(value[1:]) / (n - 1) if n else float(value) for value, n in zip(values, options, strict=True)]


class Decoupled(Ours):
    """The same where the first outcome costs ten times as much as each of the others, by `ask(q, measure="auto")`."""

    def __init__(self, problem: Problem, seed: int, noisy: bool) -> None:
        super().__init__(problem, seed, noisy, costs=dict(zip(outcome_names(problem), (DEAR, 1.0, 1.0), strict=False)))
        self.spent = 0.0

    def ask(self, q: int) -> Array:
        self._running = self._study.ask(q, measure="auto")
        return self._rows(trial.params for trial in self._running)

    def add(self, U: Array, Y: Array) -> None:
        costs = self._study.costs
        asked = [trial.measure or tuple(costs) for trial in self._running] or [tuple(costs)] * len(U)
        self.spent += sum(costs[name] for names in asked for name in names)
        if not self._running:
            super().add(U, Y)
        for trial, names, y in zip(self._running, asked, Y, strict=False):
            self._study.tell(trial, {name: float(y[list(costs).index(name)]) for name in names})
        self._running = []


class Optuna(Kept):
    """Its samplers through ask and tell, with limits as its constraints."""

    def __init__(self, problem: Problem, seed: int, noisy: bool, sampler: str = "gp") -> None:
        import optuna

        super().__init__(problem)
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        k = problem.objectives
        limits = (lambda trial: trial.user_attrs["limits"]) if problem.limits else None
        samplers: dict[str, Any] = {
            "gp": lambda: optuna.samplers.GPSampler(
                seed=seed, deterministic_objective=not noisy, n_startup_trials=1, constraints_func=limits
            ),
            "tpe": lambda: optuna.samplers.TPESampler(
                seed=seed, n_startup_trials=1, constant_liar=True, constraints_func=limits
            ),
            "nsga2": lambda: optuna.samplers.NSGAIISampler(seed=seed, population_size=12, constraints_func=limits),
        }
        self._study = optuna.create_study(directions=["minimize"] * k, sampler=samplers[sampler]())
        number = optuna.distributions.FloatDistribution(0.0, 1.0)
        self._space = {
            f"x{i}": optuna.distributions.CategoricalDistribution(labels(n)) if n else number
            for i, n in enumerate(problem.options)
        }
        self._asked: list[Any] = []

    def add(self, U: Array, Y: Array) -> None:
        import optuna

        super().add(U, Y)
        k = self.problem.objectives
        if self._asked:
            for trial, y in zip(self._asked, Y, strict=True):
                trial.set_user_attr("limits", [float(each) for each in y[k:]])
                self._study.tell(trial, [float(each) for each in y[:k]])
            self._asked = []
            return
        for u, y in zip(U, Y, strict=True):
            limits = [float(each) for each in y[k:]]
            found = optuna.trial.create_trial(
                params=said(list(self._space), u, self.problem.options),
                distributions=self._space,
                values=[float(each) for each in y[:k]],
                user_attrs={"limits": limits},
                system_attrs={"constraints": limits} if limits else {},
            )
            self._study.add_trial(found)

    def ask(self, q: int) -> Array:
        self._asked = [self._study.ask(self._space) for _ in range(q)]
        asked = [[trial.params[name] for name in self._space] for trial in self._asked]
        return np.array([heard(values, self.problem.options) for values in asked])

    def recommend(self) -> Array:
        k = self.problem.objectives
        broken = np.maximum(self.Y[:, k:], 0.0).sum(axis=1)
        return self.best(self.Y, np.where(broken > 0.0, -broken, 1.0))


def create(name: str, problem: Problem, seed: int, noisy: bool) -> Contender:
    """knowgrad, knowgrad-auto, botorch, optuna-gp, optuna-tpe or optuna-nsga2."""
    if name in ("knowgrad", "knowgrad-auto"):
        return (Ours if name == "knowgrad" else Decoupled)(problem, seed, noisy)
    return BoTorch(problem, seed, noisy) if name == "botorch" else Optuna(problem, seed, noisy, name.split("-")[1])


NAMES = ("knowgrad", "knowgrad-auto", "botorch", "optuna-gp", "optuna-tpe", "optuna-nsga2")
