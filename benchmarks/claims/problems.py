"""Problems of six kinds whose truth is known: textbook functions exact and with noise, mixed, constrained, real.

Noise is a share of the function's standard deviation over its domain, and nobody is told how much there is. That
results are exact is said of the kind `exact`, and not elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.problems import lab, mixed
from benchmarks.problems.experiments import LAB
from benchmarks.problems.functions import ALL, Array, Problem
from benchmarks.problems.task import Params, knowgrad_space
from benchmarks.problems.textbook import TEXTBOOK
from knowgrad.space import Space, as_space

KINDS = ("exact", "noise 10 %", "noise 50 %", "mixed", "constrained", "real")
EXACT = ["branin", "goldstein2", "rosenbrock3", "styblinski3", "levy4", "shekel4", "ackley5", "hartmann6"]
LITTLE = ["camel2", "rastrigin2", "ridge4", "griewank4", "michalewicz5", "alpine5", "stiff6", "few8"]
MUCH = ["branin", "beale2", "cone3", "salomon3", "zakharov4", "shekel4", "bowl6", "hartmann6"]
CONSTRAINED = {  # on the unit cube, and the noise
    "branin": (("x1 + x2 >= 0.75", "x2 <= 0.7"), 0.0),
    "camel2": (("x1 - x2 <= -0.1",), 0.1),
    "styblinski3": (("x1 + x2 + x3 >= 1",), 0.1),
    "rosenbrock3": (("x1 + 2*x2 <= 1.4",), 0.0),
    "levy4": (("x1 + x2 + x3 + x4 <= 1.8", "x1 >= x2 - 0.3"), 0.1),
    "hartmann6": (("x1 + x2 + x3 + x4 + x5 + x6 <= 2",), 0.1),
}
MIXED = dict.fromkeys(mixed.PROBLEMS, (True, False)) | {"hartmann": (True,), "tuning": (True,)}  # noisy, exact
REAL_NOISE = {"arylation": 0.0, "crossed-barrel": 5.3, "p3ht": 86.0}  # within a point; of the others ACCURACY_SD
MANY = 20_000  # points that the best of a constrained problem is looked for among


@dataclass(frozen=True)
class Case:
    """One problem as one search sees it: the search's seed is part of it. Less is better."""

    space: Space
    truth: Callable[[Params], float]
    observe: Callable[[Params, int], float]
    optimum: float
    noise: float
    """Its true standard deviation."""
    said: float | str = "learned"
    """What the study is told of it."""


def names(kind: str) -> list[str]:
    """The problems of a kind."""
    listed = {
        "exact": [f"{name}, exact" for name in EXACT],
        "noise 10 %": [f"{name}, 10 %" for name in LITTLE],
        "noise 50 %": [f"{name}, 50 %" for name in MUCH],
        "mixed": [f"{name}, mixed{'' if noisy else ' exact'}" for name, both in MIXED.items() for noisy in both],
        "constrained": [f"{name}, constrained" for name in CONSTRAINED],
        "real": list(LAB),
    }
    return listed[kind]


def make(kind: str, problem: str, seed: int, data: Path | None) -> Case:
    name, _, rest = problem.partition(", ")
    if kind == "real":
        return _real(problem, seed, data)
    if kind == "mixed":
        return _mixed(name, rest == "mixed", seed)
    if kind == "constrained":
        constraints, share = CONSTRAINED[name]
        return _on_the_cube({**ALL, **TEXTBOOK}[name], share, seed, constraints)
    share = {"exact": 0.0, "noise 10 %": 0.1, "noise 50 %": 0.5}[kind]
    return _on_the_cube({**ALL, **TEXTBOOK}[name], share, seed)


def _on_the_cube(problem: Problem, share: float, seed: int, constraints: tuple[str, ...] = ()) -> Case:
    names = [f"x{i + 1}" for i in range(problem.d)]
    space = Space(dict.fromkeys(names, (0.0, 1.0)), constraints=constraints)

    def truth(params: Params) -> float:
        return float(problem.f(np.array([[params[name] for name in names]]))[0])

    sd = share * problem.sd
    optimum = lowest(problem.name, constraints) if constraints else problem.optimum
    said: float | str = 0.0 if share == 0.0 and not constraints else "learned"
    return Case(space, truth, _noisy(truth, sd, seed), optimum, sd, said)


@cache
def lowest(name: str, constraints: tuple[str, ...]) -> float:
    """The best of many points of the domain, and of what random steps from the best of them find."""
    problem = {**ALL, **TEXTBOOK}[name]
    space = Space({f"x{i + 1}": (0.0, 1.0) for i in range(problem.d)}, constraints=constraints)
    rng = np.random.default_rng(0)
    U = space.sample(MANY, rng)
    for width in np.geomspace(0.1, 1e-7, 80):
        top = U[np.argsort(problem.f(U))[:10]]
        steps: Array = space.project(np.repeat(top, 20, axis=0) + width * rng.normal(size=(200, problem.d)))
        U = np.vstack([top, steps[space.contains(steps)]])
    return float(problem.f(U).min())


def _mixed(name: str, noisy: bool, seed: int) -> Case:
    problem = mixed.PROBLEMS[name]
    sd = problem.noise if noisy else 0.0
    observe = _noisy(problem.function, sd, seed)
    return Case(as_space(knowgrad_space(problem.parameters)), problem.function, observe, problem.optimum(), sd)


def _real(problem: str, seed: int, data: Path | None) -> Case:
    task = lab.make(problem, 0.0, seed, data, "")
    sd = REAL_NOISE.get(problem, lab.ACCURACY_SD)
    space = as_space(knowgrad_space(task.parameters))
    return Case(space, task.truth, lambda params, k: task.evaluate(params, k)[0], 0.0, sd)


def _noisy(truth: Callable[[Params], float], sd: float, seed: int) -> Callable[[Params, int], float]:
    """Evaluation k of a seed gets the same noise whichever point it is of."""
    return lambda params, k: truth(params) + sd * float(np.random.default_rng([seed, 1, k]).standard_normal())
