"""BayBE: its default recommender, on the product of the parameters or on a list; descriptors as it takes them.

Where everything is discrete and results are exact it is told not to measure a point again, which by default it may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import torch
from baybe import Campaign
from baybe.parameters import (
    CategoricalParameter,
    CustomDiscreteParameter,
    NumericalContinuousParameter,
    NumericalDiscreteParameter,
)
from baybe.searchspace import SearchSpace
from baybe.targets import NumericalTarget

from benchmarks.problems.task import Listed, Parameter, Params


class BayBE:
    def __init__(self, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        torch.manual_seed(seed)
        if isinstance(parameters, Listed):
            levels = {p.name: sorted({row[p.name] for row in parameters.rows}) for p in parameters}
            made = [NumericalDiscreteParameter(name, values) for name, values in levels.items()]
            space = SearchSpace.from_dataframe(pd.DataFrame(parameters.rows), made)
        else:
            space = SearchSpace.from_product([parameter(p) for p in parameters])
        once = {"allow_recommending_already_measured": False} if space.continuous.is_empty and not noisy else {}
        self._campaign = Campaign(space, NumericalTarget("value", minimize=True).to_objective(), **once)
        self._asked = pd.DataFrame()

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        self._campaign.add_measurements(pd.DataFrame(points).assign(value=list(values)))

    def ask(self, q: int) -> list[Params]:
        self._asked = self._campaign.recommend(q)
        return [dict(row) for row in self._asked.to_dict("records")]

    def tell(self, values: Sequence[float]) -> None:
        self._campaign.add_measurements(self._asked.assign(value=list(values)))

    def recommend(self) -> Params | None:
        return None


def parameter(p: Parameter) -> Any:
    if p.features:
        table = pd.DataFrame(p.features, index=list(p.options)).add_prefix("f")
        return CustomDiscreteParameter(p.name, table.loc[:, table.nunique() > 1], decorrelate=0.7)
    if p.options:
        return CategoricalParameter(p.name, list(p.options))
    if not (p.step or p.integer):
        return NumericalContinuousParameter(p.name, (p.low, p.high))
    width = p.step or 1.0
    return NumericalDiscreteParameter(p.name, [p.low + i * width for i in range(round((p.high - p.low) / width) + 1)])


def create(variant: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> BayBE:
    return BayBE(parameters, seed, noisy)
