"""Campaigns as people run them: plates that share a setting, contexts, and averages over contexts.

    plates     arylation       all 1,728 reactions; three plates of 24 with one temperature each, against free points
    contexts   bases           the same reactions, the base being the context: the best for each of the four
    unlike     unlike          the same, but the ligands of the last base have changed their names
               three           the same without the last base
    averages   bases-mean      one recipe for all four bases
               branins         the root of Branin times Branin, x2 alone not ours to choose
    environment  williams      Branin times Branin, x2 and x3 not ours to choose, with the contexts and weights of
                               Williams, Santner & Notz (2000)
               hartmanns       Hartmann, six variables, the last not ours to choose

What is minimised is how far a result falls short of the best: of its context, or of the average. A method's value is
the average over the contexts of what it recommends for each. The methods are those of `peers/campaigners`, each with
its own start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.problems.lab import Array, Lab, _best, _yields, arylation
from benchmarks.problems.task import Parameter, Params, contexts_of
from knowgrad.problems import BRANIN, HARTMANN6

LEVELS = (0.2, 0.4, 0.6, 0.8)  # of the variable that is not ours to choose
CONTEXT = Parameter("context", 0, len(LEVELS) - 1, integer=True)
WILLIAMS = {"context2": (0.25, 0.5, 0.75), "context3": LEVELS}  # x2 and x3
WEIGHTS = {"context2": (0.25, 0.5, 0.25), "context3": (0.15, 0.35, 0.35, 0.15)}


class Own(Lab):
    """A task on which every method has its own start."""

    own_start = True


def plates(data: Path | None, seed: int) -> Own:
    free = arylation(data, seed)
    return Own(free.parameters, lambda p: -free.truth(p), 0.0, seed)


def contexts(data: Path | None, seed: int, unlike: bool, count: int = 4) -> Own:
    """How far a yield falls short of the best with its base, for so many of the bases."""
    free = arylation(data, seed)
    bases, ligands = free.parameters[0].options, free.parameters[1].options
    best: dict[str, float] = {}
    for (base, *_), value in _yields(data).items():
        best[base] = max(value, best.get(base, 0.0))
    top = max(best.values())
    names = dict(zip(ligands, np.random.default_rng([seed, 7]).permutation(ligands).tolist(), strict=True))

    def truth(p: Params) -> float:
        renamed = unlike and p["base"] == bases[-1]
        found = top - free.truth({**p, "ligand": names[p["ligand"]]} if renamed else p)
        return found - best[p["base"]]

    few = replace(free.parameters[0], options=bases[:count])
    return Own((few, *free.parameters[1:]), truth, 0.0, seed)


def bases_mean(data: Path | None, seed: int) -> Own:
    free = arylation(data, seed)
    sums: dict[tuple[str, ...], float] = {}
    for (_, *rest), value in _yields(data).items():
        sums[tuple(rest)] = sums.get(tuple(rest), 0.0) + value / len(free.parameters[0].options)
    top = max(_yields(data).values())
    return Own(free.parameters, lambda p: top - free.truth(p), max(sums.values()), seed)


def _branins(U: Array) -> Array:
    """Columns x1, x3, x4 and the variable x2 that is not ours."""
    first, second = np.stack([U[:, 0], U[:, 3]], axis=1), U[:, 1:3]
    product = BRANIN.values(15 * first - [5, 0]) * BRANIN.values(15 * second - [5, 0])
    return np.asarray(np.sqrt(product))


FUNCTIONS: dict[str, tuple[Callable[[Array], Array], int]] = {
    "branins": (_branins, 3),
    "hartmanns": (HARTMANN6.values, 5),
}


@cache
def _best_average(problem: str) -> float:
    f, d = FUNCTIONS[problem]
    controls = tuple(Parameter(f"x{i}", 0.0, 1.0) for i in range(d))

    def average(U: Array) -> Array:
        each = [f(np.hstack([U, np.full((len(U), 1), level)])) for level in LEVELS]
        return -np.mean(each, axis=0)

    return _best(controls, average)


def textbook(problem: str, seed: int) -> Own:
    f, d = FUNCTIONS[problem]
    names = [f"x{i}" for i in range(d)]

    def truth(p: Params) -> float:
        point = [*(p[name] for name in names), LEVELS[round(p["context"])]]
        return -float(f(np.array([point]))[0])

    return Own((*(Parameter(name, 0.0, 1.0) for name in names), CONTEXT), truth, _best_average(problem), seed)


def _williams(x1: Array, x2: Array, x3: Array, x4: Array) -> Array:
    first, second = np.stack([x1, x2], axis=1), np.stack([x3, x4], axis=1)
    return np.asarray(BRANIN.values(15 * first - [5, 0]) * BRANIN.values(15 * second - [5, 0]))


def _at(params: Params, name: str) -> float:
    return WILLIAMS[name][round(params[name])]


@cache
def _best_williams(parameters: tuple[Parameter, ...]) -> float:
    contexts = [(_at(at, "context2"), _at(at, "context3"), share) for at, share in contexts_of(parameters)]

    def average(U: Array) -> Array:
        each = [share * _williams(U[:, 0], 0 * U[:, 0] + x2, 0 * U[:, 0] + x3, U[:, 1]) for x2, x3, share in contexts]
        return -np.sum(each, axis=0)

    return _best(parameters[:2], average)


def williams(seed: int) -> Own:
    environment = (Parameter(k, 0, len(v) - 1, integer=True, weights=WEIGHTS[k]) for k, v in WILLIAMS.items())
    parameters = (Parameter("x1", 0.0, 1.0), Parameter("x4", 0.0, 1.0), *environment)

    def truth(p: Params) -> float:
        columns = (p["x1"], _at(p, "context2"), _at(p, "context3"), p["x4"])
        return -float(_williams(*(np.array([column]) for column in columns))[0])

    return Own(parameters, truth, _best_williams(parameters), seed)


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Own:
    if problem in FUNCTIONS:
        return textbook(problem, seed)
    if problem == "williams":
        return williams(seed)
    if problem in ("bases", "unlike", "three"):
        return contexts(data, seed, problem == "unlike", 3 if problem == "three" else 4)
    return plates(data, seed) if problem == "arylation" else bases_mean(data, seed)
