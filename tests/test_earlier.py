"""Studies that learn from earlier ones: a source that cannot be measured any more."""

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.earlier import extended
from knowgrad.errors import ArgumentError

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


def bowl(params):
    return (params["x"] - 0.3) ** 2 + (params["y"] - 0.6) ** 2


def earlier(value=bowl, space=None, n=16, **options):
    study = kg.Study(space or SPACE, seed=1, noise=0, name="last month", **options)
    study.minimize(value, n_trials=n, progress=False)
    return study


def test_what_an_earlier_study_knows_is_known_from_the_first_result_on():
    old = earlier(lambda params: bowl(params) + 5.0)
    study = kg.Study(SPACE, seed=3, noise=0, learn_from=[old])
    for _ in range(5):
        for trial in study.ask():
            study.tell(trial, bowl(trial.params))
    cold = kg.Study(SPACE, seed=3, noise=0)
    for _ in range(5):
        for trial in cold.ask():
            cold.tell(trial, bowl(trial.params))
    assert bowl(study.recommend().params) < 0.1 * bowl(cold.recommend().params)
    points = [{"x": 0.2, "y": 0.7}, {"x": 0.9, "y": 0.1}]
    gaps = [np.abs(each.predict(points).mean - [bowl(p) for p in points]).max() for each in (study, cold)]
    assert gaps[0] < gaps[1]
    assert set(study.recommend().params) == {"x", "y"}
    assert study.recommend().n_observed == 5
    assert study.recommend().best == study.best
    assert study.gain(2) >= 0.0


def test_results_are_copied_and_survive(tmp_path):
    old = earlier()
    path = str(tmp_path / "new.db")
    study = kg.Study(SPACE, seed=3, storage=path, learn_from=[old])
    first = study.ask(2)
    again = kg.Study.load(path)
    assert again.pending == tuple(first)
    for trial in first:
        study.tell(trial, bowl(trial.params))
    again = kg.Study.load(path)
    assert again.recommend().params == study.recommend().params
    assert len(again.trials) == 2
    assert kg.Study(SPACE, storage=path).recommend().params == study.recommend().params


def test_spaces_may_overlap_only_in_part():
    old = earlier(lambda params: (params["x"] - 0.3) ** 2, {"x": (0.0, 2.0), "z": (0.0, 1.0)})
    study = kg.Study(SPACE, seed=3, learn_from=[old])
    rows = study._settings.earlier[0].results
    inside = [trial for trial in old.trials if trial.params["x"] <= 1.0]
    assert [row.value for row in rows] == [trial.value for trial in inside]
    assert all(row.params["y"] == 0.5 for row in rows)
    trial = study.ask()[0]
    study.tell(trial, bowl(trial.params))
    assert set(study.ask()[0].params) == {"x", "y"}


def test_of_an_earlier_study_with_fidelities_its_target_counts():
    old = kg.Study({**SPACE, "s": kg.Fidelity(1, 10)}, seed=0)
    old.add({"x": 0.1, "y": 0.2, "s": 10}, 1.0)
    old.add({"x": 0.1, "y": 0.2, "s": 1}, 3.0)
    study = kg.Study(SPACE, seed=0, learn_from=[old])
    assert [row.value for row in study._settings.earlier[0].results] == [1.0]


def test_an_earlier_study_that_misleads_does_little_harm():
    """Upside down: its best points are this one's worst."""
    wrong = earlier(lambda params: -bowl(params))
    found = []
    for learn_from in ([wrong], None):
        study = kg.Study(SPACE, seed=5, noise=0, learn_from=learn_from)
        study.minimize(bowl, n_trials=14, progress=False)
        found.append(bowl(study.recommend().params))
    assert found[0] < max(1e-3, 3.0 * found[1])


SHELF = [{"name": f"m{i}", "x": float(i), "y": float(i * i % 7)} for i in range(12)]
WRITTEN = {
    "conditions": (
        {"kind": ["u", "v"], "x": (0.0, 1.0), "y": kg.Float(0, 1, when={"kind": "v"})},
        [{"kind": "v", "x": 0.2, "y": 0.3}, {"kind": "u", "x": 0.4}],
    ),
    "an equality": (
        kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0), "z": (0.0, 2.0)}, constraints=["x + y == z"]),
        [{"x": 0.25, "y": 0.5, "z": 0.75}, {"x": 0.5, "y": 0.5, "z": 1.0}],
    ),
    "a mixture": (
        kg.Mixture(["x", "y", "z"], at_most=2, step=0.1),
        [{"x": 0.2, "y": 0.8, "z": 0.0}, {"x": 0.0, "y": 0.7, "z": 0.3}],
    ),
    "a list": (kg.Candidates(SHELF), [SHELF[3], SHELF[5]]),
    "a list and a source": (
        {"m": kg.Candidates(SHELF), "by": kg.Source(["rule", "lab"], target="lab", cost=[0.1, 1])},
        [{**SHELF[3], "by": "lab"}, {**SHELF[5], "by": "lab"}],
    ),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_space_of_any_kind_learns(kind, tmp_path):
    space, points = WRITTEN[kind]
    old = kg.Study(space, seed=1, name="last month", noise=0)
    for i, point in enumerate(points):
        old.add(point, float(i))
    study = kg.Study(space, seed=2, noise=0, storage=tmp_path / "lab.db", learn_from=old)
    assert [row.params for row in study._settings.earlier[0].results] == points
    for trial in study.ask(3):
        study.tell(trial, float(trial.number))
    again = kg.Study.load(tmp_path / "lab.db")
    for each in (*study.ask(2), study.recommend(), again.recommend()):
        assert study.space.validate(each.params) == each.params


