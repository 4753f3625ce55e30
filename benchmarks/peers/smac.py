"""SMAC3 through ask and tell: its black-box facade, a Gaussian process with EI. Best observed point recommended.

Where parameters exist only sometimes, or are options, it is the facade for hyperparameters, a random forest with EI.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ConfigSpace import Categorical, Configuration, ConfigurationSpace, Float, InCondition, Integer
from smac import BlackBoxFacade, HyperparameterOptimizationFacade, Scenario
from smac.runhistory import TrialInfo, TrialValue

from benchmarks.problems.task import Parameter, Params


class Smac:
    def __init__(self, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        logging.disable(logging.WARNING)
        self._space, self._seed = ConfigurationSpace(seed=seed), seed
        for p in parameters:
            self._space.add(_hyperparameter(p))
            if p.when:
                parent, values = p.when
                self._space.add(InCondition(self._space[p.name], self._space[parent], list(values)))
        self._folder = tempfile.TemporaryDirectory()
        # Deterministic even under noise: otherwise it spends most of a small budget on repeating its incumbents.
        scenario = Scenario(
            self._space, output_directory=Path(self._folder.name), deterministic=True, n_trials=100_000, seed=seed
        )
        mixed = any(p.when or p.options for p in parameters)
        facade = HyperparameterOptimizationFacade if mixed else BlackBoxFacade
        none = facade.get_initial_design(scenario, n_configs=1)
        self._smac = facade(scenario, _unused, initial_design=none, overwrite=True, logging_level=False)
        self._asked: list[TrialInfo] = []

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self._asked = [TrialInfo(Configuration(self._space, values=dict(params)), seed=0) for params in points]
        self.tell(values)

    def ask(self, q: int) -> list[Params]:
        self._asked = [self._smac.ask() for _ in range(q)]
        return [dict(info.config) for info in self._asked]

    def tell(self, values: Sequence[float]) -> None:
        for info, value in zip(self._asked, values, strict=True):
            self._smac.tell(info, TrialValue(cost=float(value)), save=False)

    def recommend(self) -> Params | None:
        return None


def _hyperparameter(p: Parameter) -> Any:
    if p.options:
        return Categorical(p.name, list(p.options))
    if p.integer:
        return Integer(p.name, (round(p.low), round(p.high)), log=p.log)
    return Float(p.name, (p.low, p.high), log=p.log)


def _unused(config: Configuration, seed: int = 0) -> float:
    raise RuntimeError("evaluations are told, never made by the optimizer")


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Smac:
    return Smac(parameters, seed, noisy)
