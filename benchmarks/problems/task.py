"""What is optimized: named numbers in ranges, and what one evaluation gives. The only words optimizers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

Params = dict[str, Any]


@dataclass(frozen=True)
class Parameter:
    """A number between two bounds, both included; or, if there are `options`, one of these."""

    name: str
    low: float = 0.0
    high: float = 1.0
    integer: bool = False
    log: bool = False
    step: float | None = None
    options: tuple[str, ...] = ()


class Task(Protocol):
    """A function to minimize, as one run sees it: the run's seed is part of it."""

    parameters: tuple[Parameter, ...]
    noisy: bool
    """Two evaluations of one point may differ, for all that is said; how much is not."""
    optimum: float | None
    """The lowest true value, where it is known."""

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        """Evaluation number k of the run: what is observed, and the true value behind it."""

    def truth(self, params: Params) -> float:
        """The true value."""


def clean(params: Mapping[str, Any], parameters: Sequence[Parameter]) -> Params:
    """Plain Python numbers, inside the bounds, whole where they must be; options as they are."""
    cleaned: Params = {}
    for p in parameters:
        if p.options:
            cleaned[p.name] = str(params[p.name])
            continue
        value = min(max(float(params[p.name]), p.low), p.high)
        cleaned[p.name] = round(value) if p.integer else value
    return cleaned


def start(parameters: Sequence[Parameter], seed: int) -> list[Params]:
    """The Latin hypercube of 2d + 2 points that every method begins a run of this seed with."""
    from knowgrad.advisor.design import latin_hypercube
    from knowgrad.space import as_space

    space = as_space(knowgrad_space(parameters))
    rows = latin_hypercube(2 * len(parameters) + 2, space, np.random.default_rng([seed, 0]))
    return [clean(space.decode(row), parameters) for row in rows]


def knowgrad_space(parameters: Sequence[Parameter]) -> dict[str, Any]:
    from knowgrad import Choice, Float, Int

    def made(p: Parameter) -> Any:
        if p.options:
            return Choice(list(p.options))
        if p.integer:
            return Int(round(p.low), round(p.high), log=p.log)
        return Float(p.low, p.high, log=p.log, step=p.step)

    return {p.name: made(p) for p in parameters}
