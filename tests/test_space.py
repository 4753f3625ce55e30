"""The space: round trips, bounds, constraints, samples, and a clear SpaceError for everything else."""

import json
import math
import os
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from knowgrad.errors import ArgumentError, EmptyDomainError, SpaceError
from knowgrad.space import Choice, Float, Int, Space, as_space, differences

steady = settings(derandomize=True, deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
UNIT = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
finite = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(10**18), 10**18)
scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.text(max_size=3)


def ordered(numbers):
    return st.tuples(numbers, numbers).map(sorted).filter(lambda pair: pair[0] < pair[1])


def stepped(pair, share):
    try:
        return Float(*pair, step=(pair[1] - pair[0]) * share)
    except SpaceError:
        return Float(*pair)


floats = ordered(finite).map(lambda pair: Float(*pair))
log_floats = ordered(st.floats(5e-324, 1e308)).map(lambda pair: Float(*pair, log=True))
grids = st.builds(stepped, ordered(st.floats(-1e6, 1e6)), st.floats(1e-3, 1.0))
ints = ordered(whole).map(lambda pair: Int(*pair)) | st.builds(
    lambda low, step, n: Int(low, low + step * n + step // 2, step=step),
    st.integers(-100, 100),
    st.integers(1, 20),
    st.integers(1, 30),
)
log_ints = ordered(st.integers(1, 10**18) | st.integers(1, 50)).map(lambda pair: Int(*pair, log=True))
choices = st.lists(scalars, min_size=1, max_size=5, unique_by=lambda o: (type(o), o)).map(lambda o: Choice(tuple(o)))
parameters = floats | log_floats | grids | ints | log_ints | choices
spaces = st.dictionaries(st.text(min_size=1, max_size=4), parameters, min_size=1, max_size=4).map(Space)


def cloud(space, seed, n=20):
    rng = np.random.default_rng(seed)
    U = rng.uniform(-0.2, 1.2, (n, space.dim))
    U[0], U[1] = 0.0, 1.0
    return U


# Round trips.


@steady
@given(spaces, st.integers(0, 99))
def test_snapping_is_idempotent_to_the_bit(space, seed):
    once = space.snap(cloud(space, seed))
    assert np.array_equal(space.snap(once), once)
    assert (once >= 0).all()
    assert (once <= 1).all()
    assert np.array_equal(space.snap(once[:, None, :])[:, 0], once)
    assert np.array_equal(space.snap(once[0]), once[0])


@steady
@given(spaces, st.integers(0, 99))
def test_encoding_what_was_decoded_is_snapping(space, seed):
    U = cloud(space, seed)
    decoded = [space.decode(u) for u in U]
    again = space.encode_many(decoded)
    assert np.array_equal(again, [space.encode(each) for each in decoded])
    discrete = np.array([p.cells < math.inf for p in space.parameters.values()])[space.groups]
    assert np.array_equal(again[:, discrete], space.snap(U)[:, discrete])


@steady
@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.floats(1e-290, 1e290), st.floats(1.01, 1e9))
def test_continuous_columns_keep_twelve_digits_of_what_floats_can_hold(low, width, start, ratio):
    space = Space({"x": Float(low, low + width), "y": Float(start, start * ratio, log=True)})
    U = space.snap(cloud(space, 0))
    again = space.encode_many([space.decode(u) for u in U])
    rounding = 4 * math.ulp(abs(low) + width) / width, 2000 * math.ulp(1.0) / math.log(ratio)
    assert (np.abs(again - U).max(axis=0) <= 1e-12 + np.array(rounding)).all()


@steady
@given(spaces, st.integers(0, 99))
def test_decoded_params_are_plain_valid_and_in_order(space, seed):
    for u in cloud(space, seed, 6):
        params = space.decode(u)
        assert list(params) == list(space.names)
        assert all(type(value) in (int, float, str, bool, type(None)) for value in params.values())
        assert space.validate(params) == params
        json.dumps(params, allow_nan=False)


