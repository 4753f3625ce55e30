"""Given contexts, averages over contexts and tolerances: identities, and input that makes no sense."""

from __future__ import annotations

import math

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.evidence import CAUTION, WIDER
from knowgrad.errors import ArgumentError, KnowgradError, MismatchError, SpaceError
from knowgrad.space import Contexts, rest_of

SLICE = {"x": (0.0, 10.0), "y": kg.Float(1.0, 100.0, log=True)}
WHOLE = {"reactor": ["A", "B", "C"], **SLICE}


def f(params: dict, reactor: str = "B") -> float:
    shift = {"A": 0.0, "B": 1.0, "C": 2.0}[params.get("reactor", reactor)]
    return (params["x"] - 3.0 - shift) ** 2 + (math.log10(params["y"]) - 1.0) ** 2 + shift


def points(n: int, seed: int = 0) -> list[dict]:
    rng = np.random.default_rng(seed)
    return [{"x": 10 * rng.random(), "y": 10 ** (2 * rng.random())} for _ in range(n)]


def filled(reactors: str, n: int, **options: object) -> kg.Study:
    study = kg.Study(WHOLE, seed=3, **options)
    for i, point in enumerate(points(n)):
        params = {"reactor": reactors[i % len(reactors)], **point}
        study.add(params, f(params), check=False)
    return study


def sliced(n: int) -> kg.Study:
    study = kg.Study(SLICE, seed=3)
    for point in points(n):
        study.add(point, f(point), check=False)
    return study


def without(params: dict) -> dict:
    return {name: value for name, value in params.items() if name != "reactor"}


@pytest.mark.parametrize("n", [0, 3, 12])
def test_given_is_a_study_on_the_slice_when_other_contexts_have_no_data(n: int) -> None:
    whole, part = filled("B", n), sliced(n)
    ours, theirs = whole.ask(3, given={"reactor": "B"}), part.ask(3)
    assert [without(trial.params) for trial in ours] == [trial.params for trial in theirs]
    assert {trial.params["reactor"] for trial in ours} == {"B"}
    if n:
        found, expected = whole.recommend(given={"reactor": "B"}), part.recommend()
        assert (without(found.params), found.mean, found.sd) == (expected.params, expected.mean, expected.sd)
        assert found.best is not None
        assert found.best.params["reactor"] == "B"
        assert whole.gain(2, given={"reactor": "B"}) == part.gain(2)


def test_given_learns_across_contexts_and_answers_for_its_own() -> None:
    study = filled("ABC", 27, noise=0)
    asked = study.ask(2, given={"reactor": "B"})
    assert {trial.params["reactor"] for trial in asked} == {"B"}
    for reactor, x in (("A", 3.0), ("B", 4.0), ("C", 5.0)):
        found = study.recommend(given={"reactor": reactor})
        assert found.params["reactor"] == reactor
        assert abs(found.params["x"] - x) < 1.0
        assert found.best is not None
        assert found.best.params["reactor"] == reactor
    assert study.gain(1, given={"reactor": "B"}) >= 0.0


def test_an_average_over_one_context_is_that_context() -> None:
    for reactors in ("B", "AB"):
        given, over = filled(reactors, 8), filled(reactors, 8, over={"reactor": {"B": 2.0, "C": 0.0}})
        found, expected = over.recommend(), given.recommend(given={"reactor": "B"})
        assert (found.params, found.mean, found.sd) == (expected.params, expected.mean, expected.sd)
        assert over.gain(2) == given.gain(2, given={"reactor": "B"})
        asked = [trial.params for trial in over.ask(2)]
        assert {params["reactor"] for params in asked} == {"B"}
        assert asked == [trial.params for trial in given.ask(2, given={"reactor": "B"})]


def test_an_average_is_good_on_average() -> None:
    study = kg.Study(WHOLE, seed=1, noise=0, over={"reactor": {"A": 1, "C": 1}})
    for _ in range(6):
        for trial in study.ask(4):
            assert trial.params["reactor"] in "AC"
            study.tell(trial, f(trial.params))
    found = study.recommend()
    assert set(found.params) == {"x", "y"}
    average = np.mean([f({**found.params, "reactor": each}) for each in "AC"])
    assert average < 2.2  # 2 at x = 4; the best recipe for one context alone, x = 3 or 5, has 3
    assert found.mean == pytest.approx(average, abs=0.2)
    assert {trial.params["reactor"] for trial in study.trials} == {"A", "C"}
    assert study.snapshot().place["reactor"] in "AC"
    assert study.recommend(given={"reactor": "C"}).params["reactor"] == "C"


def test_a_numeric_context() -> None:
    space = {"x": (0.0, 1.0), "wind": (0.0, 1.0)}
    study = kg.Study(space, seed=1, over={"wind": [0.0, 0.5, 1.0]})
    for _ in range(3):
        for trial in study.ask(4):
            assert trial.params["wind"] in (0.0, 0.5, 1.0)
            study.tell(trial, (trial.params["x"] - 0.2 - 0.4 * trial.params["wind"]) ** 2)
    assert study.recommend().params["x"] == pytest.approx(0.4, abs=0.1)


