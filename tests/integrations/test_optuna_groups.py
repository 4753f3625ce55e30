"""Define-by-run studies: which parameters exist where is found from the trials, and q-KG chooses all of them."""

import logging

import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import create_trial

import knowgrad as kg
from knowgrad.integrations.optuna import KnowledgeGradientSampler, import_study, recommend
from knowgrad.integrations.optuna.groups import find_groups
from knowgrad.integrations.optuna.spaces import SearchSpace

optuna.logging.set_verbosity(optuna.logging.ERROR)
UNIT = FloatDistribution(0.0, 1.0)
SPACE = {
    "booster": CategoricalDistribution(("linear", "tree", "dart")),
    "layers": IntDistribution(1, 4),
    "x": UNIT,
    "eta": UNIT,
    "depth": IntDistribution(1, 9),
    "drop": UNIT,
    "grow": CategoricalDistribution((None, "loss")),
    "leaves": UNIT,
    "width": UNIT,
}


def trial(**params):
    given = {name: SPACE[name] for name in params}
    return create_trial(params=params, distributions=given, value=sum(map(float, map(isinstance, given, [str] * 9))))


def rows(*more):
    """Trials of a linear model, of trees, and of dart, whose trees have leaves if they grow by loss."""
    return [
        trial(booster="linear", layers=1, x=0.3),
        trial(booster="linear", layers=4, x=0.5, width=0.1),
        trial(booster="tree", layers=2, x=0.1, eta=0.2, depth=3, grow=None),
        trial(booster="tree", layers=3, x=0.7, eta=0.4, depth=2, grow="loss", leaves=0.5, width=0.9),
        trial(booster="dart", layers=1, x=0.9, eta=0.9, depth=5, drop=0.5, grow=None),
        *more,
    ]


def test_conditions_are_those_that_tell_the_trials_with_a_group_from_the_others():
    found = find_groups(rows())
    space = SearchSpace.of(found.joint, found.conditions).space
    assert {name: str(one.when) for name, one in space.parameters.items() if one.when} == {
        "eta": "booster in [1, 2]",
        "depth": "booster in [1, 2]",
        "grow": "booster in [1, 2]",
        "drop": "booster = 2",
        "leaves": "grow = 1",
        "width": "layers > 2.0",
    }
    assert list(found.joint) == sorted(SPACE)
    assert not found.apart
    assert list(found.always) == ["booster", "layers", "x"]


def test_every_trial_is_a_point_of_the_space_that_is_found():
    found = find_groups(rows())
    search = SearchSpace.of(found.joint, found.conditions)
    for each in rows():
        params = search.encode(each.params)
        assert search.decode(params) == each.params
        assert search.unpack(search.pack(each.params)) == each.params


def test_an_option_that_nobody_tried_counts_as_having_the_group():
    found = find_groups([trial(booster="linear", x=0.3), trial(booster="tree", x=0.1, eta=0.2)])
    assert str(found.conditions["eta"]) == "booster in [1, 2]"


def test_what_nothing_explains_is_apart():
    odd = [trial(booster="tree", x=0.2, eta=0.1), trial(booster="tree", x=0.9), trial(booster="dart", x=0.5, eta=0.3)]
    found = find_groups(odd)
    assert [list(group) for group in found.apart] == [["eta"]]
    assert list(found.every) == ["booster", "x", "eta"]
    assert not found.conditions


def test_a_range_that_changes_is_not_chosen():
    wide = create_trial(params={"x": 3.0}, distributions={"x": FloatDistribution(0.0, 5.0)}, value=1.0)
    assert find_groups([trial(x=0.2), wide]).every == {}


def test_a_point_given_when_less_was_known_is_still_pending():
    found = find_groups(rows())
    search = SearchSpace.of(found.joint, found.conditions)
    point = {"booster": "linear", "layers": 1, "x": 0.2, "eta": 0.5, "depth": 3, "drop": 0.1}
    assert search.decode(search.encode(point)) == {"booster": "linear", "layers": 1, "x": 0.2}


def by_run(trial):
    kind = trial.suggest_categorical("kind", ["flat", "wavy", "deep"])
    value = (trial.suggest_float("x", 0.0, 1.0) - 0.3) ** 2
    if kind == "flat":
        return value + 0.5
    value += (trial.suggest_float("phase", 0.0, 1.0) - 0.6) ** 2
    return value + (0.2 + (trial.suggest_float("depth", 0.0, 1.0) - 0.8) ** 2 if kind == "deep" else 0.0)