@steady
@given(spaces, st.integers(0, 99))
def test_uniform_numbers_give_snapped_points(space, seed):
    V = np.random.default_rng(seed).random((30, space.n_params))
    V[0], V[1] = 0.0, 1.0
    U = space.from_uniform(V)
    assert U.shape == (30, space.dim)
    assert np.array_equal(space.snap(U), U)


@steady
@given(spaces)
def test_the_description_is_json_and_identifies_the_space(space):
    told = json.loads(json.dumps(space.to_dict(), allow_nan=False))
    assert told["constraints"] == []
    assert Space.from_dict(told) == space
    assert json.dumps(Space.from_dict(told).to_dict()) == json.dumps(space.to_dict())
    assert Space.from_dict(told).names == space.names
    assert differences(told, space.to_dict()) == []
    assert space == Space(space.parameters)
    assert hash(space) == hash(Space(space.parameters))
    assert pickle.loads(pickle.dumps(space)) == space
    assert eval(repr(space)) == space


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("high", [7, 10**5, 10**18, 2**62])
def test_large_integers(high, log):
    space = Space({"k": Int(1, high, log=log)})
    assert space.decode([0.0]) == {"k": 1}
    assert space.decode([1.0]) == {"k": high}
    rng = np.random.default_rng(0)
    for k in {1, 2, high - 1, high, *(int(v) for v in rng.integers(1, high, 200))}:
        u = space.encode({"k": k})
        back = space.decode(u)["k"]
        assert 1 <= back <= high
        assert np.array_equal(space.encode({"k": back}), u)
        assert abs(back - k) <= (k * 1e-10 if log else high * 2.0**-50)


@pytest.mark.parametrize("log", [False, True])
def test_every_moderate_integer_has_its_own_point(log):
    space = Space({"k": Int(1, 2**20, log=log)})
    ks = np.arange(2.0**20)
    p = space.parameters["k"]
    assert np.array_equal(p.locate(p.place(ks)), ks)
    assert (np.diff(p.place(ks)[:, 0]) > 0).all()


def test_wide_and_tiny_bounds():
    space = Space({"a": Float(-1e308, 1e308), "b": Float(5e-324, 1.0, log=True), "c": Float(0, 5e-324)})
    assert space.decode([0.5, 0.0, 0.0]) == {"a": 0.0, "b": 5e-324, "c": 0.0}
    assert space.decode([1.0, 1.0, 1.0]) == {"a": 1e308, "b": 1.0, "c": 5e-324}
    assert space.encode({"a": 5e307, "b": 1.0, "c": 0.0}).tolist() == [0.75, 1.0, 0.0]
    narrow = Float(1e300, math.nextafter(1e300, math.inf), log=True)
    assert Space({"x": narrow}).decode([1.0])["x"] == narrow.high


def test_steps_are_meant_in_decimal():
    space = Space({"x": Float(0, 0.3, step=0.1), "y": Float(0, 1, step=1 / 11), "k": Int(0, 10, step=3)})
    assert [space.decode([k / 3, 0, 0])["x"] for k in range(4)] == [0.0, 0.1, 0.2, 0.3]
    assert space.decode([0, 1.0, 1.0]) == {"x": 0.0, "y": 1.0, "k": 9}
    assert space.size == 4 * 12 * 4
    assert space.validate({"x": 0.1 + 0.2 - 0.1, "y": 0, "k": 6.0}) == {"x": 0.2, "y": 0.0, "k": 6}


def test_plain_forms_and_numpy_scalars():
    space = Space({"a": (0.0, 1), "b": (np.int64(1), 10), "c": [np.str_("u"), np.float64(2.0), True, 1, None]})
    assert space.parameters == {"a": Float(0, 1), "b": Int(1, 10), "c": Choice(("u", 2.0, True, 1, None))}
    told = space.validate({"a": np.float32(0.5), "b": np.int8(3), "c": np.bool_(True)})
    assert told == {"a": 0.5, "b": 3, "c": True}
    assert [type(v) for v in told.values()] == [float, int, bool]
    assert type(space.validate({"a": 1, "b": 3, "c": 1})["c"]) is int
    assert space.validate({"a": 1, "b": 3, "c": 2})["c"] == 2.0
    assert as_space(space) is space
    assert as_space({"a": (0, 1)}) == Space({"a": Int(0, 1)})
    assert Space({"a": [1, 2]}) != Space({"a": [1, 2.0]})


