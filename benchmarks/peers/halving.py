"""Peers that stop trainings early: Optuna's TPE with Hyperband, and ASHA and BOHB of Syne Tune.

Each reports at its own rungs, and recommends the best of the longest trainings. BOHB is Syne Tune's: densities as in
the paper, asynchronous halving. All see the settings as numbers from 0 to 1, on their scales.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from benchmarks.problems.lab import EPOCHS, LCBENCH

RUNGS = (1, 3, 9, 27, EPOCHS)
Params = dict[str, Any]


class Task(Protocol):
    start: int
    spent: float

    def train(self, params: Params, epochs: int, at: tuple[int, ...]) -> Iterator[tuple[int, float, float]]: ...
    def truth(self, params: Params) -> float: ...


def settings(each: dict[str, float]) -> Params:
    """From numbers between 0 and 1."""
    found: Params = {}
    for p in LCBENCH:
        u = each[p.name]
        x = p.low * (p.high / p.low) ** u if p.log else p.low + u * (p.high - p.low)
        found[p.name] = round(x) if p.integer else x
    return found


class Longest:
    """The best of the longest trainings."""

    def __init__(self) -> None:
        self._best: tuple[int, float] = (0, 0.0)
        self.params: Params = {}

    def see(self, params: Params, at: int, value: float) -> None:
        if (at, value) > self._best:
            self._best, self.params = (at, value), params


def hyperband(trainings: Task, budget: float) -> Iterator[float]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    pruner = optuna.pruners.HyperbandPruner(1, EPOCHS, 3)
    sampler = optuna.samplers.TPESampler(seed=trainings.start)
    study = optuna.create_study(direction="maximize", sampler=sampler, pruner=pruner)
    longest = Longest()
    while trainings.spent < budget:
        trial = study.ask()
        params = settings({p.name: trial.suggest_float(p.name, 0.0, 1.0) for p in LCBENCH})
        for at, value, _ in trainings.train(params, EPOCHS, RUNGS):
            trial.report(value, at)
            longest.see(params, at, value)
            if at < EPOCHS and trial.should_prune():
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
                break
        else:
            study.tell(trial, value)
        yield trainings.truth(longest.params)


def _syne_tune(name: str, **options: Any) -> Callable[[Task, float], Iterator[float]]:
    def search(trainings: Task, budget: float) -> Iterator[float]:
        from datetime import datetime

        from syne_tune.backend.trial_status import Trial
        from syne_tune.config_space import uniform
        from syne_tune.optimizer import baselines
        from syne_tune.optimizer.scheduler import SchedulerDecision

        np.random.seed(trainings.start)  # noqa: NPY002 - its random points are from there
        kind = getattr(baselines, name)
        place = {p.name: uniform(0.0, 1.0) for p in LCBENCH}
        told = {"time_attr": "epoch", "max_t": EPOCHS, "do_minimize": False, "random_seed": trainings.start}
        scheduler = kind(place, "accuracy", **told, **options)
        longest, number = Longest(), 0
        while trainings.spent < budget:
            trial = Trial(number, scheduler.suggest().config, datetime(2026, 1, 1))
            scheduler.on_trial_add(trial)
            params, number = settings(trial.config), number + 1
            for at, value, _ in trainings.train(params, EPOCHS, RUNGS):
                longest.see(params, at, value)
                result = {"accuracy": value, "epoch": at}
                if at == EPOCHS:
                    scheduler.on_trial_complete(trial, result)
                elif scheduler.on_trial_result(trial, result) == SchedulerDecision.STOP:
                    break
            yield trainings.truth(longest.params)

    return search


asha = _syne_tune("ASHA")
bohb = _syne_tune("BOHB", num_min_data_points=len(LCBENCH) + 1)  # d + 1, as in the paper; by default it waits for 54
