"""Given contexts, averages and shared settings where the space is a list, has a mixture or conditions."""

from __future__ import annotations

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError
from knowgrad.space import Contexts, rest_of

BOOSTERS = {
    "booster": ["linear", "tree", "dart"],
    "depth": kg.Int(1, 8, when={"booster": ["tree", "dart"]}),
    "drop": kg.Float(0.0, 1.0, when={"booster": "dart"}),
    "rate": (0.0, 1.0),
    "layers": (1, 3),
    "width": kg.Float(0.0, 1.0, when="layers >= 2"),
    "oven": ["a", "b", "c"],
}
BLEND = {"t": (0.0, 9.0), "oven": ["a", "b", "c"], "blend": kg.Mixture(["x", "y", "z"], at_most=2, step=0.1)}
PLACES = np.random.default_rng(5).random((40, 2)).round(3)
ROWS = [
    {"oven": oven, "name": f"{oven}{i}", "x": float(x), "y": float(y)}
    for oven in "abc"
    for i, (x, y) in enumerate(PLACES)
    if (i + ord(oven)) % 7
]
SPACES = {
    "conditions": kg.Space(BOOSTERS),
    "mixture": kg.Space(BLEND),
    "list": kg.Candidates(ROWS, features=["oven", "x", "y"]),
}
CONTEXTS = [
    ("conditions", {"booster": "dart"}),
    ("conditions", {"booster": "linear"}),
    ("conditions", {"booster": "tree", "depth": 3}),
    ("conditions", {"layers": 1}),
    ("conditions", {"oven": "b"}),
    ("mixture", {"oven": "b"}),
    ("mixture", {"t": 2.0}),
    ("list", {"oven": "b"}),
]


def f(params: dict) -> float:
    numbers = [value for value in params.values() if isinstance(value, float)]
    return float(sum((value - 0.4) ** 2 for value in numbers)) + 0.1 * "abc".index(params.get("oven", "b"))


def without(params: dict, context: dict) -> dict:
    return {name: value for name, value in params.items() if name not in context}