def test_columns():
    space = Space({"x": (0.0, 1.0), "c": ["a", "b", "c"], "k": (1, 3)})
    assert (space.dim, space.n_params, space.names) == (5, 3, ("x", "c", "k"))
    assert space.groups.tolist() == [0, 1, 1, 1, 2]
    assert space.free.tolist() == [True, False, False, False, True]
    assert space.snap([2.0, 0.1, 0.7, 0.3, 0.4]).tolist() == [1.0, 0.0, math.sqrt(0.5), 0.0, 0.5]
    a, b = (space.encode({"x": 0, "c": c, "k": 1}) for c in "ab")
    assert np.linalg.norm(a - b) == pytest.approx(1)


def test_levels_are_equally_likely():
    space = Space({"k": (1, 4), "g": Float(0, 1, step=0.5), "c": ["a", "b"], "l": Int(1, 3, log=True)})
    V = np.tile(((np.arange(1200) + 0.5) / 1200)[:, None], (1, 4))
    params = [space.decode(u) for u in space.from_uniform(V)]
    for name, count in (("k", 4), ("g", 3), ("c", 2)):
        assert set(np.unique([str(p[name]) for p in params], return_counts=True)[1]) == {1200 // count}
    logs = np.unique([p["l"] for p in params], return_counts=True)[1]
    share = np.log([1.5 / 0.5, 2.5 / 1.5, 3.5 / 2.5]) / math.log(7)
    assert logs / 1200 == pytest.approx(share, abs=2e-3)


# Constraints.


def satisfied(space, params):
    return all(eval(text, {}, dict(params)) for text in space.constraints)


CONSTRAINED = [
    Space(UNIT, constraints="x + 2*y <= 1"),
    Space(UNIT, constraints=["0.5 <= x + y <= 0.6", "x - y/3 > 0.1"]),
    Space({"x": (-5.0, 10.0), "y": (0.0, 15.0), "k": (0, 9)}, constraints=["3*x - y/2 >= -(1 + k)", "(x + y)*2 < 20"]),
    Space({"x": (1e6, 1e6 + 1), "y": (0.0, 1.0), "c": ["a", "b"]}, constraints=["x + y <= 1000000.5"]),
    Space(UNIT, constraints=["y <= 1.001*x", "y >= 0.999*x", "x + y >= 1.9"]),
    Space({f"x{i}": (0.0, 1.0) for i in range(8)}, constraints=" + ".join(f"x{i}" for i in range(8)) + " <= 0.05"),
    Space({"x": (-1e308, 1e308), "y": (-1e308, 1e308)}, constraints="x + y <= -1e308"),
    Space({"lr": Float(1e-5, 1e-1, log=True), "m": (0.0, 1.0)}, constraints=["10*lr + m <= 0.5", "m >= 0.1"]),
    Space({"k": (0, 10**6), "l": Int(1, 1000, log=True)}, constraints=["k <= 100*l"]),
]


@pytest.mark.parametrize("space", CONSTRAINED, ids=lambda s: s.constraints[0][:20])
def test_samples_and_projections_honour_the_constraints(space):
    rng = np.random.default_rng(1)
    S = space.sample(200, rng)
    assert S.shape == (200, space.dim)
    assert np.array_equal(space.snap(S), S)
    assert space.contains(S).all()
    for u in S:
        params = space.decode(u)
        assert satisfied(space, params)
        assert space.validate(params) == params
    nonlinear = any(p.nonlinear for p in space.parameters.values())
    P = space.project(rng.normal(0.5, 1.0, (300, space.dim)))
    assert ((P >= 0) & (P <= 1)).all()
    if not nonlinear:
        continuous = all(isinstance(p, (Float, Choice)) for p in space.parameters.values())
        if continuous:
            assert space.contains(P).all()
            assert all(satisfied(space, space.decode(u)) for u in P)
        assert np.abs(space.project(P) - P).max() < 1e-9


@steady
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 4))
def test_projection_onto_random_half_spaces(seed, d, m):
    rng = np.random.default_rng(seed)
    inside, A = rng.random(d), rng.normal(size=(m, d)).round(3)
    b = A @ inside + rng.exponential(0.05, m)
    texts = [
        " + ".join(f"{a}*x{j}" for j, a in enumerate(row)) + f" <= {bound}" for row, bound in zip(A, b, strict=True)
    ]
    assume((np.abs(A).max(axis=1) > 0).all())
    space = Space({f"x{j}": (0.0, 1.0) for j in range(d)}, constraints=texts)
    U = rng.normal(0.5, 1.0, (40, d))
    P = space.project(U)
    assert np.isfinite(space.project(U * np.inf)).all()
    assert ((P >= 0) & (P <= 1)).all()
    assert (P @ A.T - b <= 0).all()
    assert space.contains(P).all()
    assert np.array_equal(space.project(U.reshape(8, 5, d)), P.reshape(8, 5, d))
    # What makes P nearest: the way on from P to U leads away from every point of the domain.
    S = space.sample(100, rng)
    assert np.einsum("nd,nkd->nk", U - P, S[None] - P[:, None]).max() <= 1e-9


