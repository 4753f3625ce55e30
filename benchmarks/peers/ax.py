"""Ax: its client with the default strategy. It recommends the tried point its model likes best."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import torch
from ax.api.client import Client
from ax.api.configs import RangeParameterConfig

from benchmarks.problems.task import Parameter, Params


class Ax:
    def __init__(self, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        logging.disable(logging.WARNING)
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        self._noisy = noisy
        self._client = Client(random_seed=seed)
        self._client.configure_experiment(
            [
                RangeParameterConfig(p.name, (round(p.low), round(p.high)), "int")
                if p.integer
                else RangeParameterConfig(p.name, (p.low, p.high), "float")
                for p in parameters
            ]
        )
        self._client.configure_optimization("-loss")
        self._client.configure_generation_strategy(
            initialization_budget=1, initialization_random_seed=seed, initialize_with_center=False
        )
        self._asked: list[int] = []

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self._asked = [self._client.attach_trial(params) for params in points]
        self.tell(values)

    def ask(self, q: int) -> list[Params]:
        trials = self._client.get_next_trials(q)
        if len(trials) != q:
            raise RuntimeError(f"asked for {q} points, got {len(trials)}")
        self._asked = list(trials)
        return [dict(params) for params in trials.values()]

    def tell(self, values: Sequence[float]) -> None:
        for index, value in zip(self._asked, values, strict=True):
            known = float(value) if self._noisy else (float(value), 0.0)
            self._client.complete_trial(index, raw_data={"loss": known})

    def recommend(self) -> Params | None:
        return dict(self._client.get_best_parameterization(use_model_predictions=True)[0])


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Ax:
    return Ax(parameters, seed, noisy)
