"""Vizier: its default designer for batches, GP-UCB-PE. It recommends the best observed point."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import jax
from vizier import algorithms, pyvizier
from vizier._src.algorithms.designers.gp_ucb_pe import VizierGPUCBPEBandit  # the public path imports far more

from benchmarks.problems.task import Parameter, Params

jax.config.update("jax_enable_x64", True)  # as Vizier's own service does
gc.set_threshold(200_000, 20, 20)  # JAX traces every batch anew: looking for garbage took a quarter of Vizier's time


class Vizier:
    def __init__(self, parameters: tuple[Parameter, ...], seed: int) -> None:
        problem = pyvizier.ProblemStatement()
        for p in parameters:
            if p.integer:
                problem.search_space.root.add_int_param(p.name, round(p.low), round(p.high))
            else:
                problem.search_space.root.add_float_param(p.name, p.low, p.high)
        problem.metric_information.append(
            pyvizier.MetricInformation("loss", goal=pyvizier.ObjectiveMetricGoal.MINIMIZE)
        )
        self._designer = VizierGPUCBPEBandit(problem, rng=jax.random.PRNGKey(seed))
        self._asked: list[Params] = []
        self._told = 0

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self._asked = list(points)
        self.tell(values)

    def ask(self, q: int) -> list[Params]:
        self._asked = [dict(found.parameters.as_dict()) for found in self._designer.suggest(q)]
        return self._asked

    def tell(self, values: Sequence[float]) -> None:
        trials = []
        for params, value in zip(self._asked, values, strict=True):
            self._told += 1
            trial = pyvizier.Trial(id=self._told, parameters=params)
            trial.complete(pyvizier.Measurement({"loss": float(value)}))
            trials.append(trial)
        self._designer.update(algorithms.CompletedTrials(trials), algorithms.ActiveTrials())

    def recommend(self) -> Params | None:
        return None


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Vizier:
    return Vizier(parameters, seed)
