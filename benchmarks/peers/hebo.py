"""HEBO with its defaults. It recommends the best observed point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import torch
from hebo.acq_optimizers import evolution_optimizer
from hebo.design_space.design_space import DesignSpace
from hebo.optimizers.hebo import HEBO

from benchmarks.problems.task import Parameter, Params


class Hebo:
    def __init__(self, parameters: tuple[Parameter, ...], seed: int) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - HEBO draws from the global generator
        _seed_evolution(seed)
        kinds = [{"name": p.name, "type": "int" if p.integer else "num", "lb": p.low, "ub": p.high} for p in parameters]
        self._optimizer = HEBO(DesignSpace().parse(kinds), rand_sample=1, scramble_seed=seed)
        self._asked = pd.DataFrame()

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self._asked = pd.DataFrame(points)
        self.tell(values)

    def ask(self, q: int) -> list[Params]:
        self._asked = self._optimizer.suggest(n_suggestions=q)
        return [{str(name): value for name, value in row.items()} for row in self._asked.to_dict("records")]

    def tell(self, values: Sequence[float]) -> None:
        self._optimizer.observe(self._asked, np.asarray(values, dtype=float)[:, None])

    def recommend(self) -> Params | None:
        return None


def _seed_evolution(seed: int) -> None:
    """HEBO gives its evolutionary search no seed, so runs would differ; each search gets the next one."""
    search, seeds = evolution_optimizer.minimize, count(1000 * seed)

    def seeded(*args: Any, **kwargs: Any) -> Any:
        return search(*args, seed=next(seeds), **kwargs)

    evolution_optimizer.minimize = seeded


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Hebo:
    return Hebo(parameters, seed)
