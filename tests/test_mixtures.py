"""Equalities and mixtures: suggestions inside, params that come back as they are, and the same as fewer parameters."""

import os

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.errors import EmptyDomainError, MismatchError, SpaceError
from knowgrad.space.directions import across, block_of, moved
from tests.spaces import has_amounts, mixture_space

EXAMPLES, FIRST = int(os.environ.get("KNOWGRAD_EXAMPLES", "60")), int(os.environ.get("KNOWGRAD_FIRST", "0"))
NAMES = ["sand", "lime", "water"]
SUM = "sand + lime + water == 1"


def box(names=NAMES):
    return dict.fromkeys(names, (0.0, 1.0))


def run(space, f, batches=5, q=2, **options):
    """A study after some batches."""
    study = kg.Study(space, seed=3, **options)
    for _ in range(batches):
        for trial in study.ask(q):
            study.tell(trial, f(trial.params))
    return study


def test_a_mixture_of_two_is_the_problem_in_one_dimension():
    def f(p):
        return (p["a"] - 0.3) ** 2 + 0.1 * np.sin(20 * p["a"])

    alone = run({"a": (0.0, 1.0)}, f)
    for space in (kg.Space(box("ab"), constraints=["a + b == 1"]), kg.Space(kg.Mixture(["a", "b"]))):
        pair = run(space, f)
        assert [trial.params["a"] for trial in pair.trials] == [trial.params["a"] for trial in alone.trials]
        assert all(trial.params["a"] + trial.params["b"] == pytest.approx(1.0) for trial in pair.trials)
        assert pair.gain(2) == alone.gain(2)
        assert (pair.recommend().mean, pair.recommend().sd) == (alone.recommend().mean, alone.recommend().sd)
        points = [{"a": a} for a in (0.0, 0.123, 0.9)]
        both = [{**point, "b": 1 - point["a"]} for point in points]
        assert np.array_equal(pair.predict(both).mean, alone.predict(points).mean)


def test_a_grid_of_two_is_the_grid_of_one():
    def f(p):
        return (p["a"] - 30) ** 2

    alone = run({"a": kg.Float(0.0, 100.0, step=5.0)}, f)
    pair = run(kg.Mixture(["a", "b"], total=100, step=5), f)
    assert [trial.params["a"] for trial in pair.trials] == [trial.params["a"] for trial in alone.trials]


@pytest.mark.parametrize("q", [1, 3])
def test_the_model_is_that_of_the_parameters_that_are_left(q):
    """A sum of three, and the third left out by hand with its bounds as constraints: the same model."""

    def f(p):
        return (p["sand"] - 0.2) ** 2 + (p["lime"] - 0.5) ** 2

    mixed = run(kg.Space(box(), constraints=[SUM]), f, q=q)
    left = kg.Study(kg.Space(box(NAMES[:2]), constraints=["sand + lime <= 1"]), seed=3)
    for trial in mixed.trials:
        left.add({name: trial.params[name] for name in NAMES[:2]}, trial.value)
    points = [dict(zip(NAMES, row, strict=True)) for row in np.random.default_rng(0).dirichlet(np.ones(3), 20)]
    here, there = mixed.predict(points), left.predict([{n: p[n] for n in NAMES[:2]} for p in points])
    assert np.allclose(here.mean, there.mean, rtol=0, atol=1e-9)
    assert np.allclose(here.sd, there.sd, rtol=0, atol=1e-9)


def test_every_point_of_generated_spaces_is_inside_and_comes_back():
    for seed in range(FIRST, FIRST + EXAMPLES):
        rng = np.random.default_rng(seed)
        space = mixture_space(rng)
        try:
            U = space.sample(6, rng)
        except EmptyDomainError:
            assert not has_amounts(space), seed
            continue
        assert seed % 8 or has_amounts(space), seed
        U = U if seed % 8 else np.vstack([U, latin_hypercube(4, space, rng)])
        assert space.contains(U).all(), seed
        W = space.project(rng.normal(0.5, 1.0, (6, space.dim)))
        assert ((W >= 0.0) & (W <= 1.0)).all(), seed
        assert len(space.constraints) > 1 or space.contains(W).all(), seed
        mixture = next(each for each in space.constraints if isinstance(each, kg.Mixture))
        for u in (*U, *space.moves(U[0])):
            params = space.decode(u)
            amounts = [params[name] for name in mixture.names]
            assert sum(amounts) == pytest.approx(mixture.total, rel=1e-9), seed
            assert sum(amount > 0 for amount in amounts) <= (mixture.at_most or len(amounts)), seed
            assert space.validate(params) == params, seed
            again = space.decode(space.encode(params))
            assert mixture.step is None or [again[name] for name in mixture.names] == amounts, seed
            assert np.allclose(space.encode(space.decode(space.encode(params))), space.encode(params), atol=1e-12), seed
        assert kg.Space.from_dict(space.to_dict()) == space, seed
        if seed % 200 == 199:  # a search takes a while
            searched(space, seed)


