"""Parameters that exist only under conditions: what a space, a model and a study make of them."""

import json
import math
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import knowgrad as kg
from knowgrad import views
from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.errors import EmptyDomainError, KnowgradError, SpaceError
from knowgrad.gp.fit import fit
from knowgrad.gp.prior import Prior
from knowgrad.space import Space
from knowgrad.storage import Memory
from knowgrad.views.importance import variance_shares
from tests.conditional import conditional_space

BOOSTER = {
    "booster": kg.Choice(["gblinear", "gbtree", "dart"]),
    "eta": kg.Float(1e-3, 1.0, log=True, when={"booster": ["gbtree", "dart"]}),
    "depth": kg.Int(1, 15, when={"booster": ["gbtree", "dart"]}),
    "drop": kg.Float(0.0, 1.0, when={"booster": "dart"}),
    "subsample": kg.Float(0.1, 1.0),
}
LAYERS = {
    "layers": kg.Int(1, 3),
    "second": kg.Int(8, 64, log=True, when="layers >= 2"),
    "third": kg.Int(8, 64, log=True, when="layers >= 3"),
    "act": kg.Choice(["relu", "gelu"], when=[{"layers": [2, 3]}, "second > 16"]),
    "slope": kg.Float(0.0, 1.0, when={"act": ["relu"]}),
}


def loss(params):
    """Of BOOSTER."""
    tree = {"gblinear": 0.4, "gbtree": 0.0, "dart": 0.1}[params["booster"]]
    shape = (math.log10(params.get("eta", 0.1)) + 1) ** 2 + 0.01 * (params.get("depth", 6) - 6) ** 2
    return tree + 0.3 * shape + (params.get("drop", 0.2) - 0.2) ** 2 + 0.1 * (params["subsample"] - 0.7) ** 2


def run(n=16, **options):
    """BOOSTER to n results: the start of ten, then three at a time."""
    study = kg.Study(BOOSTER, seed=0, **options)
    while len(study.trials) < n:
        for trial in study.ask(3 if study.trials else 10):
            study.tell(trial, loss(trial.params))
    return study


def inside(space, params):
    """What a suggestion must be: valid as it stands, and nothing lost on the way to the cube and back."""
    assert space.validate(params) == params
    again = space.decode(space.encode(params))
    assert list(again) == list(params)
    for name, value in params.items():
        same = (
            math.isclose(again[name], value, rel_tol=1e-9, abs_tol=1e-12)
            if isinstance(value, float)
            else again[name] == value
        )
        assert same
        assert type(again[name]) is type(value)


@settings(
    max_examples=int(os.environ.get("KNOWGRAD_EXAMPLES", "80")),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 2**32))
def test_generated_conditional_spaces_hold_what_they_suggest(seed):
    space, rng = conditional_space(seed), np.random.default_rng(seed)
    assert Space.from_dict(json.loads(json.dumps(space.to_dict()))) == space
    try:
        points = np.vstack([space.sample(6, rng), latin_hypercube(6, space, rng)])
    except EmptyDomainError:
        return
    assert space.contains(points).all()
    np.testing.assert_array_equal(space.snap(points), points)
    wild = space.project(rng.normal(0.5, 1.0, (6, space.dim)))
    np.testing.assert_allclose(space.project(wild), wild, atol=1e-9)
    moves = space.moves(points[0])
    assert len(moves) == 0 or space.contains(moves).all()
    np.testing.assert_array_equal(space.snap(moves), moves)
    for u in (*points, *moves[:4], *space.snap(wild)):
        params = space.decode(u)
        if space.contains(u[None])[0]:
            inside(space, params)
    if space.size <= 200 and space.is_unconstrained:
        listed = {json.dumps(space.decode(u)) for u in space.enumerate(200)}
        assert len(listed) == len(space.enumerate(200)) == space.size
    if seed % 50 == 0:  # a search takes a while
        study = kg.Study(space, seed=seed)
        for k in range(3):
            for trial in study.ask(4):
                inside(space, trial.params)
                study.tell(trial, float(k) + rng.normal(), check=False)  # random values may look like mistakes
        inside(space, study.recommend().params)