def test_projection_is_the_nearest_point():
    space = Space(UNIT, constraints="x + y <= 1")
    assert space.project([[1.0, 1.0], [2.0, 0.0], [0.2, 0.3]]) == pytest.approx(
        np.array([[0.5, 0.5], [1.0, 0.0], [0.2, 0.3]]), abs=1e-9
    )


def test_a_flat_domain_still_has_points():
    space = Space(UNIT, constraints=["x + y <= 1", "x + y >= 1"])
    S = space.sample(20, np.random.default_rng(0))
    assert len(np.unique(S, axis=0)) > 10
    assert S.sum(axis=1) == pytest.approx(np.ones(20), abs=1e-9)
    assert all(space.validate(space.decode(u)) for u in S)


def test_a_walk_in_a_tiny_domain_is_uniform():
    space = Space({f"x{i}": (0.0, 1.0) for i in range(5)}, constraints="x0 + x1 + x2 + x3 + x4 <= 0.01")
    S = space.sample(3000, np.random.default_rng(0)) * 100
    assert S.mean(axis=0) == pytest.approx(np.full(5, 1 / 6), abs=0.02)


def test_a_walk_crosses_a_domain_of_very_different_widths():
    space = Space({"a": (0, 10**6), "x": (0.0, 1.0)}, constraints=["a <= 3", "x <= a/10 + 0.1"])
    params = [space.decode(u) for u in space.sample(200, np.random.default_rng(0))]
    assert {p["a"] for p in params} == {0, 1, 2, 3}
    assert max(p["x"] for p in params) > 0.3


def test_grid_points_on_the_border_are_inside():
    space = Space({"x": Float(0, 1, step=0.1), "y": Float(0, 1, step=0.1)}, constraints="x + y <= 0.3")
    assert len(space.enumerate(200)) == 10