def test_contexts_are_stored(tmp_path) -> None:
    path, over = tmp_path / "a.db", {"reactor": {"C": 1.0, "A": 3.0}}
    made = kg.Study(WHOLE, storage=path, over=over)
    assert made.snapshot().settings.over == (("reactor", (("A", 0.75), ("C", 0.25))),)
    for again in (kg.Study.load(path), kg.Study(WHOLE, storage=path, over={"reactor": [["A", 3], ["C", 1]]})):
        assert again.snapshot().settings == made.snapshot().settings
    assert made.copy().snapshot().settings.over == made.snapshot().settings.over
    with pytest.raises(MismatchError, match="over: recorded"):
        kg.Study(WHOLE, storage=path)
    kg.Study(WHOLE, storage=path, name="plain")
    with pytest.raises(MismatchError, match="over: recorded None"):
        kg.Study(WHOLE, storage=path, name="plain", over=over)


def test_a_tolerance_of_zero_changes_nothing() -> None:
    study = sliced(10)
    plain, zero = study.recommend(), study.recommend(tolerance={"x": 0, "y": 0.0})
    assert (plain.params, plain.mean, plain.sd) == (zero.params, zero.mean, zero.sd)


def test_a_tolerance_avoids_a_narrow_optimum() -> None:
    def narrow(x: float) -> float:
        return -1.5 * math.exp(-(((x - 2.0) / 0.6) ** 2)) - math.exp(-(((x - 7.0) / 1.5) ** 2))

    study = kg.Study({"x": (0.0, 10.0)}, seed=1, noise=0)
    for x in np.linspace(0.0, 10.0, 81):
        study.add({"x": float(x)}, narrow(float(x)), check=False)
    assert study.recommend().params["x"] == pytest.approx(2.0, abs=0.1)
    found = study.recommend(tolerance={"x": 2.0})
    assert found.params["x"] == pytest.approx(7.0, abs=0.3)
    around = np.mean([narrow(found.params["x"] + t) for t in np.linspace(-2, 2, 2001)])
    assert found.mean == pytest.approx(around, abs=0.01)


def test_a_tolerance_in_user_units_on_a_log_scale() -> None:
    study = kg.Study({"y": kg.Float(1.0, 100.0, log=True), "k": (1, 9)}, seed=1, noise=0)
    for y in np.geomspace(1.0, 100.0, 40):
        study.add({"y": float(y), "k": 5}, (float(y) - 30.0) ** 2 / 100.0, check=False)
    found = study.recommend(given={"k": 5}, tolerance={"y": 6.0})
    assert found.params["k"] == 5
    assert found.mean == pytest.approx(6.0**2 / 3.0 / 100.0 + (found.params["y"] - 30.0) ** 2 / 100.0, abs=0.02)
    assert found.params["y"] == pytest.approx(30.0, abs=1.5)


def test_constraints_hold_in_a_context() -> None:
    space = kg.Space({"a": (0.0, 1.0), "b": (0.0, 1.0), "n": (0, 4)}, constraints=["a + b + n/4 <= 1.2", "a <= 0.9"])
    rest = rest_of(space, [{"n": 3}])
    assert rest.names == ("a", "b")
    domain = Contexts(space, [{"n": 3}])
    U = domain.sample(200, np.random.default_rng(0))
    assert space.contains(U).all()
    assert domain.contains(U).all()
    assert {space.decode(u)["n"] for u in U} == {3}
    assert (domain.project(U) == U).all() or np.abs(domain.project(U) - U).max() < 1e-9
    with pytest.raises(SpaceError):
        kg.Space({"a": (0.0, 1.0), "n": (0, 4)}, constraints=["n <= 2"]) and rest_of(
            kg.Space({"a": (0.0, 1.0), "n": (0, 4)}, constraints=["n <= 2"]), [{"n": 3}]
        )
    study = kg.Study(space, seed=0)
    assert all(trial.params["n"] == 3 for trial in study.ask(5, given={"n": 3}))


def test_a_feasible_function_holds_in_every_context() -> None:
    space = kg.Space({"x": (0.0, 1.0), "c": ["p", "q"]}, feasible=lambda p: p["x"] < (0.5 if p["c"] == "p" else 0.9))
    domain = Contexts(space, [{"c": "p"}, {"c": "q"}])
    U = domain.sample(100, np.random.default_rng(0))
    assert U[:, 0].max() < 0.5
    assert {space.decode(u)["c"] for u in U} == {"p", "q"}