@pytest.mark.parametrize(
    "always",
    [
        {"x": kg.Float(0.0, 1.0, when={"c": ["a", "b"]}), "n": kg.Int(1, 9, when={"c": ["b", "a"]})},
        {"x": kg.Float(0.0, 1.0, when="k >= 1"), "n": kg.Int(1, 9, when="1 <= k <= 4")},
        {"x": kg.Float(0.0, 1.0, when="n > 0"), "n": kg.Int(1, 9, when={"c": ["a", "b"]})},
        {"x": kg.Float(0.0, 1.0, when=["y >= 0", "y <= 2.0"]), "n": kg.Int(1, 9, when={"k": [1, 2, 3, 4]})},
    ],
)
def test_conditions_that_always_hold_change_nothing(always):
    plain = {"c": ["a", "b"], "x": kg.Float(0.0, 1.0), "n": kg.Int(1, 9), "k": kg.Int(1, 4), "y": kg.Float(0.0, 2.0)}

    def value(p):
        return (p["x"] - 0.3) ** 2 + 0.1 * (p["c"] == "a") + 0.01 * (p["n"] - p["k"]) ** 2 + 0.1 * p["y"]

    studies = [kg.Study(space, seed=3) for space in (plain, {**plain, **always})]
    for q in (12, 2, 2):
        one, other = ([trial.params for trial in study.ask(q)] for study in studies)
        assert one == other
        for study in studies:
            for trial in study.trials[-q:]:
                study.tell(trial, value(trial.params))
    first, second = (study.recommend() for study in studies)
    assert (first.params, first.mean, first.sd) == (second.params, second.mean, second.sd)
    assert studies[0].gain(2) == studies[1].gain(2)
    drawn, same = (study.snapshot() for study in studies)
    assert views.importance(drawn) == views.importance(same)
    for name in plain:
        assert views.slice_along(drawn, name).mean == views.slice_along(same, name).mean


def test_a_parameter_explains_what_it_does_where_it_exists():
    """f is x where x exists, in half of the space, and 0 elsewhere: its variance is 1/6 − 1/16."""
    space = Space({"c": ["a", "b"], "x": kg.Float(0.0, 1.0, when={"c": "b"})})

    def f(U):
        return np.array([space.decode(u).get("x", 0.0) for u in U])

    shares = variance_shares(f, space, np.random.default_rng(0))
    assert shares == pytest.approx([(1 / 12) / (1 / 6 - 1 / 16), (1 / 24) / (1 / 6 - 1 / 16)], abs=0.03)


def test_only_what_exists_is_in_the_params():
    study = run()
    seen = {trial.params["booster"]: set(trial.params) for trial in study.trials}
    assert seen == {
        "gblinear": {"booster", "subsample"},
        "gbtree": {"booster", "subsample", "eta", "depth"},
        "dart": set(BOOSTER),
    }
    assert study.recommend().params["booster"] in ("gbtree", "dart")
    assert loss(study.recommend().params) < 0.15  # 0 at best, 0.6 on average over the trees


def test_nested_conditions():
    space = Space(LAYERS)
    for u in space.sample(300, np.random.default_rng(0)):
        params = space.decode(u)
        assert ("second" in params) == (params["layers"] >= 2)
        assert ("third" in params) == (params["layers"] == 3)
        assert ("act" in params) == (params.get("second", 0) > 16)
        assert ("slope" in params) == (params.get("act") == "relu")


def test_points_that_differ_only_in_what_does_not_exist_are_one_point():
    space = Space(BOOSTER)
    U = space.from_uniform(np.random.default_rng(0).random((50, 5)))
    linear = U[:, 0] > 0
    assert linear.any()
    assert len(np.unique(U[linear][:, :-1].round(12)[:, [3, 4, 5]], axis=0)) == 1  # eta, depth and drop are at rest


def test_a_parameter_that_does_not_exist_neither_blurs_nor_sharpens():
    """Among points without it, the model is the model of the other parameters, whatever it has learned about it."""
    space = Space({"c": ["a", "b"], "x": kg.Float(0.0, 1.0), "y": kg.Float(0.0, 1.0, when={"c": "b"})})
    rng = np.random.default_rng(1)
    U = space.sample(12, rng)
    post = fit(U, rng.standard_normal(12), np.full(12, np.nan), space.groups, Prior())
    without = space.snap(np.array([space.encode({"c": "a", "x": x}) for x in (0.1, 0.5, 0.9)]))
    x = without[:, [2]]
    alone = post.kernel(x, x, post.ell[[2]])[0]
    np.testing.assert_allclose(post.correlate(without, without)[0], alone, rtol=1e-12)