@pytest.mark.parametrize(
    ("constraint", "parts"),
    [
        ("x + z <= 1", ["'z'", "there is no parameter"]),
        ("x*y <= 1", ["x * y", "not linear"]),
        ("1/x <= 1", ["1 / x", "not linear"]),
        ("x**2 <= 1", ["x ** 2", "not allowed"]),
        ("sin(x) <= 1", ["sin(x)", "not allowed"]),
        ("x != y", ["NotEq"]),
        ("x + y", ["not a comparison"]),
        ("x <= ", ["cannot be read"]),
        ("x <= 1/0", ["divides by zero"]),
        ("x <= 1e999", ["finite"]),
        ("x <= True", ["finite"]),
        ("x <= 'a'", ["finite"]),
        ("x - x <= 1", ["no parameter is left"]),
        ("c <= 1", ["'c' is a Choice"]),
        ("lambda <= 1", ["cannot be read", "'lambda'", "rename"]),
        ("learning-rate <= 1", ["'learning'", "'learning-rate'", "rename"]),
        ("x <= 1\0", ["cannot be read"]),
        ("\ud800 <= 1", ["cannot be read"]),
        ("x" + " + x" * 20000 + " <= 1", ["cannot be read", "longer than 10000 characters"]),
        ("(" * 500 + "x" + ")" * 500 + " <= 1", ["cannot be read"]),
        (3, ["must be a string"]),
        (None, ["must be a string"]),
    ],
)
def test_constraints_that_make_no_sense(constraint, parts):
    params = {**UNIT, "c": ["a", "b"], "lambda": (0.0, 1.0), "learning-rate": (0.0, 1.0)}
    with pytest.raises(SpaceError) as caught:
        Space(params, constraints=[constraint])
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.parametrize("constraints", [3, None, {"x": 1}, np.array(3), b"x <= 1", [b"x <= 1"]])
def test_constraints_must_be_strings(constraints):
    with pytest.raises(SpaceError, match="must be"):
        Space(UNIT, constraints=constraints)


# Emptiness and the user's own test.


@pytest.mark.parametrize("constraints", ["x + y >= 2.1", ["x + y <= 0.5", "x >= 0.3", "y >= 0.3"], ["x <= -1"]])
def test_contradictions_are_found_at_once(constraints):
    with pytest.raises(EmptyDomainError, match="relax"):
        Space(UNIT, constraints=constraints)


@pytest.mark.parametrize("params", [UNIT, {"k": (1, 50), "c": ["a", "b"]}])
def test_an_empty_domain_is_reported(params):
    calls = []
    space = Space(params, feasible=lambda p: bool(calls.append(p)))
    with pytest.raises(EmptyDomainError, match="no feasible point was found"):
        space.sample(3, np.random.default_rng(0))
    assert len(calls) <= 100_000


def test_the_one_feasible_point_of_a_finite_space_is_found():
    space = Space({"i": (0, 99), "j": (0, 99)}, feasible=lambda p: p == {"i": 42, "j": 17})
    assert [space.decode(u) for u in space.sample(2, np.random.default_rng(0))] == [{"i": 42, "j": 17}] * 2


def test_few_feasible_points_are_filled_up_by_their_neighbours():
    space = Space({"x": (0.0, 1.0), "c": ["a", "b"]}, feasible=lambda p: abs(p["x"] - 0.3) < 1e-4)
    S = space.sample(300, np.random.default_rng(0))
    assert S.shape == (300, 3)
    assert space.contains(S).all()
    assert len(np.unique(S, axis=0)) > 100


@pytest.mark.parametrize("broken", [lambda p: 1 / 0, lambda p: p["nope"], lambda p: None, lambda p: np.ones(3)])
def test_a_failing_feasible_function_is_named(broken):
    space = Space(UNIT, feasible=broken)
    with pytest.raises(SpaceError, match="feasible function failed") as caught:
        space.contains(np.full((1, 2), 0.5))
    assert caught.value.__cause__ is not None


def test_feasible_and_constraints_together():
    space = Space({"x": (0.0, 1.0), "k": (0, 9)}, constraints="10*x <= k", feasible=lambda p: p["k"] % 2 == 0)
    S = space.sample(100, np.random.default_rng(0))
    assert all(p["k"] % 2 == 0 and 10 * p["x"] <= p["k"] for p in map(space.decode, S))
    assert not space.is_unconstrained
    assert Space(UNIT, constraints="x + y <= 3").is_unconstrained
    with pytest.raises(SpaceError, match=r"10\*x <= k"):
        space.validate({"x": 0.9, "k": 2})
    with pytest.raises(SpaceError, match="feasible"):
        space.validate({"x": 0.0, "k": 3})


def test_sampling_is_a_function_of_the_generator():
    for space in CONSTRAINED[:3]:
        first, second = (space.sample(50, np.random.default_rng(7)) for _ in range(2))
        assert np.array_equal(first, second)


