"""scikit-optimize: a Gaussian process with gp_hedge, batches by the constant liar (`cl_min`).

Its recommendation is the minimum of the posterior mean, where all parameters are real; else the best observed point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skopt import Optimizer
from skopt.space import Integer, Real
from skopt.utils import expected_minimum

from benchmarks.problems.task import Parameter, Params


class Skopt:
    def __init__(self, parameters: tuple[Parameter, ...], seed: int) -> None:
        self._parameters, self._seed = parameters, seed
        dimensions = [
            Integer(round(p.low), round(p.high), name=p.name) if p.integer else Real(p.low, p.high, name=p.name)
            for p in parameters
        ]
        self._optimizer = Optimizer(dimensions, base_estimator="GP", n_initial_points=1, random_state=seed)
        self._asked: list[list[Any]] = []
        self._result: Any = None

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self._asked = [[params[p.name] for p in self._parameters] for params in points]
        self.tell(values)

    def ask(self, q: int) -> list[Params]:
        self._asked = self._optimizer.ask(n_points=q)
        return [dict(zip((p.name for p in self._parameters), point, strict=True)) for point in self._asked]

    def tell(self, values: Sequence[float]) -> None:
        self._result = self._optimizer.tell(self._asked, [float(value) for value in values])

    def recommend(self) -> Params | None:
        if any(p.integer for p in self._parameters):
            return None
        point, _ = expected_minimum(self._result, random_state=self._seed)
        return {p.name: float(x) for p, x in zip(self._parameters, point, strict=True)}


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Skopt:
    return Skopt(parameters, seed)
