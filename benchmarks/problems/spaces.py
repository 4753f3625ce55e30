"""Measured experiments whose spaces are no boxes: descriptors, a list of candidates, a mixture.

arylation-described   the reactions of `lab` with Mordred descriptors of bases, ligands and solvents
arylation-shuffled    the same, with the rows of these tables in another order for every run: they say nothing
oer                   overpotential in mV of 2,121 oxides of six metals: a list (Olympus, plate 3496)
p3ht-mixture          the blends of `lab` as five components that add up to 100
p3ht-left-out         the same as four of them: the first takes what they leave
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems.lab import Lab, _blends, _normal, arylation, file_of, p3ht, rows_of
from benchmarks.problems.task import Blended, Listed, Parameter, Params

METALS = ("ni", "fe", "co", "mn", "ce", "la")
BLENDS = ("P3HT", "D1", "D2", "D6", "D8")


@cache
def _described(data: Path | None, kind: str) -> dict[str, tuple[float, ...]]:
    """Descriptors by SMILES: those columns that are numbers for all."""
    rows = rows_of(data, f"arylation/{kind}_mordred.csv")
    key, *names = rows[0]
    numeric = [name for name in names if all(_is_number(row[name]) for row in rows)]
    return {row[key]: tuple(float(row[name]) for name in numeric) for row in rows}


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def described(data: Path | None, seed: int, shuffled: bool) -> Lab:
    task, rng = arylation(data, seed), np.random.default_rng([seed, 7])

    def with_table(p: Parameter) -> Parameter:
        table = [_described(data, p.name)[option] for option in p.options]
        order = rng.permutation(len(table)) if shuffled else range(len(table))
        return replace(p, features=tuple(table[i] for i in order))

    task.parameters = tuple(with_table(p) if p.options else p for p in task.parameters)
    return task


@cache
def _oxides(data: Path | None) -> NDArray[np.float64]:
    return np.loadtxt(file_of(data, "olympus/oer_plate_3496/data.csv"), delimiter=",")


def oer(data: Path | None, seed: int) -> Lab:
    table = _oxides(data)
    rows = [dict(zip(METALS, map(float, row[:-1]), strict=True)) for row in table]
    values = {tuple(row.values()): -1000.0 * float(value) for row, value in zip(rows, table[:, -1], strict=True)}

    def truth(p: Params) -> float:
        return values[tuple(p[name] for name in METALS)]

    parameters = Listed((Parameter(name, 0.0, 1.0) for name in METALS), rows)
    return Lab(parameters, truth, max(values.values()), seed)


def blends(data: Path | None, seed: int) -> Lab:
    """The best is that of `lab`, found by a long search over four of the components."""

    X, predict, sd = _blends(data)
    ends = zip(BLENDS, X.min(axis=0), X.max(axis=0), strict=True)
    parameters = Blended((Parameter(name, float(low), float(high)) for name, low, high in ends), 100.0)

    def truth(p: Params) -> float:
        return float(predict(np.array([[p[name] for name in BLENDS]]))[0])

    return Lab(parameters, truth, p3ht(data, seed)._best, seed, _normal(truth, sd))


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Lab:
    if problem == "oer":
        return oer(data, seed)
    if problem == "p3ht-mixture":
        return blends(data, seed)
    if problem == "p3ht-left-out":
        return p3ht(data, seed)
    return described(data, seed, shuffled=problem == "arylation-shuffled")
