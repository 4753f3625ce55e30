"""Fidelities and sources: cheap evaluations of f, recommendations at the target."""

import json
import math

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.unknown import Added
from knowgrad.model.offsets import offsets
from knowgrad.space.looks.source import APART

PLANTS = ["simulation", "pilot", "plant"]


def bowl(params):
    return (params["x"] - 0.3) ** 2 + (params["y"] - 0.6) ** 2


def searched(space, value, rounds=6, **options):
    study = kg.Study(space, seed=2, noise=0, **options)
    for _ in range(rounds):
        for trial in study.ask(2):
            study.tell(trial, value(trial.params), check=False)
    return study


@pytest.mark.parametrize("one", [kg.Source(["plant"], target="plant"), kg.Fidelity(52, 52), kg.Fidelity(1.5, 1.5)])
@pytest.mark.parametrize("q", [1, 3])
def test_one_level_equals_the_plain_study(one, q):
    plain = searched({"x": (0.0, 1.0), "y": (0.0, 1.0)}, bowl)
    graded = searched({"x": (0.0, 1.0), "y": (0.0, 1.0), "s": one}, bowl)
    for a, b in zip(plain.ask(q), graded.ask(q), strict=True):
        assert b.params == {**a.params, "s": one.target}
    assert graded.recommend().mean == plain.recommend().mean
    assert graded.recommend().sd == plain.recommend().sd
    assert graded.gain(q) == plain.gain(q)


def test_a_source_with_correlation_one_equals_more_data():
    """Posterior, from results at two sources that are the same function, against results at one."""
    rng = np.random.default_rng(0)
    X, U = rng.random((12, 2)), rng.random((5, 2))
    y = np.sin(4.0 * X[:, 0]) + X[:, 1]
    source = np.where(np.arange(12) % 2, APART, 0.0)[:, None]
    plain = Posterior.build(X, y, np.full(12, 1e-3), np.array([0.4, 0.6]), 1.3)
    both = Posterior.build(np.hstack([X, source]), y, np.full(12, 1e-3), np.array([0.4, 0.6, 1e9]), 1.3)
    at = np.hstack([U, np.zeros((5, 1))])
    np.testing.assert_allclose(both.mean(at), plain.mean(U), rtol=1e-9)
    np.testing.assert_allclose(both.var(at), plain.var(U), rtol=1e-7)


def test_a_source_with_correlation_one_gives_the_recommendation_of_more_data(monkeypatch):
    """Hyperparameters are given, that of the source without end, and nothing is unknown of them."""

    def given(X, y, known, groups, prior, kernel, *_):
        ell = np.append(np.full(2, 0.5), np.full(X.shape[1] - 2, 1e9))
        return Posterior.build(X, y, np.maximum(known, 1e-8), ell, 2.0, kernel=kernel)

    monkeypatch.setattr("knowgrad.model.select.fit", given)
    monkeypatch.setattr("knowgrad.advisor.evidence.added", lambda post, known, groups, U: Added(*np.zeros((2, len(U)))))
    plain = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=0, noise=0)
    both = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0), "by": kg.Source(["a", "b"], target="b")}, seed=0, noise=0)
    for i, (x, y) in enumerate(
        sorted(np.random.default_rng(1).random((14, 2)).tolist(), key=lambda p: math.dist(p, (0.3, 0.6)))
    ):
        value = bowl({"x": x, "y": y}) - 0.2
        plain.add({"x": x, "y": y}, value)
        both.add({"x": x, "y": y, "by": "ba"[i % 2]}, value)
    one, other = plain.recommend(), both.recommend()
    assert other.params.pop("by") == "b"
    assert other.params == pytest.approx(one.params, abs=1e-3)
    assert other.mean == pytest.approx(one.mean, abs=1e-6)
    assert both.gain(1).value == pytest.approx(plain.gain(1).value, rel=0.02)
    half = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=0, noise=0)
    for trial in both.trials[::2]:
        half.add({name: trial.params[name] for name in "xy"}, trial.value)
    assert half.gain(1).value > 2.0 * plain.gain(1).value  # the other source does count