def inside(space: kg.Space, context: dict, n: int, seed: int = 0) -> list[dict]:
    """Points of the context."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < n:
        params = space.decode(space.sample(1, rng)[0])
        params = {**params, **context} if isinstance(context.get("t"), float) else params
        if all(params.get(name) == value for name, value in context.items()) and params not in found:
            found.append(params)
    return found


@pytest.mark.parametrize(("kind", "context"), CONTEXTS, ids=str)
def test_given_is_a_study_on_the_slice_when_other_contexts_have_no_data(kind: str, context: dict) -> None:
    space = SPACES[kind]
    for n in (0, 9):
        whole, part = kg.Study(space, seed=3), kg.Study(rest_of(space, [context]), seed=3)
        for params in inside(space, context, n):
            whole.add(params, f(params), check=False)
            part.add(without(params, context), f(params), check=False)
        ours, theirs = whole.ask(3, given=context), part.ask(3)
        assert [without(trial.params, context) for trial in ours] == [trial.params for trial in theirs]
        assert all(space.validate(trial.params) == trial.params for trial in ours)
        if n:
            found, expected = whole.recommend(given=context), part.recommend()
            assert (without(found.params, context), found.mean) == (expected.params, expected.mean)
            assert whole.gain(2, given=context) == part.gain(2)


@pytest.mark.parametrize(("kind", "context"), CONTEXTS, ids=str)
def test_given_keeps_to_the_context_when_there_are_results_of_others(kind: str, context: dict) -> None:
    space = SPACES[kind]
    study = kg.Study(space, seed=3)
    for u in space.sample(16, np.random.default_rng(1)):
        params = space.decode(u)
        study.add(params, f(params), check=False)
    asked = [trial.params for trial in study.ask(3, given=context)]
    asked.append(study.recommend(given=context).params)
    for params in asked:
        assert context.items() <= params.items()
        assert space.validate(params) == params
    assert study.gain(1, given=context) >= 0.0


@pytest.mark.parametrize(("kind", "context"), CONTEXTS, ids=str)
def test_a_context_in_which_all_fails_is_kept_to(kind: str, context: dict) -> None:
    study = kg.Study(SPACES[kind], seed=4)
    for trial in study.ask(8):
        if context.items() <= trial.params.items():
            study.fail(trial, "spilled")
        else:
            study.tell(trial, f(trial.params), check=False)
    for trial in study.ask(6, given=context):
        study.fail(trial, "spilled")
    answers = [study.recommend(given=context).params, *(trial.params for trial in study.ask(4, given=context))]
    assert all(context.items() <= params.items() for params in answers)
    gain = study.gain(2, given=context)
    assert np.isfinite([gain.value, gain.sem]).all()


@pytest.mark.parametrize(("kind", "context"), [each for each in CONTEXTS if each[0] != "list"], ids=str)
def test_points_of_a_context_are_points_of_the_space(kind: str, context: dict) -> None:
    space = SPACES[kind]
    domain, rng = Contexts(space, [context]), np.random.default_rng(0)
    U = np.vstack([domain.sample(50, rng), domain.from_uniform(domain.stratified(rng.random((20, domain.n_params))))])
    U = U[domain.contains(U)]
    assert len(U) > 30
    assert (space.snap(U) == U).all()
    assert (domain.snap(U) == U).all()
    assert (domain.lift(domain.lower(U)) == U).all()
    for u in U[:10]:
        moved = domain.moves(u)
        assert (space.snap(moved) == moved).all()
        assert (moved[:, domain.pinned] == domain.rows[0, domain.pinned]).all()


@pytest.mark.parametrize("kind", SPACES)
def test_ties(kind: str) -> None:
    space = SPACES[kind]
    for n in (0, 14):
        studies = [kg.Study(space, seed=3, noise=0) for _ in range(2)]
        for u in space.sample(n, np.random.default_rng(2)):
            for study in studies:
                study.add(space.decode(u), f(space.decode(u)), check=False)
        assert studies[0].ask(1)[0].params == studies[1].ask(1, shared=["oven"])[0].params
        for limit in (1, 2):
            trials = studies[0].ask(5, shared={"oven": limit})
            assert len({trial.params["oven"] for trial in trials}) <= limit
            assert all(space.validate(trial.params) == trial.params for trial in trials)
            assert len({tuple(trial.params.items()) for trial in trials}) == 5


def test_two_ties_in_a_list() -> None:
    study = kg.Study(SPACES["list"], seed=0)
    for row in ROWS[::9]:
        study.add(row, f(row), check=False)
    trials = study.ask(6, shared={"oven": 2, "x": 3})
    assert len({trial.params["oven"] for trial in trials}) <= 2
    assert len({trial.params["x"] for trial in trials}) <= 3
    assert all(trial.params in ROWS for trial in trials)


@pytest.mark.parametrize("kind", SPACES)
def test_averages(kind: str) -> None:
    space = SPACES[kind]
    study = kg.Study(space, seed=1, over={"oven": {"a": 1, "b": 3}})
    one, given = kg.Study(space, seed=1, over={"oven": {"b": 1}}), kg.Study(space, seed=1)
    for u in space.sample(12, np.random.default_rng(4)):
        for each in (study, one, given):
            each.add(space.decode(u), f(space.decode(u)), check=False)
    assert {trial.params["oven"] for trial in study.ask(6)} <= {"a", "b"}
    assert "oven" not in study.recommend().params
    assert one.gain(1) == given.gain(1, given={"oven": "b"})
    assert one.ask(2)[0].params == given.ask(2, given={"oven": "b"})[0].params


def test_an_average_over_a_list_is_of_rows_that_all_contexts_have() -> None:
    study = kg.Study(SPACES["list"], seed=1, over={"oven": ["a", "b", "c"]})
    recipes = [{(row["x"], row["y"]) for row in ROWS if row["oven"] == oven} for oven in "abc"]
    for _ in range(3):
        for trial in study.ask(4):
            assert all((trial.params["x"], trial.params["y"]) in each for each in recipes)
            study.tell(trial, f(trial.params))
    assert set(study.recommend().params) == {"x", "y"}  # the name differs from oven to oven
    apart = kg.Candidates([{"oven": oven, "x": x} for oven, x in zip("aabb", range(4), strict=True)])
    with pytest.raises(ArgumentError, match="over: expected candidates that differ in nothing but"):
        kg.Study(apart, over={"oven": ["a", "b"]})


def test_a_tolerance_in_a_list() -> None:
    study = kg.Study(SPACES["list"], seed=1)
    for row in ROWS[::5]:
        study.add(row, f(row), check=False)
    assert study.recommend(tolerance={"x": 0.0}).params == study.recommend().params
    assert study.recommend(tolerance={"x": 0.2}).params in ROWS


@pytest.mark.parametrize(
    ("kind", "bad", "says"),
    [
        ("conditions", {"given": {"depth": 3}}, "booster"),
        ("conditions", {"given": {"booster": "linear", "depth": 3}}, "exists only where"),
        ("conditions", {"shared": ["booster"]}, "no condition is about"),
        ("conditions", {"shared": ["depth"]}, "no condition is about"),
        ("mixture", {"given": {"x": 0.1}}, "no equality or mixture decides"),
        ("mixture", {"shared": ["y"]}, "no equality or mixture decides"),
        ("list", {"given": {"name": "a1"}}, "make them features"),
        ("list", {"given": {"x": 0.123456}}, "a value that a candidate has"),
        ("list", {"given": {"oven": "z"}}, "a value that the space has"),
        ("list", {"shared": ["name"]}, "make them features"),
    ],
    ids=str,
)
def test_what_cannot_be_given_or_shared(kind: str, bad: dict, says: str) -> None:
    study = kg.Study(SPACES[kind], seed=0)
    before = study.version
    with pytest.raises(ArgumentError, match=says):
        study.ask(2, **bad)
    assert study.version == before


def test_a_context_with_one_candidate_leaves_nothing_to_choose() -> None:
    study = kg.Study(kg.Candidates([{"oven": o, "x": x} for o, x in zip("aab", range(3), strict=True)]), seed=0)
    with pytest.raises(ArgumentError, match="more than one candidate"):
        study.ask(1, given={"oven": "b"})
