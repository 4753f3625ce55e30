"""Plates, contexts and averages as benchmarks: what is measured, and that every contender keeps to its rules."""

import csv
from itertools import product

import pytest

from benchmarks.peers.campaigners import create
from benchmarks.problems import settings
from benchmarks.problems.task import contexts_of

HEAD = ["Base_SMILES", "Ligand_SMILES", "Solvent_SMILES", "Concentration", "Temp_C", "yield"]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "lab/arylation/yields.csv"
    path.parent.mkdir(parents=True)
    rows = product(["b1", "b2"], ["l1", "l2", "l3"], ["s1", "s2"], ["0.057", "0.1", "0.153"], ["90", "105", "120"])
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([HEAD, *([*each, i] for i, each in enumerate(rows))])
    return tmp_path


def asked(method, task, q, times=1):
    player, points = create(method, task.parameters, 0, True), []
    for _ in range(times):
        points = player.ask(q)
        player.tell([task.evaluate(point, k)[0] for k, point in enumerate(points)])
    return player, points


def test_plates_have_one_temperature(data):
    task = settings.make("arylation", 0.0, 0, data, "")
    for method in ("@plate", "@any-plate"):
        player, points = asked(method, task, 6)
        assert len({point["temperature"] for point in points}) == 1
        assert task.truth(player.recommend()) >= 0.0


def test_each_context_has_its_best(data):
    task = settings.make("bases", 0.0, 0, data, "")
    top = {"ligand": "l3", "solvent": "s2", "concentration": 2, "temperature": 120.0}
    assert [task.truth({"base": base, **top}) for base in ("b1", "b2")] == [0.0, 0.0]
    unlike = settings.make("unlike", 0.0, 0, data, "")
    assert unlike.truth({"base": "b1", **top}) == 0.0
    assert min(unlike.truth({"base": "b2", **top, "ligand": ligand}) for ligand in ("l1", "l2", "l3")) == 0.0
    for method in ("@across", "@apart"):
        player, points = asked(method, task, 2, times=2)
        assert {point["base"] for point in points} == {"b2"}
        assert [params["base"] for params in player.recommend()] == ["b1", "b2"]


def test_an_average_is_of_all_contexts(data):
    task = settings.make("bases-mean", 0.0, 0, data, "")
    top = {"ligand": "l3", "solvent": "s2", "concentration": 2, "temperature": 120.0}
    assert [task.truth({"base": base, **top}) for base in ("b1", "b2")] == [27.0, -27.0]
    for method in ("@average", "@one", "@drawn"):
        player, points = asked(method, task, 3)
        recipes = [{**params, "base": None} for params in player.recommend()]
        assert recipes[0] == recipes[1]
        assert {point["base"] for point in points} <= ({"b1"} if method == "@one" else {"b1", "b2"})


def test_without_the_unlike_context_the_others_are_as_they_were(data):
    unlike, fewer = (settings.make(name, 0.0, 0, data, "") for name in ("unlike", "three"))
    assert fewer.parameters[0].options == unlike.parameters[0].options[:3]
    assert fewer.parameters[1:] == unlike.parameters[1:]
    point = {"base": "b1", "ligand": "l1", "solvent": "s1", "concentration": 0, "temperature": 90.0}
    assert fewer.truth(point) == unlike.truth(point)


def test_the_contexts_of_williams_have_their_weights():
    task = settings.make("williams", 0.0, 0, None, "")
    contexts = contexts_of(task.parameters)
    assert len(contexts) == 12
    assert sum(share for _, share in contexts) == pytest.approx(1.0)
    assert contexts[0] == ({"context2": 0, "context3": 0}, pytest.approx(0.0375))
    best = min(
        sum(share * task.truth({"x1": x1, "x4": x4, **at}) for at, share in contexts)
        for x1, x4 in product(settings.np.linspace(0.15, 0.25, 11), repeat=2)
    )
    assert 0.0 <= best < 3.0  # of values up to 95,000
    for method in ("@average", "@one", "@drawn"):
        player, points = asked(method, task, 3)
        assert len(player.recommend()) == 12
        assert len({(point["context2"], point["context3"]) for point in points}) == 1 or method != "@one"


def test_variables_that_are_not_ours():
    for name, (f, d) in settings.FUNCTIONS.items():
        assert f(settings.np.full((2, d + 1), 0.3)).shape == (2,), name
