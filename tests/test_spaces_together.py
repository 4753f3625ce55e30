"""Conditions, a mixture, descriptors and numbers in one space: one batch, chosen jointly, in which all of them hold."""

import json

import pytest

import knowgrad as kg
from knowgrad.errors import SpaceError

LAMPS = {"UV": [365.0, 12.0], "blue": [450.0, 30.0], "green": [525.0, 20.0]}
SHARES = ("sand", "lime", "clay")


def space():
    return kg.Space(
        {
            "route": ["heat", "light"],
            "lamp": kg.Choice(list(LAMPS), features=LAMPS, when={"route": "light"}),
            "hours": kg.Int(1, 24, log=True, when={"route": "heat"}),
            "slurry": kg.Mixture(SHARES, at_most=2, step=0.05),
            "speed": (0.0, 1.0),
        },
        constraints=["sand + speed <= 1.5"],
    )


def strength(p):
    """Best for half sand and half clay at full speed under the blue lamp, where it is 1."""
    light = 1 - abs(LAMPS[p["lamp"]][0] - 450) / 200 if "lamp" in p else 0.5 - 0.02 * abs(p["hours"] - 5)
    return light - (p["sand"] - 0.5) ** 2 - (p["clay"] - 0.5) ** 2 - (p["speed"] - 1.0) ** 2


def holds(p):
    assert ("lamp" in p) == (p["route"] == "light") != ("hours" in p)
    amounts = [p[name] for name in SHARES]
    assert sum(amounts) == pytest.approx(1.0)
    assert sum(amount > 0 for amount in amounts) <= 2
    assert all(abs(amount / 0.05 - round(amount / 0.05)) < 1e-9 for amount in amounts)
    assert p["sand"] + p["speed"] <= 1.5 + 1e-9
    assert space().validate(p) == p
    assert space().validate(space().decode(space().encode(p))) == pytest.approx(p)


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    place = tmp_path_factory.mktemp("together") / "studies.db"
    study = kg.Study(space(), direction="maximize", seed=0, storage=place, name="together", noise=0)
    for q in (14, 4, 4, 4, 4):
        for trial in study.ask(q):
            study.tell(trial, strength(trial.params))
    return study


def test_every_point_keeps_to_all_of_it(study):
    for trial in study.trials:
        holds(dict(trial.params))
    holds(dict(study.recommend().params))
    assert {trial.params["route"] for trial in study.trials} == {"heat", "light"}


def test_the_best_of_all_of_it_is_found(study):
    found = study.recommend()
    assert found.params["lamp"] == "blue"
    assert strength(found.params) > 0.95  # of random points one in twenty has 0.61


def test_it_is_written_down_and_read_again(study, tmp_path):
    assert kg.Space.from_dict(json.loads(json.dumps(space().to_dict()))) == space() == study.space
    study.to_dataframe().to_csv(tmp_path / "all.csv", index=False)
    again = kg.Study(space(), direction="maximize", seed=0, noise=0)
    assert not again.add_many(str(tmp_path / "all.csv")).refused
    assert [dict(trial.params) for trial in again.trials] == [pytest.approx(dict(t.params)) for t in study.trials]


def test_what_breaks_any_of_it_is_refused_and_nothing_is_changed(study):
    good = dict(study.trials[0].params)
    other = "heat" if good["route"] == "light" else "light"
    wrong = [{**good, "route": other}, {**good, "sand": good["sand"] + 0.05}, {**good, "speed": 2.0}]
    before = study.trials
    for params in wrong:
        for call in (study.enqueue, lambda p: study.add(p, 1.0)):
            with pytest.raises(SpaceError, match=r"expected|has to be|leave it out|add it"):
                call(params)
    assert study.trials == before
