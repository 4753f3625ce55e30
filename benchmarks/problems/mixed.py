"""Problems with whole numbers, steps and choices whose optimum is known by enumeration.

* `branin`: Branin in x and the whole number n; the choice moves the valleys and lifts the surface.
* `hartmann`: Hartmann6 with two columns on six levels and one behind four options in no order.
* `tuning`: validation error of a network: units on a log scale, layers, optimiser, step size on a log scale, dropout.
* `table`: 5,280 recipes of two counts, two choices and a step: main effects, interactions, ruggedness.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.optimize import minimize

from benchmarks.problems.task import Parameter, Params
from knowgrad.problems import BRANIN, HARTMANN6

Function = Callable[[Params], float]


@dataclass(frozen=True)
class Mixed:
    """A function of mixed parameters, the spread of the noise that hides it, and its least value."""

    parameters: tuple[Parameter, ...]
    function: Function
    noise: float
    optimum: Callable[[], float]


SHIFT = {"a": (0.0, 3.0), "b": (2.0, 1.0), "c": (-1.5, 0.0), "d": (4.0, 2.0)}


def branin(params: Params) -> float:
    shift, lift = SHIFT[params["kind"]]
    return BRANIN({"x1": params["x"] + 0.4 * shift, "x2": params["n"]}) + lift


LEVELS = {"red": 0.85, "green": 0.15, "blue": 0.66, "grey": 0.4}  # no order in the names


def hartmann(params: Params) -> float:
    row = [params["x1"], params["x2"], params["x3"], params["n4"] / 5, params["n5"] / 5, LEVELS[params["kind"]]]
    return HARTMANN6({f"x{i + 1}": value for i, value in enumerate(row)})


# name: best log10 step size, error, how much a wrong step size hurts
OPTIMISERS = {
    "sgd": (-1.0, 0.10, 1.0),
    "momentum": (-2.0, 0.04, 0.8),
    "adam": (-3.0, 0.0, 0.4),
    "rmsprop": (-3.3, 0.03, 1.2),
}


def tuning(params: Params) -> float:
    best, error, price = OPTIMISERS[params["optimiser"]]
    size, layers = math.log2(params["units"]), params["layers"]
    capacity = size + 1.5 * layers - 10.3
    best -= 0.1 * (size - 5)  # wide networks want small steps
    drop = 0.05 + 0.04 * size  # and more dropout
    gap = math.log10(params["step"]) - best
    return (
        error
        + 0.02 * capacity**2
        + 0.03 * (layers - 2) ** 2 * (1.5 if params["optimiser"] == "sgd" else 1.0)
        + 0.2 * price * (1 - math.exp(-(gap**2)))
        + 0.3 * (params["dropout"] - drop) ** 2
    )


CATALYSTS, SOLVENTS = ("Pd", "Ni", "Cu", "Fe"), ("DMF", "THF", "water")


@cache
def effects() -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(20)
    return rng.normal(size=4), rng.normal(size=3), rng.normal(size=(4, 3)), rng.uniform(size=(4, 3)), rng.normal(size=5)


def table(params: Params) -> float:
    """What recipe gives which yield, made up once and for all."""
    one, two, both, where, lean = effects()
    k, s = CATALYSTS.index(params["catalyst"]), SOLVENTS.index(params["solvent"])
    heat, acid, share = params["heat"] / 7, params["acid"] / 4, params["share"]
    ideal = where[k, s]
    bowl = 4 * (heat - ideal) ** 2 + 2 * (acid - 0.5 - 0.3 * lean[k]) ** 2 + 3 * (share - 0.6 * heat - 0.2) ** 2
    rugged = 0.15 * math.cos(9 * heat + 7 * share + k) + 0.1 * math.cos(5 * acid + 11 * share * s)
    return float(0.5 * one[k] + 0.4 * two[s] + 0.6 * both[k, s] + bowl + rugged)


def values(p: Parameter) -> Iterable[float | str]:
    """All values of a parameter that has only so many."""
    if p.options:
        return p.options
    if p.integer:
        return range(round(p.low), round(p.high) + 1)
    assert p.step is not None
    return [round(p.low + i * p.step, 9) for i in range(round((p.high - p.low) / p.step) + 1)]


def enumerated(function: Function, parameters: tuple[Parameter, ...], grid: int = 9) -> float:
    """The least value: over all levels and options, and by descent from a grid over what is continuous."""
    flat = [p for p in parameters if not (p.options or p.integer or p.step)]
    rest = [p for p in parameters if p not in flat]
    bounds = [(math.log10(p.low), math.log10(p.high)) if p.log else (p.low, p.high) for p in flat]
    axes = [np.linspace(low, high, grid) for low, high in bounds]
    best = []
    for levels in itertools.product(*map(values, rest)):
        fixed = dict(zip((p.name for p in rest), levels, strict=True))

        def at(x: Iterable[float], fixed: Params = fixed) -> float:
            free = {p.name: 10.0**v if p.log else v for p, v in zip(flat, x, strict=True)}
            return function({**fixed, **free})

        best.append((*min((at(x), x) for x in itertools.product(*axes)), at))
    finalists = sorted(best, key=lambda entry: entry[0])[:40]
    if not flat:
        return float(finalists[0][0])
    runs = [minimize(at, x, bounds=bounds, options={"ftol": 1e-15, "gtol": 1e-10}).fun for _, x, at in finalists]
    return float(min(runs))


def made(function: Function, noise: float, *parameters: Parameter) -> Mixed:
    return Mixed(parameters, function, noise, cache(lambda: enumerated(function, parameters)))


PROBLEMS = {
    "branin": made(
        branin,
        2.0,
        Parameter("x", -5.0, 8.0),
        Parameter("n", 0, 15, integer=True),
        Parameter("kind", options=tuple(SHIFT)),
    ),
    "hartmann": made(
        hartmann,
        0.2,
        *(Parameter(f"x{i}") for i in (1, 2, 3)),
        *(Parameter(f"n{i}", 0, 5, integer=True) for i in (4, 5)),
        Parameter("kind", options=tuple(LEVELS)),
    ),
    "tuning": made(
        tuning,
        0.03,
        Parameter("units", 4, 1024, integer=True, log=True),
        Parameter("layers", 1, 6, integer=True),
        Parameter("optimiser", options=tuple(OPTIMISERS)),
        Parameter("step", 1e-5, 1.0, log=True),
        Parameter("dropout", 0.0, 0.8),
    ),
    "table": made(
        table,
        0.3,
        Parameter("heat", 0, 7, integer=True),
        Parameter("acid", 0, 4, integer=True),
        Parameter("share", 0.0, 1.0, step=0.1),
        Parameter("catalyst", options=CATALYSTS),
        Parameter("solvent", options=SOLVENTS),
    ),
}
