"""knowgrad's q-KG as a campaign uses it, by name:

    @plate      one temperature for each batch, chosen with it     @any-plate   one for each, drawn at random
    @across     one study, the contexts by turns                   @apart       a study for each context, by turns
    @average    one study of the average over the contexts         @one         all experiments in one context, another
                                                                                for every start
    @drawn      one study without contexts, which are drawn at random for every point

The context is the parameter `base`, or those called `context`. A recommendation is a list: what is to be used in each
context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.problems.task import Parameter, Params, contexts_of, knowgrad_space
from knowgrad import Study

SHARED = "temperature"


class Campaigner:
    """One or several studies; each batch is asked from one of them."""

    def __init__(self, how: str, parameters: tuple[Parameter, ...], seed: int) -> None:
        self._how, self._rng, self._turn = how, np.random.default_rng([seed, 99]), 0
        self._space = knowgrad_space(parameters)
        contexts = contexts_of(parameters)
        self._contexts, self._shares = [values for values, _ in contexts], [share for _, share in contexts]
        self._one = self._contexts[seed % len(self._contexts)]
        self._asked: list[tuple[Study, Any, Params]] = []
        within = range(len(contexts)) if how == "apart" else (0,)
        inside = {p.name: self._space[p.name] for p in parameters if not p.is_context}
        space = inside if how in ("apart", "drawn") else self._space
        over = {p.name: p.weighted for p in parameters if p.is_context} if how == "average" else None
        self._studies = [Study(space, seed=seed, over=over) for _ in within]

    def _of(self, k: int) -> Study:
        return self._studies[k if self._how == "apart" else 0]

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        """Every method here has its own start."""

    def ask(self, q: int) -> list[Params]:
        k = self._turn % len(self._contexts)
        self._turn += 1
        study, how = self._of(k), {}
        if self._how == "plate":
            how = {"shared": [SHARED]}
        elif self._how == "any-plate":
            form = study.space.parameters[SHARED]
            how = {"given": {SHARED: form.value(int(self._rng.integers(int(form.levels))))}}
        elif self._how in ("across", "one"):
            how = {"given": self._contexts[k] if self._how == "across" else self._one}
        trials = study.ask(q, **how)
        drawn = self._rng.choice(len(self._contexts), size=q, p=self._shares)
        missing = {"apart": [self._contexts[k]] * q, "drawn": [self._contexts[i] for i in drawn]}
        each = missing.get(self._how, [{}] * q)
        self._asked = list(zip([study] * q, trials, each, strict=True))
        return [{**trial.params, **context} for _, trial, context in self._asked]

    def tell(self, values: Sequence[float]) -> None:
        for (study, trial, _), value in zip(self._asked, values, strict=True):
            study.tell(trial, value, check=False)

    def recommend(self) -> Params | list[Params] | None:
        if self._how in ("plate", "any-plate"):
            return dict(self._of(0).recommend().params)
        return [self._for(k) for k in range(len(self._contexts))]

    def _for(self, k: int) -> Params:
        """What to use in a context; where nothing was tried in it yet, the middle of everything."""
        study, context = self._of(k), self._contexts[k]
        if not study.best:
            return {**study.space.decode(np.full(study.space.dim, 0.5)), **context}
        given = {"across": context, "one": self._one}.get(self._how)
        return {**study.recommend(given=given).params, **context}


def create(method: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Campaigner:
    return Campaigner(method.removeprefix("@"), parameters, seed)
