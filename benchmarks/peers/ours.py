"""knowgrad's own methods, through `Study` as a user would drive it.

"qei+mle" is `method="qei", fit="mle"`; "qkg:samples=128,verify_minimum=False" is `method=QKG(samples=128, …)`.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import knowgrad
from benchmarks.peers import digest
from benchmarks.problems.task import Parameter, Params, knowgrad_space
from knowgrad import Study
from knowgrad.acquisition.methods import resolve


class Ours:
    def __init__(self, method: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> None:
        space, noise = knowgrad_space(parameters), "learned" if noisy else 0
        name, _, fit = method.partition("+")
        self._study = Study(space, seed=seed, noise=noise, method=with_options(name), fit=fit or None)

    def add(self, points: Sequence[Params], values: Sequence[float]) -> None:
        for params, value in zip(points, values, strict=True):
            self._study.add(params, value)

    def replay(self, points: Sequence[Params], values: Sequence[float]) -> None:
        """A batch that was asked and told before the run was stopped."""
        for params in points:
            self._study.enqueue(params)
        self._study.ask(len(points))
        self.tell(values)

    def ask(self, q: int) -> list[Params]:
        return [dict(trial.params) for trial in self._study.ask(q)]

    def tell(self, values: Sequence[float]) -> None:
        for trial, value in zip(self._study.pending, values, strict=True):
            self._study.tell(trial, value)

    def recommend(self) -> Params | None:
        return dict(self._study.recommend().params)


def with_options(text: str) -> object:
    """The name of a method as it is, or with `NAME:OPTION=VALUE,…` the method that has these options."""
    name, _, options = text.partition(":")
    if not options:
        return name
    values = dict(option.split("=", 1) for option in options.split(","))
    return replace(resolve(name), **{option: literal_eval(value) for option, value in values.items()})


APART = ("cli", "integrations", "plots", "runner", "storage", "views", "web")  # folders that choose no point


@cache
def fingerprint() -> str:
    """The version and a hash of the source that points depend on: runs of different code are not to be mixed."""
    root = Path(knowgrad.__file__).parent
    files = sorted(path for path in root.rglob("*.py") if path.relative_to(root).parts[0] not in APART)
    return f"{knowgrad.__version__}+{digest(root, files)}"


def create(method: str, parameters: tuple[Parameter, ...], seed: int, noisy: bool) -> Ours:
    return Ours(method, parameters, seed, noisy)