@pytest.mark.parametrize("n", [-1, 1.5, True, "3"])
def test_the_number_of_samples(n):
    with pytest.raises(ArgumentError, match="whole number"):
        Space(UNIT).sample(n, np.random.default_rng(0))


# Lists and neighbours.


def test_enumerate():
    space = Space({"k": (0, 3), "c": ["a", "b", "c"], "g": Float(0, 1, step=0.5), "l": Int(1, 4, log=True)})
    everything = space.enumerate(1000)
    assert space.size == len(everything) == len(np.unique(everything, axis=0)) == 4 * 3 * 3 * 4
    assert np.array_equal(space.snap(everything), everything)
    assert len(Space({"k": (0, 9)}, feasible=lambda p: p["k"] > 6).enumerate(10)) == 3
    for params in ({"k": (0, 10)}, {"x": (0.0, 1.0)}):
        with pytest.raises(ArgumentError, match="limit of 10"):
            Space(params).enumerate(10)
    assert Space(UNIT).size == math.inf
    assert Space({"k": Int(0, 10**18)}).size == 10**18 + 1


def test_moves():
    space = Space({"x": (0.0, 1.0), "c": ["a", "b", "c"], "k": (0, 4), "n": (0, 1000)}, constraints="k <= 3")
    u = space.encode({"x": 0.3, "c": "b", "k": 1, "n": 3})
    moved = [space.decode(v) for v in space.moves(u)]
    assert {p["c"] for p in moved if p["k"] == 1 and p["n"] == 3} == {"a", "c"}
    assert {p["k"] for p in moved if p["c"] == "b" and p["n"] == 3} == {0, 2, 3}
    assert {p["n"] for p in moved if p["c"] == "b" and p["k"] == 1} == {1, 2, 4, 5, 7, 11, 19}
    assert len(moved) == 2 + 3 + 7
    assert Space(UNIT).moves(np.full(2, 0.5)).shape == (0, 2)


@steady
@given(spaces, st.integers(0, 99))
def test_moves_change_one_discrete_parameter(space, seed):
    u = space.snap(cloud(space, seed)[5])
    moved = space.moves(u)
    assert np.array_equal(space.snap(moved), moved)
    for v in moved:
        assert len(np.unique(space.groups[u != v])) == 1
    some = [p for p in space.parameters.values() if p.cells < math.inf and p.cells > 0]
    assert len(some) <= len(moved) <= 10 * len(some)


