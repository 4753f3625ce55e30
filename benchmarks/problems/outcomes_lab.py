"""Measured reactions with two outcomes, both to be maximised; what is minimised are their negatives.

    suzuki-table      conversion and selectivity of 352 reactions, all measured: a look-up (EDBO+, Torres et al. 2022)
    suzuki-emulated   yield and turnover: a forest on 89 measured reactions (Olympus, Häse et al. 2021)

The files are not part of the project: `DIR/lab` holds them as their publishers name them. Hypervolumes are measured
from zero of both outcomes. The true front is that of the table, or that of many points of the forest.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.problems.lab import file_of, rows_of
from benchmarks.problems.outcomes import Array, Problem, volume

CHOICES = ("ligand", "base", "solvent")
RANGES = ((60.0, 600.0), (30.0, 110.0), (0.498, 2.515))  # seconds, degrees, percent of the catalyst
LIGANDS, MANY = 8, 20_000
CORNER = (0.0, 0.0)


@cache
def suzuki_table(data: Path | None) -> Problem:
    rows = rows_of(data, "suzuki_two_outcomes.csv")
    options = [sorted({row[name] for row in rows}) for name in CHOICES]
    table = np.full([len(each) for each in options], np.nan)[..., None].repeat(2, axis=-1)
    for row in rows:
        place = tuple(each.index(row[name]) for each, name in zip(options, CHOICES, strict=True))
        table[place] = -float(row["objective_conversion"]), -float(row["objective_selectivity"])

    def values(X: Array) -> Array:
        return np.asarray(table[tuple(np.round(X).astype(int).T)])

    bounds = tuple((0.0, len(each) - 1.0) for each in options)
    best = volume(table.reshape(-1, 2), np.array(CORNER))
    sizes = tuple(len(each) for each in options)
    return Problem("suzuki-table", bounds, 2, 0, values, reference=CORNER, volume=best, choices=sizes)


@cache
def suzuki_emulated(data: Path | None) -> Problem:
    from sklearn.ensemble import RandomForestRegressor

    with file_of(data, "olympus/suzuki_i/data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    X = np.array([[float(row[0][1:]), *map(float, row[1:4])] for row in rows])
    forest = RandomForestRegressor(300, random_state=0).fit(encoded(X), [[float(y) for y in row[4:]] for row in rows])

    def values(X: Array) -> Array:
        return -np.asarray(forest.predict(encoded(X)))

    bounds = ((0.0, LIGANDS - 1.0), *RANGES)
    problem = Problem("suzuki-emulated", bounds, 2, 0, values, reference=CORNER, choices=(LIGANDS, 0, 0, 0))
    Y = problem.values(problem.real(problem.snapped(np.random.default_rng(0).random((MANY, 4)))))
    return problem.with_volume(volume(Y, np.array(CORNER)))


def encoded(X: Array) -> Array:
    """A column for each ligand, and the numbers."""
    return np.hstack([np.round(X[:, :1]) == np.arange(LIGANDS), X[:, 1:]])


LAB = {"suzuki-table": suzuki_table, "suzuki-emulated": suzuki_emulated}