@pytest.mark.parametrize("seed", range(3))
def test_suggestions_of_a_study_are_inside(seed):
    searched(mixture_space(np.random.default_rng([seed, 1])), seed)


def searched(space, seed):
    """A start, a batch and a recommendation, each told and taken as it stands."""
    study, rng = kg.Study(space, seed=seed), np.random.default_rng(seed)
    for trial in study.ask(2 * space.n_params + 2):
        amounts = [value for value in trial.params.values() if isinstance(value, float)]
        study.tell(trial, sum(amounts) + rng.normal(), check=False)  # random values may look like mistakes
    for trial in study.ask(3):
        assert space.validate(trial.params) == trial.params
    assert space.validate(study.recommend().params) == study.recommend().params


def test_general_equalities():
    space = kg.Space(
        {"a": (0.0, 10.0), "b": (0.0, 4.0), "c": (1, 5), "d": (0.0, 1.0)},
        constraints=["a + 2*b == 3*c", "d == 0.25", "a <= 9"],
    )
    assert space.n_params == 2
    rng = np.random.default_rng(0)
    for u in space.sample(50, rng):
        p = space.decode(u)
        assert p["a"] + 2 * p["b"] == pytest.approx(3 * p["c"])
        assert p["d"] == 0.25
        assert p["a"] <= 9 + 1e-6
        assert space.validate(p) == p
    whole = kg.Space({"a": (0, 6), "b": (0, 6)}, constraints=["2*a + 3*b == 12"])
    assert sorted(tuple(whole.decode(u).values()) for u in whole.enumerate(100)) == [(0, 4), (3, 2), (6, 0)]
    assert {tuple(whole.decode(u).values()) for u in whole.sample(40, rng)} == {(0, 4), (3, 2), (6, 0)}


def test_what_was_told_is_kept_to_rounding():
    space = kg.Space(box(), constraints=[SUM])
    assert space.validate({"sand": 1 / 3, "lime": 1 / 3, "water": 1 / 3})["water"] == pytest.approx(1 / 3)
    assert space.validate({"sand": 0.1, "lime": 0.2, "water": 0.7}) == {"sand": 0.1, "lime": 0.2, "water": 0.7}
    with pytest.raises(SpaceError, match=r"'water' has to be 0.6.*change one"):
        space.validate({"sand": 0.2, "lime": 0.2, "water": 0.5})
    with pytest.raises(SpaceError, match="no value for"):
        space.validate({"sand": 0.2, "lime": 0.8})


def test_samples_of_a_simplex_are_uniform():
    """The mean of every component of k is 1/k, with the variance (k − 1)/(k²(k + 1)) of the flat Dirichlet."""
    names = list("abcdef")
    space = kg.Space(box(names), constraints=[" + ".join(names) + " == 1"])
    U = space.sample(2000, np.random.default_rng(0))
    assert np.abs(U.mean(axis=0) - 1 / 6).max() < 6 * np.sqrt(5 / (36 * 7) / 2000) + 0.01
    few = kg.Space(kg.Mixture(names, at_most=2))
    amounts = np.array([list(few.decode(u).values()) for u in few.sample(500, np.random.default_rng(0))])
    assert ((amounts > 0).sum(axis=1) == 2).all()
    assert (amounts > 0).mean(axis=0) == pytest.approx(np.full(6, 1 / 3), abs=0.1)


def test_a_component_grows_at_the_expense_of_the_others_in_proportion():
    space = kg.Space(box(), constraints=[SUM])
    u = space.encode({"sand": 0.2, "lime": 0.6, "water": 0.2})[None]
    for name, rest in (("sand", ["lime", "water"]), ("water", ["sand", "lime"])):
        U, fine = moved(space, u, {name: np.array([[0.6]])})
        p = space.decode(U[0])
        assert fine.all()
        assert p[name] == pytest.approx(0.6)
        before = space.decode(u[0])
        assert p[rest[0]] / p[rest[1]] == pytest.approx(before[rest[0]] / before[rest[1]])
    assert block_of(space, "water", u)[0, 0] == pytest.approx(0.2)
    assert not moved(space, u, {"sand": np.array([[0.9]]), "lime": np.array([[0.9]])})[1].any()
    assert across(space, "water").tolist() == [0.5, 0.5]