# Errors.


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: Float(1, 0), ["low < high", "low=1.0", "swap"]),
        (lambda: Float(1, 1), ["low < high", "equal"]),
        (lambda: Float(math.nan, 1), ["finite", "nan"]),
        (lambda: Float(0, math.inf), ["finite", "inf"]),
        (lambda: Float(0, 10**400), ["finite"]),
        (lambda: Float("0", 1), ["real number", "'0'"]),
        (lambda: Float(False, 1), ["real number", "False"]),
        (lambda: Float(0, 1, log=True), ["low > 0"]),
        (lambda: Float(1, 2, log=True, step=0.1), ["log=True or a step"]),
        (lambda: Float(0, 1, log="yes"), ["True or False", "'yes'"]),
        (lambda: Float(0, 1, step=0), ["positive"]),
        (lambda: Float(0, 1, step=2), ["wider"]),
        (lambda: Float(0, 1, step=1e-300), ["too fine"]),
        (lambda: Float(1e16, 1e16 + 100, step=0.1), ["too fine"]),
        (lambda: Int(5, 1), ["low < high", "swap"]),
        (lambda: Int(0.5, 3), ["whole number", "0.5"]),
        (lambda: Int(0, 10**5000), ["2**62"]),
        (lambda: Int(True, 3), ["whole number", "True"]),
        (lambda: Int(0, 9, log=True), ["low > 0"]),
        (lambda: Int(1, 9, log=True, step=2), ["log=True or a step"]),
        (lambda: Int(1, 9, step=0), ["step", "from 1 to high - low = 8"]),
        (lambda: Int(1, 9, step=9), ["step", "got 9"]),
        (lambda: Choice([]), ["at least one"]),
        (lambda: Choice(["a", "a"]), ["differ", "duplicates"]),
        (lambda: Choice([math.nan]), ["finite", "nan"]),
        (lambda: Choice([[1]]), ["str, int, float, bool or None"]),
        (lambda: Choice("abc"), ["list of options"]),
        (lambda: Space({}), ["at least one parameter"]),
        (lambda: Space([("x", (0, 1))]), ["mapping"]),
        (lambda: Space({"": (0, 1)}), ["non-empty string"]),
        (lambda: Space({3: (0, 1)}), ["non-empty string", "3"]),
        (lambda: Space({"x": (0, 1, 2)}), ["'x'", "tuple of two numbers", "(0, 1, 2)"]),
        (lambda: Space({"x": ("a", "b")}), ["'x'", "list of options"]),
        (lambda: Space({"x": (1.0, 0.0)}), ["'x'", "low < high"]),
        (lambda: Space(UNIT, feasible=3), ["feasible", "function"]),
    ],
)
def test_spaces_that_make_no_sense(make, parts):
    with pytest.raises(SpaceError) as caught:
        make()
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.parametrize(
    ("params", "parts"),
    [
        (None, ["mapping"]),
        ({"x": 0.5}, ["no value for ['k', 'g', 'c']"]),
        ({"x": 0.5, "k": 1, "g": 0, "c": "a", "z": 1}, ["unknown names ['z']"]),
        ({"x": 1.5, "k": 1, "g": 0, "c": "a"}, ["'x'", "between 0.0 and 1.0", "1.5"]),
        ({"x": math.nan, "k": 1, "g": 0, "c": "a"}, ["'x'", "finite", "nan"]),
        ({"x": True, "k": 1, "g": 0, "c": "a"}, ["'x'", "real number", "True"]),
        ({"x": "0.5", "k": 1, "g": 0, "c": "a"}, ["'x'", "real number", "'0.5'"]),
        ({"x": 0.5, "k": 1.5, "g": 0, "c": "a"}, ["'k'", "whole number", "1.5"]),
        ({"x": 0.5, "k": 2, "g": 0, "c": "a"}, ["'k'", "multiple of 3", "2"]),
        ({"x": 0.5, "k": 11, "g": 0, "c": "a"}, ["'k'", "between 1 and 10", "11"]),
        ({"x": 0.5, "k": 1, "g": 0.3, "c": "a"}, ["'g'", "multiple of 0.25", "nearest is 0.25"]),
        ({"x": 0.5, "k": 1, "g": 0, "c": "z"}, ["'c'", "one of ['a', 1]", "'z'"]),
        ({"x": 0.5, "k": 1, "g": 0, "c": True}, ["'c'", "one of", "True"]),
        ({"x": 0.5, "k": 1, "g": 0, "c": [1]}, ["'c'", "[1]"]),
    ],
)
def test_params_that_make_no_sense(params, parts):
    space = Space({"x": (0.0, 1.0), "k": Int(1, 10, step=3), "g": Float(0, 1, step=0.25), "c": ["a", 1]})
    with pytest.raises(SpaceError) as caught:
        space.validate(params)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_a_point_of_the_cube_is_made_of_numbers():
    with pytest.raises(ArgumentError, match="NaN"):
        Space(UNIT).decode([0.5, math.nan])


odd_numbers = (
    st.floats() | st.integers() | st.sampled_from([10**18, -(10**18), 10**400, 5e-324, 1e308, np.float32(0.1)])
)
nonsense = (
    scalars
    | odd_numbers
    | st.complex_numbers()
    | st.binary(max_size=2)
    | st.sampled_from([np.array(1.0), np.array([0.0, 1.0]), np.timedelta64(1, "s"), object(), float, ..., {}, np.nan])
)
flags = st.booleans() | nonsense
steps = st.none() | st.just(1) | nonsense
forms = (
    nonsense
    | st.tuples(odd_numbers, odd_numbers)
    | st.tuples(nonsense, nonsense)
    | st.lists(nonsense, max_size=4)
    | st.tuples(st.just("float"), odd_numbers | nonsense, odd_numbers | nonsense, flags, steps)
    | st.tuples(st.just("int"), odd_numbers | nonsense, odd_numbers | nonsense, flags, steps)
)


