"""Measured data as tasks: look-ups are exact, repeats are drawn, emulators have the noise of the repeats."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from benchmarks.problems import lab
from benchmarks.problems.images import DataError
from benchmarks.problems.task import clean, start


def write(path: Path, head: list[str], rows: list[list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])


@pytest.fixture
def reactions(tmp_path):
    head = ["Base_SMILES", "Ligand_SMILES", "Solvent_SMILES", "Concentration", "Temp_C", "yield"]
    combinations = product(
        ["b1", "b2"], ["l1", "l2", "l3"], ["s1", "s2"], ["0.057", "0.1", "0.153"], ["90", "105", "120"]
    )
    write(tmp_path / "lab/arylation/yields.csv", head, [[*each, i] for i, each in enumerate(combinations)])
    return tmp_path


def test_a_look_up_says_how_far_a_yield_is_from_the_best(reactions):
    task = lab.make("arylation", 0.0, 0, reactions, "")
    points = start(task.parameters, 0)
    assert len(points) == 12
    assert all(task.evaluate(point, k) == (task.truth(point),) * 2 for k, point in enumerate(points))
    best = {"base": "b2", "ligand": "l3", "solvent": "s2", "concentration": 2, "temperature": 120.0}
    assert task.truth(clean(best, task.parameters)) == 0.0
    assert task.truth({**best, "temperature": 105.0}) == 1.0
    assert task.truth({**best, "concentration": 1}) == 3.0


def test_repeats_of_the_nearest_design_are_drawn(tmp_path):
    designs = [(n, theta, r, t) for n in (6, 12) for theta in (0, 200) for r in (1.5, 2.5) for t in (0.7, 1.4)]
    rows = [[*each, 10 * i + d] for i, each in enumerate(designs) for d in (-1, 0, 1)]
    write(tmp_path / "lab/crossed_barrel.csv", ["n", "theta", "r", "t", "toughness"], rows)
    task = lab.make("crossed-barrel", 0.0, 3, tmp_path, "")
    near = {"n": 8.0, "theta": 25.0, "r": 1.6, "t": 0.7}
    assert task.truth(near) == 150.0
    seen = {task.evaluate(near, k)[0] for k in range(30)}
    assert seen == {149.0, 150.0, 151.0}
    assert task.evaluate(near, 4) == task.evaluate(near, 4)


def test_blends_are_brought_to_a_hundred_and_are_as_noisy_as_repeats(tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "_best", lambda parameters, truth: 100.0)  # a long search, and no matter here
    rng = np.random.default_rng(0)
    parts = rng.dirichlet(np.ones(5), 40) * 85
    parts[:, 0] += 15
    head = ["P3HT content (%)", *(f"D{i} content (%)" for i in (1, 2, 6, 8)), "Conductivity (measured) (S/cm)"]
    rows = [[*x, x[1] + 2.0 * rng.standard_normal()] for x in np.repeat(parts, 3, axis=0)]
    write(tmp_path / "lab/p3ht.csv", head, rows)
    task = lab.make("p3ht", 0.0, 0, tmp_path, "")
    full = {p.name: p.high for p in task.parameters}
    least = 100.0 - parts[:, 0].min()
    scaled = {name: value * least / sum(full.values()) for name, value in full.items()}
    assert task.truth(full) == pytest.approx(task.truth(scaled))
    noise = [observed - true for observed, true in (task.evaluate(full, k) for k in range(40))]
    assert np.std(noise) == pytest.approx(2.0, rel=0.4)


def test_missing_files_are_said_to_be_missing_and_where_they_belong(tmp_path):
    with pytest.raises(DataError, match=r"arylation/yields.csv belongs in DIR/lab; pass --data DIR"):
        lab.make("arylation", 0.0, 0, tmp_path / "nothing", "")
