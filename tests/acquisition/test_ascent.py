import numpy as np
import pytest
from scipy.optimize import minimize

from knowgrad.acquisition.search import ascent
from knowgrad.acquisition.search.ascent import ascend
from knowgrad.space import Space
from tests.acquisition.domains import BALL, CORNER, CUBE
from tests.memory import peak
from tests.numeric import smooth_posterior

ONES = np.full(3, 0.5)


def bowl(centre: np.ndarray):
    """−‖H(x − c)‖², badly conditioned."""
    H = np.array([1.0, 10.0, 30.0])

    def fun(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gap = H * (Z - centre)
        return -(gap**2).sum(axis=(1, 2)), -2 * H * gap

    return fun


def test_a_badly_conditioned_bowl_is_climbed_from_every_start() -> None:
    Z0 = np.random.default_rng(0).random((7, 2, 3))
    Z, value = ascend(bowl(np.array([0.3, 0.6, 0.1])), Z0, CUBE, ONES, steps=60, tol=1e-12)
    np.testing.assert_allclose(Z, np.broadcast_to([0.3, 0.6, 0.1], Z.shape), atol=1e-4)
    assert np.all(value > -1e-5)


def test_an_optimum_outside_the_box_is_found_on_its_border() -> None:
    Z, _ = ascend(bowl(np.array([1.5, 0.5, -0.3])), np.full((1, 1, 3), 0.5), CUBE, ONES, steps=60, tol=1e-12)
    np.testing.assert_allclose(Z[0, 0], [1.0, 0.5, 0.0], atol=1e-4)


def test_an_optimum_outside_a_half_space_is_found_on_its_border() -> None:
    def fun(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return -((Z - [0.8, 0.6, 0.5]) ** 2).sum(axis=(1, 2)), -2 * (Z - [0.8, 0.6, 0.5])

    Z, _ = ascend(fun, np.full((1, 1, 3), 0.2), CORNER, ONES, steps=100, tol=1e-12)
    np.testing.assert_allclose(Z[0, 0], [0.5, 0.3, 0.5], atol=1e-3)


def test_no_step_leaves_a_domain_with_a_membership_test() -> None:
    Z, _ = ascend(bowl(np.array([1.0, 1.0, 1.0])), np.full((3, 1, 3), 0.5), BALL, ONES, steps=40)
    assert BALL.contains(Z[:, 0]).all()


def test_every_start_knows_its_own_objective_after_others_have_stopped() -> None:
    centres = np.random.default_rng(1).random((9, 1, 3))
    Z0 = centres.copy()
    Z0[4:] = 0.5  # the first four start at their optimum and stop at once

    def fun(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return -((Z - centres[rows]) ** 2).sum(axis=(1, 2)), -2 * (Z - centres[rows])

    np.testing.assert_allclose(ascend(fun, Z0, CUBE, ONES, steps=50, tol=1e-12)[0], centres, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_it_reaches_what_scipy_reaches(seed: int) -> None:
    post = smooth_posterior(seed=seed)
    start = np.random.default_rng(seed).random(3)

    def fun(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, gradient = post.mean_and_gradient(Z[:, 0])
        return -mean, -gradient[:, None]

    value = ascend(fun, start[None, None], CUBE, ONES, steps=100, tol=1e-12)[1][0]
    theirs = minimize(
        lambda x: (post.mean(x[None])[0], post.mean_and_gradient(x[None])[1][0]), start, jac=True, bounds=[(0, 1)] * 3
    )
    local = -value <= theirs.fun + 1e-5
    assert local or abs(-value - post.mean(start[None])[0]) > 0.1, "neither the same optimum nor real progress"
    assert -value <= post.mean(start[None])[0]


def test_nan_is_never_accepted() -> None:
    def fun(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        value = np.where(Z[:, 0, 0] > 0.6, np.nan, Z[:, 0, 0])
        return value, np.ones_like(Z)

    Z, value = ascend(fun, np.full((1, 1, 3), 0.5), CUBE, ONES, steps=30)
    assert np.isfinite(value).all()
    assert Z[0, 0, 0] <= 0.6


def many_options(options: int) -> tuple[Space, np.ndarray]:
    """A choice and two numbers, and eight points of it."""
    space = Space({"c": [f"o{k}" for k in range(options)], "x": (0.0, 1.0), "y": (0.0, 1.0)})
    return space, space.sample(8, np.random.default_rng(0))[:, None]


def rippled(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A function of the last two columns, with a slope along the others that must not count."""
    gap = Z[..., -2:] - [0.3, 0.7]
    slope = np.ones_like(Z)
    slope[..., -2:] = -2.0 * gap - 0.6 * np.sin(6.0 * gap)
    return (-(gap**2) + 0.1 * np.cos(6.0 * gap)).sum(axis=(1, 2)), slope


def test_a_choice_of_many_options_takes_no_room_in_the_curvature() -> None:
    space, Z0 = many_options(500)
    assert peak(lambda: ascend(rippled, Z0, space, np.full(space.dim, 0.5))) < 2e6  # one H of all columns has 2 MB


def test_the_columns_of_a_choice_are_the_same_in_or_out_of_the_curvature(monkeypatch: pytest.MonkeyPatch) -> None:
    space, Z0 = many_options(40)
    without, value = ascend(rippled, Z0, space, np.full(space.dim, 0.5))
    monkeypatch.setattr(ascent, "FIXED", 1_000)
    carried, other = ascend(rippled, Z0, space, np.full(space.dim, 0.5))
    np.testing.assert_allclose(without, carried, atol=1e-12)
    np.testing.assert_allclose(value, other, atol=1e-12)
    np.testing.assert_array_equal(without[..., :40], Z0[..., :40])
