"""Who chooses points in a simulation: q-KG for all workers together, Optuna's samplers for each worker by itself."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol

from knowgrad import Study
from knowgrad.log.crowd import TOGETHER

Params = dict[str, float]
Space = dict[str, tuple[float, float]]


class Contender(Protocol):
    """`joint`: one choice at a time, for all who wait; else every worker computes its own, at the same time."""

    joint: bool

    def ask(self, k: int) -> list[tuple[Hashable, Params]]: ...
    def tell(self, key: Any, value: float) -> None: ...
    def best(self) -> Params: ...


class Ours:
    """As `log/dispatch` does it in a crowd: eight by eight, each with those before pending."""

    joint = True

    def __init__(self, space: Space, seed: int) -> None:
        self._study = Study(space, seed=seed)

    def ask(self, k: int) -> list[tuple[Hashable, Params]]:
        sizes = [TOGETHER] * (k // TOGETHER) + [k % TOGETHER] * bool(k % TOGETHER)
        trials = [trial for size in sizes for trial in self._study.ask(size)]
        return [(trial.number, dict(trial.params)) for trial in trials]

    def tell(self, key: Any, value: float) -> None:
        self._study.tell(key, value, check=False)

    def best(self) -> Params:
        return dict(self._study.recommend().params)


class Optuna:
    """With the settings that Optuna recommends for running trials; what is taken home is the best observed."""

    joint = False

    def __init__(self, space: Space, seed: int, sampler: str) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        made: optuna.samplers.BaseSampler
        if sampler == "gp":
            made = optuna.samplers.GPSampler(seed=seed)
        else:
            made = optuna.samplers.TPESampler(seed=seed, constant_liar=True, multivariate=True)
        self._study = optuna.create_study(sampler=made)
        self._space = {name: optuna.distributions.FloatDistribution(low, high) for name, (low, high) in space.items()}

    def ask(self, k: int) -> list[tuple[Hashable, Params]]:
        trials = [self._study.ask(self._space) for _ in range(k)]
        return [(trial.number, dict(trial.params)) for trial in trials]

    def tell(self, key: Any, value: float) -> None:
        self._study.tell(key, value)

    def best(self) -> Params:
        return dict(self._study.best_params)


def contender(name: str, space: Space, seed: int) -> Contender:
    """By name: qkg, gp or tpe."""
    return Ours(space, seed) if name == "qkg" else Optuna(space, seed, name)
