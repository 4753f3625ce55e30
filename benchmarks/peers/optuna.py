"""Optuna: GPSampler and TPESampler through ask and tell. It has no model-based recommendation.

Where parameters exist only sometimes, TPE is asked for those that do, one after the other, as an objective does. The
Gaussian process needs all of them: one that does not exist is chosen in vain, and at rest in results from elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from benchmarks.problems.task import Parameter, Params


class Optuna:
    def __init__(self, variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = (
            optuna.samplers.GPSampler(seed=seed, deterministic_objective=not noisy, n_startup_trials=1)
            if variant == "gp"
            else optuna.samplers.TPESampler(seed=seed, n_startup_trials=1, constant_liar=True)
        )
        self._study = optuna.create_study(sampler=sampler)
        self._space = {p.name: distribution(p) for p in parameters}
        self._by_run = parameters if variant == "tpe" and any(p.when for p in parameters) else ()
        self._flat = {} if self._by_run else {p.name: middle(p) for p in parameters if p.when}
        self._asked: list[optuna.Trial] = []

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        for params, value in zip(points, values, strict=True):
            known = self._flat | params
            space = {name: self._space[name] for name in known}
            self._study.add_trial(optuna.trial.create_trial(params=known, distributions=space, value=float(value)))

    def ask(self, q: int) -> list[Params]:
        self._asked = [self._study.ask({} if self._by_run else self._space) for _ in range(q)]
        for trial in self._asked:
            for p in self._by_run:
                if p.exists(trial.params):
                    trial._suggest(p.name, self._space[p.name])
        return [trial.params for trial in self._asked]

    def tell(self, values: Sequence[float]) -> None:
        for trial, value in zip(self._asked, values, strict=True):
            self._study.tell(trial, float(value))

    def recommend(self) -> Params | None:
        return None


def distribution(p: Parameter) -> BaseDistribution:
    if p.options:
        return CategoricalDistribution(p.options)
    if p.integer:
        return IntDistribution(round(p.low), round(p.high), log=p.log)
    return FloatDistribution(p.low, p.high, log=p.log, step=p.step)


def middle(p: Parameter) -> float:
    """Of a number's range."""
    value = math.sqrt(p.low * p.high) if p.log else (p.low + p.high) / 2
    return round(value) if p.integer else value


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Optuna:
    return Optuna(variant, parameters, seed, noisy)
