import pickle
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
import pytest
from scipy.optimize import minimize

from knowgrad.problems import ACKLEY5, BRANIN, HARTMANN6, PROBLEMS, ROSENBROCK3, Problem

every_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=lambda problem: problem.name)


def box(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.array(list(problem.space.values())).T
    return low, high


def test_the_paper_s_domains():
    assert {name: (len(p.space), set(p.space.values())) for name, p in PROBLEMS.items()} == {
        "branin": (2, {(-15.0, 15.0)}),
        "rosenbrock3": (3, {(-2.0, 2.0)}),
        "ackley5": (5, {(-2.0, 2.0)}),
        "hartmann6": (6, {(0.0, 1.0)}),
    }


@every_problem
def test_the_optimum_is_attained_inside_the_box(problem):
    low, high = box(problem)
    for params in problem.optimizers:
        point = np.array([params[name] for name in problem.space])
        assert np.all((low <= point) & (point <= high))
        assert problem(params) == pytest.approx(problem.optimum, abs=1e-13)


@every_problem
def test_no_lower_value_is_found_and_no_other_optimizer(problem):
    low, high = box(problem)
    known = np.array([list(params.values()) for params in problem.optimizers])
    for start in np.random.default_rng(0).uniform(low, high, (60, len(low))):
        end = minimize(lambda x: problem.values(x[None])[0], start, bounds=list(zip(low, high, strict=True)))
        assert end.fun >= problem.optimum - 1e-12
        if end.fun < problem.optimum + 1e-6:
            assert np.min(np.linalg.norm(known - end.x, axis=1)) < 1e-2


def test_branin_s_next_minima_lie_outside_the_wider_box():
    """The floors where cos x1 = −1 are at odd multiples of π; only three of them are inside [−15, 15]²."""
    x1 = np.pi * np.arange(-9, 10, 2)
    x2 = 5.1 / (4 * np.pi**2) * x1**2 - 5 / np.pi * x1 + 6
    np.testing.assert_allclose(BRANIN.values(np.column_stack([x1, x2])), BRANIN.optimum)
    inside = (np.abs(x1) <= 15) & (np.abs(x2) <= 15)
    listed = [(params["x1"], params["x2"]) for params in BRANIN.optimizers]
    np.testing.assert_allclose(np.column_stack([x1, x2])[inside], listed)


def test_published_values():
    assert pytest.approx(0.397887, abs=5e-7) == BRANIN.optimum
    assert pytest.approx(-3.32237, abs=5e-6) == HARTMANN6.optimum
    assert BRANIN({"x1": 0.0, "x2": 0.0}) == pytest.approx(55.602113, abs=1e-6)
    assert ROSENBROCK3(dict.fromkeys(ROSENBROCK3.space, 0.0)) == 2.0
    assert ROSENBROCK3({"x1": -1.0, "x2": 1.0, "x3": 1.0}) == 4.0
    assert ACKLEY5(dict.fromkeys(ACKLEY5.space, 1.0)) == pytest.approx(20 - 20 * np.exp(-0.2))
    assert HARTMANN6(dict.fromkeys(HARTMANN6.space, 0.5)) == pytest.approx(-0.505315, abs=1e-6)


@every_problem
def test_rows_and_params_agree(problem):
    X = np.random.default_rng(1).uniform(*box(problem), (7, len(problem.space)))
    one_by_one = [problem(dict(zip(problem.space, row, strict=True))) for row in X.tolist()]
    np.testing.assert_allclose(problem.values(X), one_by_one, rtol=1e-12)


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="rows of 2 numbers"):
        BRANIN.values([1.0, 2.0])
    with pytest.raises(ValueError, match="standard deviation"):
        BRANIN.noisy(-1.0)


def test_noise_has_the_stated_mean_and_sd():
    params = HARTMANN6.optimizers[0]
    objective = HARTMANN6.noisy(0.5, seed=0)
    errors = np.array([objective(params) for _ in range(4000)]) - HARTMANN6(params)
    assert abs(errors.mean()) < 4 * 0.5 / np.sqrt(4000)
    assert errors.std() == pytest.approx(0.5, rel=0.05)


def test_a_seed_repeats_the_sequence():
    params = BRANIN.optimizers[0]
    first, second = BRANIN.noisy(1.0, seed=3), BRANIN.noisy(1.0, seed=3)
    sequence = [first(params) for _ in range(5)]
    assert sequence == [second(params) for _ in range(5)]
    assert len(set(sequence)) == 5


def test_copies_sent_to_workers_do_not_share_their_noise():
    objective = BRANIN.noisy(1.0, seed=3)
    params = BRANIN.optimizers[0]
    here = [pickle.loads(pickle.dumps(objective))(params) for _ in range(3)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = list(pool.map(objective, [params] * 4))
    values = sorted([objective(params), *here, *there])
    assert all(a < b for a, b in pairwise(values))