def build(form):
    match form if isinstance(form, tuple) else None:  # since NumPy 2.5 arrays match too, those of no dimension badly
        case ("float", low, high, log, step):
            return Float(low, high, log=log, step=step)
        case ("int", low, high, log, step):
            return Int(low, high, log=log, step=step)
    return form


@settings(steady, max_examples=int(os.environ.get("KNOWGRAD_EXAMPLES", "300")))
@given(
    st.dictionaries(st.text(max_size=3) | st.integers(), forms, max_size=3) | nonsense,
    st.just(()) | st.lists(st.text(alphabet="xyz0123 +-*/()<>=.e", max_size=12) | nonsense, max_size=2) | nonsense,
)
def test_generated_nonsense_works_or_is_a_space_error(params, constraints):
    try:
        if isinstance(params, dict):
            params = {name: build(form) for name, form in params.items()}
        space = Space(params, constraints=constraints)
    except SpaceError:
        return
    repr(space)
    for u in space.sample(2, np.random.default_rng(0)):
        space.validate(space.decode(u))


def test_a_feasible_function_has_to_be_given_again():
    space = Space({"x": (0.0, 1.0)}, constraints=["x <= 0.5"], feasible=lambda params: params["x"] > 0.1)
    told = json.loads(json.dumps(space.to_dict()))
    assert told["feasible"] is True
    with pytest.raises(SpaceError, match="pass the space with feasible="):
        Space.from_dict(told)
    assert Space.from_dict(told, feasible=space.feasible) == space


@pytest.mark.parametrize(
    "option", [0.1, 5e-324, -0.0, 2**62, "", "\ud800 \x00 é", True, None, np.float32(0.1), np.int8(3)], ids=repr
)
def test_options_come_back_as_they_were(option):
    space = Space({"c": Choice([option, "other"])})
    (back, _) = Space.from_dict(json.loads(json.dumps(space.to_dict()))).parameters["c"].options
    assert repr(back) == repr(space.parameters["c"].options[0])


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (None, "expected a table with parameters"),
        ({"parameters": [1]}, "expected a table with parameters"),
        ({"parameters": {"x": {"type": "float", "low": 0.0, "high": 1.0}}, "constrains": []}, r"got \['constrains'\]"),
        ({"parameters": {"x": {"low": 0.0}}}, "parameter 'x': expected a table with type"),
        ({"parameters": {"x": {"type": "float", "low": 0.0}}}, r"parameter 'x': expected \['low', 'high'\]"),
        ({"parameters": {"x": {"type": "float", "low": 0.0, "high": 1.0, "lg": True}}}, r"got \['lg'\]"),
        ({"parameters": {"x": {"type": "int", "low": 3, "high": 1}}}, "parameter 'x': Int needs low < high"),
        ({"parameters": {"x": {"type": "choice"}}}, r"expected \['options'\]"),
    ],
)
def test_records_that_are_no_space(record, message):
    with pytest.raises(SpaceError, match=message):
        Space.from_dict(record)


def test_differences_are_told_in_words():
    old = Space({"x": (0.0, 1.0), "n": (1, 5), "c": ["a", 1]}, constraints=["x <= 0.5"])
    new = Space({"x": (0.0, 1.0), "c": ["a", True], "y": (0, 2)}, feasible=bool)
    assert differences(old.to_dict(), new.to_dict()) == [
        "n: recorded Int(1, 5), now missing",
        "y: not recorded, now Int(0, 2)",
        "c: recorded Choice(['a', 1]), now Choice(['a', True])",
        "constraints: recorded ['x <= 0.5'], now []",
        "feasible: recorded none, now a function",
    ]