@pytest.mark.parametrize(
    "kind",
    [
        kg.Fidelity(1, 52),
        kg.Fidelity(1, 52, log=True),
        kg.Fidelity(0.1, 1.0),
        kg.Fidelity(1, 8, target=4),
        kg.Fidelity(0.01, 1.0, log=True, target=0.01),
        kg.Source(PLANTS, target="pilot"),
        kg.Source(PLANTS, target="plant", cost={"simulation": 0.01, "pilot": 0.2, "plant": 1.0}),
    ],
    ids=repr,
)
def test_a_kind_of_parameter_like_others(kind):
    space = kg.Space({"x": (0.0, 1.0), "s": kind})
    again = kg.Space.from_dict(json.loads(json.dumps(space.to_dict())))
    assert again == space
    assert repr(again.parameters["s"]) == repr(kind)
    points = space.sample(50, np.random.default_rng(0))
    for params in map(space.decode, points):
        assert space.validate(params) == params
    np.testing.assert_allclose(space.encode_many(list(map(space.decode, points))), points, atol=1e-12)
    assert kind.check(kind.target) == kind.target
    home = kind.place(np.array([kind.position(kind.target)]))
    assert kind.prices(home) == pytest.approx([1.0])
    for value in kind.cheap():
        assert kind.prices(kind.place(np.array([kind.position(value)])))[0] <= 1.0
        assert value != kind.target


def test_what_makes_no_sense_is_refused():
    for wrong in (
        lambda: kg.Fidelity(5, 1),
        lambda: kg.Fidelity(1, 52, target=60),
        lambda: kg.Fidelity("1", 2),
        lambda: kg.Fidelity(0, 1, log=True),
        lambda: kg.Fidelity(1, 52, when="x > 1"),
        lambda: kg.Source(PLANTS),
        lambda: kg.Source(PLANTS, target="lab"),
        lambda: kg.Source([], target="lab"),
        lambda: kg.Source(PLANTS, target="plant", cost=[1.0, 2.0]),
        lambda: kg.Source(PLANTS, target="plant", cost=[1.0, 2.0, -1.0]),
        lambda: kg.Candidates([{"a": 1.0}, {"a": 2.0}], beside={"b": kg.Float(0.0, 1.0)}),
        lambda: kg.Candidates([{"a": 1.0}, {"a": 2.0}], beside={"a": kg.Fidelity(1, 2)}),
    ):
        with pytest.raises(SpaceError):
            wrong()
    with pytest.raises(ArgumentError, match="Fidelity"):
        kg.Study({"x": (0.0, 1.0), "s": kg.Fidelity(1, 5)}, method="ei")


def coarse(params):
    """Lower fidelities are worse everywhere, and a little different."""
    s = params["s"] / 20
    return bowl(params) + 2.0 * (1.0 - s) + 0.05 * (1.0 - s) * np.sin(9.0 * params["x"])


def test_suggestions_choose_the_fidelity_and_recommendations_are_at_the_target():
    study = searched({"x": (0.0, 1.0), "y": (0.0, 1.0), "s": kg.Fidelity(1, 20)}, coarse, rounds=10)
    levels = [trial.params["s"] for trial in study.trials]
    assert min(levels) < 20
    assert 20 in levels
    found = study.recommend()
    assert found.params["s"] == 20
    assert found.best.params["s"] == 20
    assert study.best.params["s"] == 20
    low, high = found.interval
    assert low < bowl(found.params) < high
    assert bowl(found.params) < 0.02
    assert study.gain(1).cost == pytest.approx(study.gain(1) / study.gain(1).per_cost)


def test_a_look_costs_in_proportion_to_its_fidelity_unless_said():
    space = {"x": (0.0, 1.0), "s": kg.Fidelity(1, 52), "r": kg.Fidelity(0.5, 1.0)}
    study = kg.Study(space, seed=0)
    assert study.price({"x": 0.5, "s": 13, "r": 0.5}) == pytest.approx(0.25 * 0.5)
    assert study.price({"x": 0.5, "s": 52, "r": 1.0}) == pytest.approx(1.0)
    said = kg.Study(space, seed=0, cost=lambda params: 3.0 * params["s"])
    assert said.price({"x": 0.5, "s": 13, "r": 0.5}) == 39.0
    for trial in study.ask(6):
        study.tell(trial, trial.params["x"], cost=7.0 * trial.params["s"] * trial.params["r"])
    assert study.price({"x": 0.5, "s": 52, "r": 1.0}) == pytest.approx(7.0 * 52, rel=0.01)


def test_the_start_is_cheap_and_nested():
    study = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0), "s": kg.Source(PLANTS, target="plant")}, seed=0)
    start = study.ask(8)
    assert all(trial.source == "start" for trial in start)
    at_target = [trial.params for trial in start if trial.params["s"] == "plant"]
    elsewhere = [(trial.params["x"], trial.params["y"]) for trial in start if trial.params["s"] != "plant"]
    assert len(at_target) == 2
    assert all((params["x"], params["y"]) in elsewhere for params in at_target)


