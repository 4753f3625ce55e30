"""Measured data in spaces that are no boxes: what exists is asked for, and what is said about options is passed on."""

import numpy as np
import pytest

import knowgrad as kg
from benchmarks.peers import PEERS
from benchmarks.problems import spaces
from benchmarks.problems.images import DataError
from benchmarks.problems.task import Blended, Listed, Parameter, clean, knowgrad_space, start

ROWS = [{"a": a / 10, "b": 1 - a / 10} for a in range(0, 11, 2)]


def test_a_list_is_the_space_and_the_nearest_row_stands_in():
    listed = Listed((Parameter("a"), Parameter("b")), ROWS)
    assert knowgrad_space(listed) == kg.Candidates(ROWS, features=["a", "b"])
    assert clean({"a": 0.5, "b": 0.2}, listed) == ROWS[4]  # 5/7 of a
    assert all(point in ROWS for point in start(listed, 0))


def test_a_mixture_adds_up_whoever_asks():
    mixed = Blended((Parameter("a", 15.0, 100.0), Parameter("b", 0.0, 85.0), Parameter("c", 0.0, 85.0)), 100.0)
    assert knowgrad_space(mixed).n_params == 2
    found = clean({"a": 0.0, "b": 85.0, "c": 85.0}, mixed)
    assert found == {"a": pytest.approx(15.0), "b": pytest.approx(42.5), "c": pytest.approx(42.5)}
    assert all(sum(point.values()) == pytest.approx(100.0) for point in start(mixed, 0))


def test_oxides_are_looked_up_in_millivolts(tmp_path):
    folder = tmp_path / "lab/olympus/oer_plate_3496"
    folder.mkdir(parents=True)
    parts = np.random.default_rng(0).dirichlet(np.ones(6), 20).round(3)
    np.savetxt(folder / "data.csv", np.column_stack([parts, np.linspace(0.3, 0.5, 20)]), delimiter=",")
    task = spaces.make("oer", 0.0, 0, tmp_path, "")
    assert task.truth(clean(dict(zip(spaces.METALS, parts[0], strict=True)), task.parameters)) == pytest.approx(0.0)
    assert task.truth(clean(dict(zip(spaces.METALS, parts[-1], strict=True)), task.parameters)) == pytest.approx(200.0)
    with pytest.raises(DataError):
        spaces.make("oer", 0.0, 0, tmp_path / "nowhere", "")


def test_descriptors_reach_the_choice():
    p = Parameter("solvent", options=("x", "y"), features=((1.0,), (2.0,)))
    assert knowgrad_space((p,)) == {"solvent": kg.Choice(["x", "y"], features=[[1.0], [2.0]])}
    assert "baybe" in PEERS
