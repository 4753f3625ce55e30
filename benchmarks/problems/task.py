"""What is optimized: named numbers in ranges, and what one evaluation gives. The only words optimizers share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
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
    features: tuple[tuple[float, ...], ...] = ()
    """Descriptors of the options, for those who can use them."""
    when: tuple[str, tuple[str, ...]] | None = None
    """It exists only where the parameter of this name, which comes before it, has one of these options."""

    weights: tuple[float, ...] = ()
    """Of its values, where an average over them counts; else they are equal."""

    @property
    def is_context(self) -> bool:
        return self.name == "base" or self.name.startswith("context")

    @property
    def values(self) -> tuple[Any, ...]:
        """Of options or of whole numbers."""
        return self.options or tuple(range(int(self.low), int(self.high) + 1))

    @property
    def weighted(self) -> list[tuple[Any, float]]:
        return list(zip(self.values, self.weights or (1.0,) * len(self.values), strict=True))

    def exists(self, params: Mapping[str, Any]) -> bool:
        return self.when is None or params.get(self.when[0]) in self.when[1]


def contexts_of(parameters: Iterable[Parameter]) -> list[tuple[Params, float]]:
    """All combinations of the values of contexts, with the share that each has in an average."""
    found = [p for p in parameters if p.is_context]
    rows = [([v for v, _ in row], math.prod(w for _, w in row)) for row in product(*(p.weighted for p in found))]
    total = sum(weight for _, weight in rows)
    return [(dict(zip([p.name for p in found], values, strict=True)), weight / total) for values, weight in rows]


class Listed(tuple[Parameter, ...]):
    """Parameters of which only these `rows` exist. Who asks for anything else is given the nearest one."""

    rows: list[Params]

    def __new__(cls, parameters: Iterable[Parameter], rows: list[Params]) -> Listed:
        made = super().__new__(cls, parameters)
        made.rows = rows
        return made

    def nearest(self, params: Mapping[str, Any]) -> Params:
        """By distance, once the parts add up as those of every row do."""
        table = np.array([[row[p.name] for p in self] for row in self.rows])
        point = np.array([float(params[p.name]) for p in self])
        point = point * table[0].sum() / max(point.sum(), 1e-12)
        return dict(self.rows[int(np.argmin(((table - point) ** 2).sum(axis=1)))])


class Blended(tuple[Parameter, ...]):
    """Parameters that add up to `total`. Who asks for anything else gets as much as it takes of the first one."""

    total: float

    def __new__(cls, parameters: Iterable[Parameter], total: float) -> Blended:
        made = super().__new__(cls, parameters)
        made.total = total
        return made


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
    """Plain Python numbers, inside the bounds, whole where they must be; options as they are; only what exists."""
    if isinstance(parameters, Listed):
        return parameters.nearest(params)
    cleaned: Params = {}
    for p in parameters:
        if not p.exists(cleaned):
            continue
        if p.options:
            cleaned[p.name] = str(params[p.name])
            continue
        value = min(max(float(params[p.name]), p.low), p.high)
        cleaned[p.name] = round(value) if p.integer else value
    if isinstance(parameters, Blended):
        first, *others = (p.name for p in parameters)
        least, given = parameters[0].low, sum(cleaned[name] for name in others)
        scale = min(1.0, (parameters.total - least) / max(given, 1e-12))
        cleaned |= {name: scale * cleaned[name] for name in others}
        cleaned[first] = parameters.total - sum(cleaned[name] for name in others)
    return cleaned


def start(parameters: Sequence[Parameter], seed: int) -> list[Params]:
    """The Latin hypercube of 2d + 2 points that every method begins a run of this seed with.

    Of parameters that exist only sometimes d counts as many as a point has on average.
    """
    from knowgrad.advisor.start.design import latin_hypercube
    from knowgrad.space import as_space

    space = as_space(knowgrad_space(parameters))
    usual = math.ceil(space.usual_params - 1e-9) if any(p.when for p in parameters) else len(parameters)
    rows = latin_hypercube(2 * usual + 2, space, np.random.default_rng([seed, 0]))
    return [clean(space.decode(row), parameters) for row in rows]


def random_start(parameters: Sequence[Parameter], count: int, seed: int) -> list[Params]:
    """So many different points, each as likely as any other."""
    from knowgrad.space import as_space

    space, found = as_space(knowgrad_space(parameters)), dict[str, Params]()
    rng = np.random.default_rng([seed, 2])
    while len(found) < count:
        point = clean(space.decode(space.sample(1, rng)[0]), parameters)
        found.setdefault(str(point), point)
    return list(found.values())


def knowgrad_space(parameters: Sequence[Parameter]) -> Any:
    from knowgrad import Candidates, Choice, Float, Int, Space

    def made(p: Parameter) -> Any:
        when = None if p.when is None else {p.when[0]: list(p.when[1])}
        if p.options:
            return Choice(list(p.options), features=p.features or None, when=when)
        if p.integer:
            return Int(round(p.low), round(p.high), log=p.log, when=when)
        return Float(p.low, p.high, log=p.log, step=p.step, when=when)

    if isinstance(parameters, Listed):
        return Candidates(parameters.rows, features=[p.name for p in parameters])
    box = {p.name: made(p) for p in parameters}
    if isinstance(parameters, Blended):
        return Space(box, constraints=[f"{' + '.join(box)} == {parameters.total}"])
    return box
