"""The Latin hypercube: every cell once, always feasible, distinct where possible."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowgrad.advisor.start.design import latin_hypercube
from knowgrad.errors import ArgumentError, EmptyDomainError
from knowgrad.space import Float, Int, Space

steady = settings(derandomize=True, deadline=None, max_examples=50)


def distinct(points):
    return len(np.unique(points, axis=0))


@steady
@given(st.integers(1, 40), st.integers(1, 6), st.integers(0, 99))
def test_each_cell_of_each_parameter_is_hit_once(n, d, seed):
    space = Space({f"x{j}": Float(1e-3, 1.0, log=j % 2 == 0) for j in range(d)})
    points = latin_hypercube(n, space, np.random.default_rng(seed))
    assert points.shape == (n, d)
    assert (np.sort(np.floor(points * n), axis=0) == np.arange(n)[:, None]).all()


def test_levels_and_options_are_used_evenly():
    space = Space({"x": (0.0, 1.0), "k": (1, 4), "c": ["a", "b", "c"]})
    params = [space.decode(u) for u in latin_hypercube(12, space, np.random.default_rng(0))]
    assert sorted(p["k"] for p in params) == sorted([1, 2, 3, 4] * 3)
    assert sorted(p["c"] for p in params) == sorted(["a", "b", "c"] * 4)


@steady
@given(st.integers(1, 30), st.integers(0, 99))
def test_a_constrained_start_is_feasible_and_distinct(n, seed):
    space = Space({"x": (0.0, 1.0), "y": (0.0, 1.0), "k": (0, 5)}, constraints=["x + y <= 0.4", "x >= k/10"])
    points = latin_hypercube(n, space, np.random.default_rng(seed))
    assert points.shape == (n, 3)
    assert space.contains(points).all()
    assert distinct(points) == n


@pytest.mark.parametrize("n", [1, 7, 12, 30])
@pytest.mark.parametrize("feasible", [None, lambda p: (p["k"] + p["m"]) % 2 == 0])
def test_a_finite_space_is_not_repeated_while_points_are_left(n, feasible):
    space = Space({"k": (1, 4), "m": (1, 3)}, feasible=feasible)
    points = latin_hypercube(n, space, np.random.default_rng(0))
    assert points.shape == (n, 2)
    assert space.contains(points).all()
    assert distinct(points) == min(n, len(space.enumerate(100)))


def test_added_points_keep_away_from_the_others():
    space = Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints="x + y <= 0.2")
    points = latin_hypercube(10, space, np.random.default_rng(0))
    distance = np.linalg.norm(points[:, None] - points[None], axis=2) + np.eye(10)
    assert distance.min() > 0.02


@pytest.mark.parametrize("params", [{"k": Int(0, 10**18)}, {"k": Int(1, 10**18, log=True), "c": [1, 2]}])
def test_large_integers(params):
    points = latin_hypercube(16, Space(params), np.random.default_rng(0))
    assert distinct(points) == 16


def test_the_start_is_a_function_of_the_generator():
    space = Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints="x + y <= 0.5")
    first, second, third = (latin_hypercube(9, space, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, third)


def test_counts():
    space = Space({"x": (0.0, 1.0)})
    assert latin_hypercube(0, space, np.random.default_rng(0)).shape == (0, 1)
    for n in (-1, 1.5, True):
        with pytest.raises(ArgumentError):
            latin_hypercube(n, space, np.random.default_rng(0))
    with pytest.raises(EmptyDomainError):
        latin_hypercube(2, Space({"k": (1, 9)}, feasible=lambda p: False), np.random.default_rng(0))