def test_the_start_is_even_over_the_points_that_have_a_parameter():
    space = Space(BOOSTER)
    assert space.usual_params == pytest.approx(2 + 2 * 2 / 3 + 1 / 3)
    rows = [space.decode(u) for u in latin_hypercube(30, space, np.random.default_rng(0))]
    drops = sorted(params["drop"] for params in rows if "drop" in params)
    assert len(drops) == 10
    assert [int(10 * drop) for drop in drops] == list(range(10))


def test_the_start_has_twice_as_many_points_as_a_usual_point_has_parameters_and_two():
    study = kg.Study(BOOSTER, seed=0)
    sources = []
    for _ in range(12):
        (trial,) = study.ask()
        sources.append(trial.source)
        study.tell(trial, loss(trial.params))
    assert sources.count("start") == 2 * 4 + 2


def test_size_and_listing():
    space = Space({"c": ["a", "b", "d"], "n": kg.Int(1, 5, when={"c": "a"}), "k": kg.Choice([1, 2], when="n >= 4")})
    assert space.size == 3 + 2 * 2 + 2
    assert len(space.enumerate(100)) == 9
    many = {f"c{i}": kg.Choice(["off", "on"]) for i in range(30)}
    many |= {f"n{i}": kg.Int(1, 3, when={f"c{i}": "on"}) for i in range(30)}
    assert Space(many).size == 4**30


def test_moves_wake_what_begins_to_exist_at_several_values():
    space = Space(BOOSTER)
    u = space.encode({"booster": "gblinear", "subsample": 0.5})
    moved = [space.decode(point) for point in space.moves(u)]
    assert {params["booster"] for params in moved} == {"gbtree", "dart"}
    assert len({params["eta"] for params in moved}) >= 4
    assert all(params["subsample"] == 0.5 for params in moved)


def test_a_continuous_parent_is_crossed():
    space = Space({"x": kg.Float(0.0, 1.0), "y": kg.Float(0.0, 1.0, when="x > 0.7")})
    moved = [space.decode(point) for point in space.moves(space.encode({"x": 0.2}))]
    assert all(params["x"] > 0.7 and "y" in params for params in moved)
    assert moved


def test_comparisons_hold_up_to_rounding():
    space = Space(
        {"x": kg.Float(0.1, 0.7), "y": kg.Float(0.0, 1.0, when="x >= 0.3"), "z": kg.Float(0.0, 1.0, when="x < 0.3")}
    )
    assert space.validate({"x": 0.3, "y": 0.5}) == {"x": 0.3, "y": 0.5}
    again = space.decode(space.encode({"x": 0.3, "y": 0.5}))
    assert set(again) == {"x", "y"}
    assert space.validate({"x": 0.299, "z": 0.5})


# Constraints.


def test_a_constraint_says_nothing_where_one_of_its_parameters_does_not_exist():
    params = {"c": ["a", "b"], "x": kg.Float(0.0, 1.0), "y": kg.Float(0.0, 1.0, when={"c": "b"})}
    space = Space(params, constraints=["x + y <= 0.5"])
    assert space.validate({"c": "a", "x": 0.9}) == {"c": "a", "x": 0.9}
    with pytest.raises(SpaceError, match=r"violate the constraint 'x \+ y <= 0.5'"):
        space.validate({"c": "b", "x": 0.4, "y": 0.2})
    U = space.project(np.random.default_rng(0).random((200, space.dim)))
    rows = [space.decode(u) for u in U]
    assert max(params["x"] for params in rows if "y" not in params) > 0.9
    assert max(params["x"] + params["y"] for params in rows if "y" in params) < 0.5 + 1e-9
    assert space.contains(U).all()


def test_a_feasible_function_sees_only_what_exists():
    seen = []
    space = Space(BOOSTER, feasible=lambda params: seen.append(set(params)) or True)
    space.sample(40, np.random.default_rng(0))
    assert {"booster", "subsample"} in seen


# What cannot be meant.


def test_a_name_that_cannot_be_compared_is_said():
    with pytest.raises(SpaceError, match="plain Python name, without spaces"):
        kg.Float(0, 1, when="my layers >= 2")


