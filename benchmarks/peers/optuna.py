"""Optuna: GPSampler and TPESampler through ask and tell. It has no model-based recommendation."""

from __future__ import annotations

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
        self._asked: list[optuna.Trial] = []

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        for params, value in zip(points, values, strict=True):
            self._study.add_trial(
                optuna.trial.create_trial(params=params, distributions=self._space, value=float(value))
            )

    def ask(self, q: int) -> list[Params]:
        self._asked = [self._study.ask(self._space) for _ in range(q)]
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


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Optuna:
    return Optuna(variant, parameters, seed, noisy)