@pytest.fixture(scope="module")
def study():
    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=1))
    study.optimize(by_run, n_trials=22)
    return study


def test_a_study_by_run_is_searched_as_the_declared_one(study):
    found = recommend(study)
    assert found.params["kind"] == "wavy"
    assert set(found.params) == {"kind", "x", "phase"}
    assert by_run(optuna.trial.FixedTrial(found.params)) < 0.02


def test_only_what_is_new_is_drawn_at_random(caplog):
    other = optuna.create_study(sampler=KnowledgeGradientSampler(seed=1))
    with caplog.at_level(logging.WARNING):
        other.optimize(by_run, n_trials=8)
    names = [record.message.split("'")[1] for record in caplog.records]
    assert len(names) == len(set(names))
    assert set(names) <= {"phase", "depth"}


def test_the_choice_is_that_of_the_space_with_conditions(study):
    declared = {
        "depth": kg.Float(0.0, 1.0, when={"kind": [2]}),
        "kind": [0, 1, 2],
        "phase": kg.Float(0.0, 1.0, when={"kind": [1, 2]}),
        "x": kg.Float(0.0, 1.0),
    }
    ours = kg.Study(declared, seed=1)
    for each in study.trials:
        known = {**each.params, "kind": ["flat", "wavy", "deep"].index(each.params["kind"])}
        ours.add(known, each.value, check=False)
    (suggested,) = ours.ask()
    asked = study.ask()
    kind = asked.suggest_categorical("kind", ["flat", "wavy", "deep"])
    assert kind == ["flat", "wavy", "deep"][suggested.params["kind"]]
    assert asked.suggest_float("x", 0.0, 1.0) == pytest.approx(suggested.params["x"], abs=1e-12)


def test_a_group_that_nothing_explains_is_chosen_given_the_rest():
    def objective(trial):
        x = trial.suggest_float("x", 0.0, 1.0)
        if trial.number % 2:
            return 2.0 + x
        return (x - 0.5) ** 2 + (trial.suggest_float("deep", 0.0, 1.0) - 0.7) ** 2

    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0))
    study.optimize(objective, n_trials=20)
    ours = kg.Study({"x": kg.Float(0.0, 1.0), "deep": kg.Float(0.0, 1.0)}, seed=0)
    for each in study.trials:
        if "deep" in each.params:
            ours.add(each.params, each.value, check=False)
    asked = study.ask()
    x = asked.suggest_float("x", 0.0, 1.0)
    (suggested,) = ours.ask(given={"x": x})
    assert asked.suggest_float("deep", 0.0, 1.0) == pytest.approx(suggested.params["deep"], abs=1e-12)


@pytest.mark.parametrize("method", ["qkg", "qei"])
def test_groups_with_nothing_in_common_have_a_search_each(method):
    def objective(trial):
        name = "ab"[trial.number % 2]
        return (trial.suggest_float(name, 0.0, 1.0) - 0.25) ** 2

    study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0, method=method))
    study.optimize(objective, n_trials=14)
    assert find_groups(study.trials).joint == {}
    asked = study.ask()
    for name in "ab":
        ours = kg.Study({name: kg.Float(0.0, 1.0)}, seed=0, method=method)
        for each in study.trials:
            if name in each.params:
                ours.add(each.params, each.value, check=False)
        (suggested,) = ours.ask()
        assert asked.suggest_float(name, 0.0, 1.0) == pytest.approx(suggested.params[name], abs=1e-12)


def test_a_study_by_run_is_imported_with_its_conditions(study):
    ours = import_study(study, seed=0)
    assert [dict(each.params) for each in ours.trials] == [
        {name: each.params[name] for name in sorted(each.params)} for each in study.trials if each.value is not None
    ]
    assert ours.space == kg.Space(
        {
            "depth": kg.Float(0.0, 1.0, when={"kind": ["deep"]}),
            "kind": ["flat", "wavy", "deep"],
            "phase": kg.Float(0.0, 1.0, when={"kind": ["wavy", "deep"]}),
            "x": kg.Float(0.0, 1.0),
        }
    )