def test_options_may_be_an_array():
    assert kg.Float(0, 1, when={"c": np.array(["a", "b"])}) == kg.Float(0, 1, when={"c": ["a", "b"]})
    assert kg.Choice(np.array([1, 2])) == kg.Choice([1, 2])


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"x": kg.Float(0, 1, when={"z": ["a"]})}, "when names 'z', which is no other parameter.*name one of"),
        ({"x": kg.Float(0, 1, when={"x": [1]})}, "when names 'x', which is no other parameter"),
        ({"x": kg.Float(0, 1, when={"c": ["d"]})}, r"expected one of \['a', 'b'\], got 'd'"),
        ({"x": kg.Float(0, 1, when="c >= 2")}, r"'c' is a Choice, which has no order; list its options, as in when="),
        ({"x": kg.Float(0, 1, when={"y": [0.5]})}, r"'y' is a continuous Float.*compare it, as in when="),
        ({"x": kg.Float(0, 1, when="y == 0.5")}, "'y' is a continuous Float, which hits no value exactly; compare by"),
        ({"x": kg.Float(0, 1, when={"n": [7]})}, "expected a value between 1 and 4, got 7"),
        (
            {"x": kg.Float(0, 1, when="n > 4")},
            "would never exist, because n > 4 holds at no point; change the condition",
        ),
        ({"x": kg.Float(0, 1, when="n > 2 and n < 2")}, "would never exist"),
        (
            {"x": kg.Float(0, 1, when="w > 0"), "w": kg.Int(1, 3, when="x > 0")},
            "depend on each other in a cycle; drop",
        ),
    ],
)
def test_conditions_that_cannot_be_meant(params, said):
    with pytest.raises(SpaceError, match=said):
        Space({"c": ["a", "b"], "y": kg.Float(0.0, 1.0), "n": kg.Int(1, 4), **params})


@pytest.mark.parametrize(
    "when",
    [
        *(
            "",
            "n",
            "n >",
            "n >= 2 or n < 1",
            "not n > 1",
            "n > m",
            "1 < 2",
            "n != 2",
            "n in [1]",
            "n >= 1e999",
            "2*n > 1",
        ),
        *(
            {},
            [],
            {"c": []},
            {1: ["a"]},
            {"": ["a"]},
            {"c": [object()]},
            [["n > 1"]],
            7,
            True,
            b"n > 1",
            [{"c": "a"}, {"c": "b"}],
        ),
        *("n > 'a'", "n > True", "(" * 5000, "n > 1\0", "x" * 20_000),
    ],
    ids=lambda when: repr(when)[:20],
)
@pytest.mark.parametrize(
    "kind",
    [
        lambda when: kg.Float(0, 1, when=when),
        lambda when: kg.Int(0, 9, when=when),
        lambda when: kg.Choice(["u", "v"], when=when),
    ],
)
def test_conditions_that_cannot_be_read_name_the_forms(kind, when):
    with pytest.raises(SpaceError, match=r"when.*(write when=|list|must be)"):
        kind(when)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        (
            {"booster": "gblinear", "subsample": 0.5, "drop": 0.1},
            "'drop': expected no value, got 0.1; it exists only where booster = 'dart', and booster is.*: leave",
        ),
        (
            {"booster": "gbtree", "subsample": 0.5, "eta": 0.1},
            "parameter 'depth': expected a value, got none; it exists where booster in .*: add it",
        ),
        ({"booster": "gbtree", "subsample": 0.5, "eta": 7.0, "depth": 3}, "parameter 'eta': expected a value between"),
        ({"subsample": 0.5}, r"no value for \['booster'\]"),
        ({"booster": "gblinear", "subsample": 0.5, "nothing": 1}, r"values for the unknown names \['nothing'\]"),
    ],
)
def test_wrong_params_are_refused_and_nothing_is_changed(params, said):
    log = Memory()
    study = kg.Study(BOOSTER, seed=0, storage=log)
    study.ask()
    before = log.read()
    for call in (lambda: study.add(params, 1.0), lambda: study.enqueue(params)):
        with pytest.raises(SpaceError, match=said):
            call()
        assert log.read() == before


def test_an_empty_cell_of_a_data_frame_is_no_value():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([{"layers": 1, "width": np.nan}, {"layers": 2, "width": 16.0}])
    study = kg.Study({"layers": (1, 3), "width": kg.Int(8, 64, when="layers >= 2")}, seed=0)
    for i in range(2):
        study.add(frame.iloc[i], 1.0)
    assert [trial.params for trial in study.trials] == [{"layers": 1}, {"layers": 2, "width": 16}]
    frame.loc[1, "width"] = np.nan
    with pytest.raises(SpaceError, match="expected a value, got none"):
        study.add(frame.iloc[1], 1.0)


def test_a_child_of_what_does_not_exist_is_refused():
    with pytest.raises(SpaceError, match=r"'slope'.*act does not exist here: leave it out"):
        Space(LAYERS).validate({"layers": 1, "slope": 0.5})