def test_what_does_not_exist_in_the_new_space_is_left_out_of_it():
    space, points = WRITTEN["conditions"]
    box = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=1)
    box.add({"x": 0.2, "y": 0.9}, 1.0)
    (row,) = kg.Study(space, learn_from=box)._settings.earlier[0].results
    assert row.params == {"kind": "u", "x": 0.2}  # the first option, where y does not exist
    old = kg.Study(space, seed=1)
    old.add(points[1], 1.0)
    (row,) = kg.Study(SPACE, learn_from=old)._settings.earlier[0].results
    assert row.params == {"x": 0.4, "y": 0.5}


def test_what_cannot_be_computed_or_found_is_left_out():
    equal, shelf = WRITTEN["an equality"][0], WRITTEN["a list"][0]
    old = kg.Study({"x": (0.0, 9.0), "y": (0.0, 9.0)}, seed=1)
    for point in ({"x": 0.25, "y": 0.5}, {"x": 3.0, "y": 2.0}, {"x": 3.0, "y": 1.0}):
        old.add(point, 1.0)
    learned = [
        [row.params for row in kg.Study(space, learn_from=old)._settings.earlier[0].results] for space in (equal, shelf)
    ]
    assert learned == [[{"x": 0.25, "y": 0.5, "z": 0.75}], [SHELF[3]]]


def test_a_space_that_changes_goes_on_learning():
    study = kg.Study(SPACE, seed=3, learn_from=[earlier()])
    for trial in study.ask(3):
        study.tell(trial, bowl(trial.params))
    study.change(z=kg.Float(0, 1), earlier={"z": 0.5})
    assert {*study.ask()[0].params} == {*study.recommend().params} == {"x", "y", "z"}
    narrow = kg.Study(SPACE, seed=3, learn_from=[earlier()])
    narrow.add({"x": 0.5, "y": 0.5}, 1.0)
    narrow.change(x=(0.4, 1.0))
    assert narrow.recommend().params["x"] >= 0.4
    narrow.change(y=None)
    assert {*narrow.ask()[0].params} == {*narrow.recommend().params} == {"x"}


def test_what_cannot_be_learned_from_is_refused():
    old = earlier(n=3)
    for wrong in (5, ["study"], [old, None], {"name": "x"}, {"name": "x", "results": [[{"x": 1}, 2]]}):
        with pytest.raises(ArgumentError, match="learn_from"):
            kg.Study(SPACE, learn_from=wrong)
    with pytest.raises(ArgumentError, match="direction"):
        kg.Study(SPACE, direction="maximize", learn_from=[old])
    with pytest.raises(ArgumentError, match=r"a study with one value .*got named outcomes"):
        kg.Study(SPACE, objectives={"f": "maximize"}, learn_from=[old])
    several = kg.Study(SPACE, objectives={"f": "minimize", "g": "minimize"})
    with pytest.raises(ArgumentError, match="studies with one objective, got one with several; leave it out"):
        kg.Study({"x": (0.0, 1.0)}, learn_from=[several])
    with pytest.raises(ArgumentError, match="shares a parameter"):
        kg.Study({"z": (0.0, 1.0)}, learn_from=[old])
    with pytest.raises(ArgumentError, match="qkg"):
        kg.Study(SPACE, method="ei", learn_from=[old])


def test_the_start_is_half_where_earlier_studies_were_best():
    old = [earlier(value) for value in (bowl, lambda params: (params["x"] - 0.9) ** 2 + params["y"])]
    study = kg.Study(SPACE, seed=3, noise=0, learn_from=old)
    first = study.ask(3)
    assert [trial.source for trial in first] == ["start"] * 3
    assert [trial.params for trial in first[:2]] == [each.best.params for each in old]
    assert first[2].params not in [trial.params for trial in first[:2]]


@pytest.mark.parametrize(("shift", "stretch"), [(0.0, 1.0), (5.0, 0.02)])
def test_earlier_results_are_brought_to_the_scale_of_this_study(shift, stretch):
    """What the earlier study found is predicted where this one has not looked, on its scale."""
    old = earlier(n=24)
    study = kg.Study(SPACE, seed=3, noise=0, learn_from=[old])
    rng = np.random.default_rng(0)
    for x, y in rng.random((12, 2)):
        study.add({"x": x, "y": y}, shift + stretch * bowl({"x": x, "y": y}))
    points = [{"x": 0.31, "y": 0.59}, {"x": 0.25, "y": 0.7}, {"x": 0.4, "y": 0.5}]
    truth = np.array([shift + stretch * bowl(point) for point in points])
    assert np.abs(study.predict(points).mean - truth).max() < 0.02 * stretch


def test_an_earlier_study_that_goes_the_other_way_is_left_out():
    """From six results on, what is recommended is what a study alone recommends."""
    wrong, rng = earlier(lambda params: -bowl(params)), np.random.default_rng(2)
    study, alone = (kg.Study(SPACE, seed=3, noise=0, learn_from=each) for each in ([wrong], None))
    for n, (x, y) in enumerate(rng.random((7, 2)), 1):
        for each in (study, alone):
            each.add({"x": x, "y": y}, bowl({"x": x, "y": y}))
        assert len(extended(study.snapshot()).trials) == (n if n >= 6 else n + 16)
        assert (study.recommend().params == alone.recommend().params) == (n >= 6)
