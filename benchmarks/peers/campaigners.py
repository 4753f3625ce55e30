"""knowgrad's q-KG as a campaign uses it, by name:

    @plate      one temperature for each batch, chosen with it     @any-plate   one for each, drawn at random
    @across     one study, the contexts by turns                   @apart       a study for each context, by turns
    @average    one study of the average over the contexts         @one         all experiments in one context, another
                                                                                for every start
    @drawn      one study without contexts, which are drawn at random for every point

The context is the parameter `base` or `context`. A recommendation is a list: what is to be used in each context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.problems.task import Parameter, Params, knowgrad_space
from knowgrad import Study

SHARED = "temperature"


class Campaigner:
    """One or several studies; each batch is asked from one of them."""

    def __init__(self, how: str, parameters: tuple[Parameter, ...], seed: int) -> None:
        self._how, self._rng, self._turn = how, np.random.default_rng([seed, 99]), 0
        self._space = knowgrad_space(parameters)
        found = [p for p in parameters if p.name in ("base", "context")] or [parameters[-1]]
        self._context = found[0].name
        self._values: tuple[Any, ...] = found[0].options or tuple(range(int(found[0].low), int(found[0].high) + 1))
        self._one = self._values[seed % len(self._values)]
        self._asked: list[tuple[Study, Any, Any]] = []
        names = self._values if how == "apart" else (None,)
        inside = {name: form for name, form in self._space.items() if name != self._context}
        space = inside if how in ("apart", "drawn") else self._space
        over = {self._context: list(self._values)} if how == "average" else None
        self._studies = {name: Study(space, seed=seed, over=over) for name in names}

    def _of(self, value: Any) -> Study:
        return self._studies[value if self._how == "apart" else None]

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        """Every method here has its own start."""

    def ask(self, q: int) -> list[Params]:
        value = self._values[self._turn % len(self._values)]
        self._turn += 1
        study, how = self._of(value), {}
        if self._how == "plate":
            how = {"shared": [SHARED]}
        elif self._how == "any-plate":
            form = study.space.parameters[SHARED]
            how = {"given": {SHARED: form.value(int(self._rng.integers(int(form.levels))))}}
        elif self._how in ("across", "one"):
            how = {"given": {self._context: value if self._how == "across" else self._one}}
        trials = study.ask(q, **how)
        drawn = [self._values[i] for i in self._rng.integers(len(self._values), size=q)]
        missing = {"apart": [value] * q, "drawn": drawn}.get(self._how, [None] * q)
        self._asked = [(study, trial, each) for trial, each in zip(trials, missing, strict=True)]
        return [{**trial.params, **({} if each is None else {self._context: each})} for _, trial, each in self._asked]

    def tell(self, values: Sequence[float]) -> None:
        for (study, trial, _), value in zip(self._asked, values, strict=True):
            study.tell(trial, value, check=False)

    def recommend(self) -> Params | list[Params] | None:
        if self._how in ("plate", "any-plate"):
            return dict(self._of(None).recommend().params)
        return [self._for(value) for value in self._values]

    def _for(self, value: Any) -> Params:
        """What to use in a context; where nothing was tried in it yet, the middle of everything."""
        study = self._of(value)
        if not study.best:
            return {**study.space.decode(np.full(study.space.dim, 0.5)), self._context: value}
        given = {"across": {self._context: value}, "one": {self._context: self._one}}.get(self._how)
        return {**study.recommend(given=given).params, self._context: value}


def create(method: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Campaigner:
    return Campaigner(method.removeprefix("@"), parameters, seed)