def test_queued_points_of_other_contexts_stay_in_the_queue() -> None:
    study = kg.Study(WHOLE, seed=0)
    study.enqueue({"reactor": "A", "x": 1.0, "y": 10.0})
    wanted = study.enqueue({"reactor": "B", "x": 1.0, "y": 10.0})
    first, second = study.ask(2, given={"reactor": "B"})
    assert first.number == wanted.number
    assert second.params["reactor"] == "B"
    assert study.ask(1)[0].params["reactor"] == "A"


BAD = [
    {"given": {"boiler": 1}},
    {"given": {"reactor": "Z"}},
    {"given": "B"},
    {"given": {"reactor": "A", "x": 1.0, "y": 2.0}},
    {"shared": {"boiler": 1}},
    {"shared": {"x": 0}},
    {"shared": {"x": 1.5}},
    {"shared": 3},
]


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_bad_questions_change_nothing(bad: dict) -> None:
    study = filled("AB", 4)
    before = study.version
    with pytest.raises(ArgumentError, match=next(iter(bad))):
        study.ask(2, **bad)
    assert study.version == before


@pytest.mark.parametrize("bad", [{"x": -1}, {"x": math.nan}, {"x": "3"}, {"reactor": 1}, {"boiler": 1}, 3], ids=str)
def test_bad_tolerances(bad: object) -> None:
    with pytest.raises(ArgumentError, match="tolerance"):
        filled("AB", 4).recommend(tolerance=bad)
    with pytest.raises(ArgumentError, match="tolerance"):
        filled("AB", 4).recommend(given={"x": 3.0}, tolerance={"x": 1.0})


@pytest.mark.parametrize(
    "bad",
    [
        {"boiler": {"A": 1}},
        {"reactor": {"Z": 1}},
        {"reactor": {"A": -1}},
        {"reactor": {"A": 0}},
        {"reactor": {"A": "much"}},
        {"reactor": []},
        {"x": None},
        {"x": {11.0: 1}},
        {"x": {1.0: 1}, "y": {2.0: 1}, "reactor": {"A": 1}},
        {"x": list(np.linspace(0, 10, 300))},
        "reactor",
    ],
    ids=lambda bad: str(bad)[:40],
)
def test_bad_averages_make_no_study(bad: object, tmp_path) -> None:
    with pytest.raises(ArgumentError, match="over"):
        kg.Study(WHOLE, storage=tmp_path / "a.db", over=bad)
    assert not (tmp_path / "a.db").exists()


def test_methods_without_targets_say_so() -> None:
    for options in ({"method": "ei"}, {"method": "random"}):
        study = kg.Study(WHOLE, seed=0, **options)
        with pytest.raises(ArgumentError, match="qkg"):
            study.ask(2, given={"reactor": "A"})
        with pytest.raises(ArgumentError, match="qkg"):
            study.ask(2, shared=["x"])
        with pytest.raises(KnowgradError, match="qkg"):
            kg.Study(WHOLE, over={"reactor": {"A": 1}}, **options)


def test_what_others_decide_cannot_be_given() -> None:
    blend = kg.Study({"sand": kg.Float(0.0, 1.0), "lime": kg.Float(0.0, 1.0), "t": (0.0, 9.0)})
    mixed = kg.Study(kg.Space({"a": (0.0, 1.0), "b": (0.0, 1.0), "t": (0.0, 9.0)}, constraints=["a + b == 1"]), seed=0)
    assert {trial.params["t"] for trial in mixed.ask(3, given={"t": 2.0})} == {2.0}
    assert {trial.params["t"] for trial in blend.ask(3, shared=["t"])} != set()
    for study, name in ((mixed, "a"), (mixed, "b")):
        before = study.version
        for bad in ({"given": {name: 1.0}}, {"shared": [name]}):
            with pytest.raises(ArgumentError, match=next(iter(bad))):
                study.ask(2, **bad)
        assert study.version == before


@pytest.mark.parametrize(("seed", "is_new"), [(0, False), (4, False), (16, True), (26, True), (33, True), (35, True)])
def test_an_average_not_known_exactly_has_to_be_better_if_it_is_worse_than_expected(seed: int, is_new: bool) -> None:
    def falls(x: float, reactor: str) -> float:
        k = seed % 10
        return (x - 0.1 * k) ** 2 + 0.3 * (math.sin(6.0 * x + k) if reactor == "B" else math.cos(5.0 * x))

    study = kg.Study({"x": (0.0, 1.0), "reactor": ["A", "B"]}, over={"reactor": ["A", "B"]}, noise=0, seed=0)
    xs = np.random.default_rng(seed).random(7).tolist()
    for x in xs:
        for reactor in "AB" if x in xs[:3] else "A":
            study.add({"x": x, "reactor": reactor}, falls(x, reactor), check=False)
    known = min(0.5 * (falls(x, "A") + falls(x, "B")) for x in xs[:3])
    found = study.recommend()
    assert (found.params["x"] not in xs[:3]) == is_new
    worse = found.mean + CAUTION * found.sd / WIDER
    assert worse < known if is_new else worse == pytest.approx(known, abs=1e-5)