def test_the_start_looks_at_every_candidate_once():
    """Whatever the source: the same candidate is not looked at cheaply a second time."""
    rows = [{"a": float(i % 6), "b": float(i // 6)} for i in range(36)]
    space = {"row": kg.Candidates(rows), "by": kg.Source(["low", "high"], target="high", cost=[0.1, 1.0])}
    start = [trial.params for trial in kg.Study(space, seed=4).ask(8)]
    cheap = [(params["a"], params["b"]) for params in start if params["by"] == "low"]
    assert len(cheap) == len(set(cheap)) == 6
    assert [(params["a"], params["b"]) in cheap for params in start if params["by"] == "high"] == [True, True]


def test_offsets_are_found_and_zero_at_the_target():
    space = kg.Space({"x": (0.0, 1.0), "s": kg.Source(PLANTS, target="plant")})
    rng = np.random.default_rng(1)
    points = [{"x": x, "s": s} for x in rng.random(20).tolist() for s in PLANTS]
    X = space.encode_many(points)
    x = X[:, space.columns["x"].start]
    shift = {"simulation": 5.0, "pilot": -3.0, "plant": 0.0}
    true = np.array([shift[params["s"]] for params in map(space.decode, X)])
    found = offsets(space, X, np.sin(3.0 * x) + true)
    np.testing.assert_allclose(found(X), true, atol=0.05)
    assert np.all(found(X)[true == 0.0] == 0.0)
    chosen = np.arange(len(X)) % 3 == np.arange(len(X)) // 3 % 3  # one source at each x: nothing to compare
    assert not offsets(space, X[chosen], (np.sin(3.0 * x) + true)[chosen])(X).any()


def test_sources_beside_a_list(tmp_path):
    rng = np.random.default_rng(0)
    table = [{"name": f"m{i}", "a": float(a), "b": float(b)} for i, (a, b) in enumerate(rng.random((40, 2)))]
    space = {"molecule": kg.Candidates(table), "by": kg.Source(["rule", "lab"], target="lab", cost=[0.1, 1.0])}

    def value(params):
        return (params["a"] - 0.4) ** 2 + params["b"] + (0.1 * params["a"] if params["by"] == "rule" else 0.0)

    path = str(tmp_path / "list.db")
    study = searched(space, value, rounds=10, storage=path)
    rows = {(row["name"], row["a"], row["b"]) for row in table}
    for trial in study.trials:
        assert tuple(trial.params[name] for name in ("name", "a", "b")) in rows
    assert {trial.params["by"] for trial in study.trials} == {"rule", "lab"}
    found = study.recommend().params
    assert found["by"] == "lab"
    assert value(found) == pytest.approx(min(value({**row, "by": "lab"}) for row in table))
    again = kg.Study.load(path)
    assert again.space == study.space
    assert again.ask(2)[0].params == kg.Study(study.space, storage=path).pending[0].params
    with pytest.raises(SpaceError, match="by"):
        study.add(table[0], 1.0)


def test_a_useless_source_is_dropped_by_the_arithmetic():
    """Results of the cheap source have nothing to do with the target: few are asked for after the start."""
    noise = np.random.default_rng(5)

    def value(params):
        return float(noise.standard_normal()) if params["s"] == "rumour" else bowl(params)

    kinds = kg.Source(["rumour", "plant"], target="plant", cost=[0.5, 1.0])
    study = searched({"x": (0.0, 1.0), "y": (0.0, 1.0), "s": kinds}, value, rounds=10)
    chosen = [trial.params["s"] for trial in study.trials if trial.source == "qkg"]
    assert set(chosen[4:]) == {"plant"}


def test_what_makes_no_sense_of_a_fidelity_is_refused():
    space = {"x": (0.0, 1.0), "e": kg.Fidelity(0.1, 1.0)}
    with pytest.raises(SpaceError, match=r"no fidelity in an equality, got \['e'\]; leave it out"):
        kg.Space(space, constraints=["x + e == 1"])
    with pytest.raises(ArgumentError, match=r"a parameter to choose beside them, got only \['e'\]; add one"):
        kg.Study({"e": kg.Fidelity(1, 5)})
    with pytest.raises(SpaceError, match="cost: expected a number above 0 for each of"):
        kg.Source(["a", "b"], target="b", cost={"a": 0.1, "b": 1, "c": 2})