def test_views_and_diagnostics_speak_of_every_component():
    study = run(kg.Space(box(), constraints=[SUM]), lambda p: (p["water"] - 0.5) ** 2 + p["sand"])
    assert list(study.diagnostics().length_scales) == NAMES
    for kind in ("importance", "slices", "surface", "parallel", "history"):
        assert study.plot(kind) is not None
    assert study.plot("slices", params=["water"]) is not None


def test_it_is_stored_and_opened_again(tmp_path):
    place = f"sqlite:///{tmp_path / 'studies.db'}"
    mixture = kg.Mixture(NAMES, at_most=2, step=0.05)
    study = kg.Study({"mortar": mixture, "hours": (1.0, 24.0)}, storage=place, name="mortar")
    asked = study.ask(2)
    again = kg.Study.load(place, "mortar")
    assert again.space == study.space
    assert [trial.params for trial in again.trials] == [trial.params for trial in asked]
    with pytest.raises(MismatchError):
        kg.Study({n: kg.Float(0, 1, step=0.05) for n in NAMES} | {"hours": (1.0, 24.0)}, storage=place, name="mortar")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: kg.Mixture("sand"), "list of names"),
        (lambda: kg.Mixture({"sand", "lime"}), "list of names"),
        (lambda: kg.Mixture(["sand"]), "two or more"),
        (lambda: kg.Mixture(["a", "a"]), "different names"),
        (lambda: kg.Mixture(["a", 3]), "non-empty strings"),
        (lambda: kg.Mixture(["a", "b"], total=0), "positive"),
        (lambda: kg.Mixture(["a", "b"], total=float("nan")), "finite"),
        (lambda: kg.Mixture(["a", "b"], at_most=3), "from 1 to the 2"),
        (lambda: kg.Mixture(["a", "b"], at_most=1.5), "whole number"),
        (lambda: kg.Mixture(["a", "b"], step=0.3), "multiple"),
        (lambda: kg.Mixture(["a", "b"], step=-0.1), "multiple"),
        (lambda: kg.Space({"a": (1, 3), "t": (0.0, 1.0)}, constraints=[kg.Mixture(["a", "b"])]), "Float without log"),
        (lambda: kg.Space({"a": ["x", "y"]}, constraints=[kg.Mixture(["a", "b"])]), "Float without log"),
        (lambda: kg.Space({"a": (0.1, 1.0)}, constraints=[kg.Mixture(["a", "b"], at_most=1)]), "lower it to 0"),
        (lambda: kg.Space({"a": (0.0, 1.0)}, constraints=[kg.Mixture(["a", "b"], step=0.1)]), "give both the same"),
        (lambda: kg.Space({"m": kg.Mixture(["a", "b"]), "a": (0.0, 1.0)}), "twice"),
        (lambda: kg.Space(box("ab"), constraints=["a + b == 1", "a == 0.5"]), "single point"),
        (lambda: kg.Space(box(), constraints=[SUM, 3]), "or a Mixture"),
        (lambda: kg.Space(box(), constraints=[{"names": NAMES, "all": 3}]), "remove what is wrong"),
        (lambda: kg.Space(box(), constraints=[{"sum": 1}]), "write for example"),
        (lambda: kg.Space(box(), constraints=["sand + sky == 1"]), "no parameter 'sky'"),
        (
            lambda: kg.Space(kg.Mixture(NAMES, at_most=2), constraints=["sand == lime"]),
            "no other equality",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make, says):
    with pytest.raises(SpaceError, match=says):
        make()


@pytest.mark.parametrize(
    "constraints",
    [["sand + lime + water == 4"], [SUM, "sand + lime + water == 2"], [SUM, "sand + lime + water <= 0.5"]],
)
def test_equalities_that_leave_nothing(constraints):
    with pytest.raises(EmptyDomainError):
        kg.Space(box(), constraints=constraints)
    with pytest.raises(EmptyDomainError):
        kg.Space({"a": (0.0, 0.3), "b": (0.0, 0.3)}, constraints=[kg.Mixture(["a", "b", "c"], at_most=1), "c <= 0.2"])