# Where it is kept.


def test_the_record_has_a_condition_only_where_there_is_one():
    told = Space(BOOSTER).to_dict()["parameters"]
    assert "when" not in told["booster"]
    assert told["drop"]["when"] == {"booster": ["dart"]}
    assert Space(LAYERS).to_dict()["parameters"]["act"]["when"] == [{"layers": [2, 3]}, "second > 16"]
    assert repr(kg.Float(0, 1, when="n >= 2")) == "Float(0.0, 1.0, when='n >= 2')"
    assert eval(repr(Space(LAYERS).parameters["act"]), {"Choice": kg.Choice}) == Space(LAYERS).parameters["act"]


def test_a_stored_study_goes_on(tmp_path):
    study = run(12, storage=tmp_path / "s.db", name="s")
    loaded = kg.Study.load(tmp_path / "s.db")
    assert loaded.space == study.space
    assert [trial.params for trial in loaded.trials] == [trial.params for trial in study.trials]
    assert [trial.params for trial in loaded.ask(2)] == [trial.params for trial in run(12).ask(2)]
    with pytest.raises(KnowgradError, match="drop"):
        kg.Study({**BOOSTER, "drop": kg.Float(0.0, 1.0)}, storage=tmp_path / "s.db", name="s")


def test_tables_go_out_and_come_back(tmp_path):
    study = run(12)
    table = study.to_dataframe()
    assert table["params_drop"].isna().sum() == sum("drop" not in trial.params for trial in study.trials)
    table.to_csv(tmp_path / "t.csv", index=False)
    for source in (table, str(tmp_path / "t.csv"), [{**trial.params, "value": trial.value} for trial in study.trials]):
        again = kg.Study(BOOSTER, seed=0)
        report = again.add_many(source)
        assert not report.refused
        assert [dict(trial.params) for trial in again.trials] == [dict(trial.params) for trial in study.trials]
    wrong = kg.Study(BOOSTER, seed=0).add_many([{"booster": "gblinear", "subsample": 0.5, "drop": 0.5, "value": 1.0}])
    assert "leave it out" in wrong.refused[0].reason


# What is shown of it.


@pytest.fixture(scope="module")
def study():
    return run(19)


@pytest.mark.parametrize(
    "kind", ["history", "slices", "plane", "surface", "batch", "importance", "parallel", "calibration"]
)
def test_every_figure_is_drawn(study, kind):
    assert study.plot(kind).data


def test_slices_go_through_a_point_that_has_the_parameter(study):
    from knowgrad.views import slice_along
    from knowgrad.views.through import through

    snapshot = study.snapshot()
    cut = slice_along(snapshot, "drop")
    assert len(cut.observed) == sum("drop" in trial.params for trial in study.trials)
    assert through(snapshot, "drop")[0]["booster"] == "dart"
    assert all(mean is not None for mean in cut.mean)


def test_parameters_that_never_exist_together_have_no_plane():
    space = {"c": ["a", "b"], "x": kg.Float(0.0, 1.0, when={"c": "a"}), "y": kg.Float(0.0, 1.0, when={"c": "b"})}
    study = kg.Study(space, seed=0)
    for trial in study.ask(6):
        study.tell(trial, trial.params.get("x", 0.5) + trial.params.get("y", 0.3))
    with pytest.raises(KnowgradError, match="exist together"):
        study.plot("plane", x="x", y="y")
    assert study.plot("plane").data


@pytest.mark.parametrize(
    "params",
    [
        {"x": kg.Float(0.0, 1.0, when={"c": "a"}), "y": kg.Float(0.0, 1.0)},
        {"x": kg.Float(0.0, 1.0), "y": kg.Float(0.0, 1.0), "z": kg.Float(0.0, 1.0, when="y > 0.5")},
    ],
)
def test_equalities_and_conditions_are_apart(params):
    with pytest.raises(SpaceError, match=r"conditions apart from equalities.*drop one, or compute"):
        Space({"c": ["a", "b"], **params}, constraints=["x + y == 1"])
    mixed = {"c": ["a", "b"], "z": kg.Float(0.0, 1.0, when={"c": "a"}), "m": kg.Mixture(["x", "y", "w"], at_most=2)}
    space = Space(mixed, constraints=["z + x <= 1"])
    for u in space.sample(20, np.random.default_rng(0)):
        inside(space, space.decode(u))
