"""Failures as data: a chance of failing, and pseudo-observations that raise the mean and change nothing else."""

import numpy as np
import pytest

from knowgrad.gp.posterior import Posterior
from knowgrad.model.failures import Failing, penalized

RNG = np.random.default_rng(0)
ELL = np.array([0.4, 0.6])
GROUPS = np.arange(2)


def bowl(X: np.ndarray, noise: float = 1e-6) -> Posterior:
    return Posterior.build(X, 4.0 * ((X - 0.5) ** 2).sum(axis=1), np.full(len(X), noise), ELL, 1.5, noise=noise)


POST = bowl(RNG.random((15, 2)) * [1.0, 0.6])  # results in the lower part
ABOVE = np.array([[0.5, 0.95]])


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_one_failure_raises_the_mean_by_its_chance(p: float) -> None:
    after = penalized(POST, ABOVE, np.array([p]))
    np.testing.assert_allclose(after.mean(ABOVE), POST.mean(ABOVE) + 2.0 * p * np.sqrt(POST.var(ABOVE)), rtol=1e-6)


def test_failures_at_one_place_add_up_to_two_standard_deviations() -> None:
    rise = [
        penalized(POST, np.repeat(ABOVE, m, axis=0), np.full(m, 0.5)).mean(ABOVE) - POST.mean(ABOVE)
        for m in (1, 2, 4, 100)
    ]
    np.testing.assert_allclose(
        np.ravel(rise) / np.sqrt(POST.var(ABOVE)), 2.0 * np.array([1 / 2, 2 / 3, 4 / 5, 1]), 0.02
    )


def test_results_noise_and_hyperparameters_stay() -> None:
    after = penalized(POST, np.vstack([ABOVE, ABOVE - 0.1]), np.full(2, 0.9))
    np.testing.assert_allclose(after.mean(POST.X), POST.y, atol=1e-3)
    np.testing.assert_array_equal(after.ell, POST.ell)
    assert (after.s2, after.m, after.noise) == (POST.s2, POST.m, POST.noise)
    assert np.all(after.var(ABOVE) <= POST.var(ABOVE))


@pytest.mark.parametrize("m", [1, 5])
def test_failures_where_there_are_exact_results_change_little(m: int) -> None:
    after = penalized(POST, np.repeat(POST.X[:1], m, axis=0), np.full(m, 0.9))
    grid = RNG.random((50, 2))
    np.testing.assert_allclose(after.mean(grid), POST.mean(grid), atol=0.02)


def test_the_chance_follows_a_border() -> None:
    U = np.random.default_rng(1).random((60, 2))
    fails = U[:, 0] + U[:, 1] > 1.1
    failing = Failing.fit(U[~fails], U[fails], GROUPS)
    fresh = RNG.random((200, 2))
    truth = fresh.sum(axis=1) > 1.1
    assert np.mean((failing.chance(fresh) > 0.5) == truth) > 0.93
    assert failing.others()[: np.sum(~fails)].mean() < 0.2 < 0.8 < failing.others()[np.sum(~fails) :].mean()


def test_failures_anywhere_are_as_likely_everywhere() -> None:
    rng = np.random.default_rng(2)
    U, fails = rng.random((80, 2)), rng.random(80) < 0.2
    failing = Failing.fit(U[~fails], U[fails], GROUPS)
    chance = failing.chance(rng.random((200, 2)))
    assert np.mean(chance > 0.5) < 0.03
    assert chance.mean() == pytest.approx(fails.mean(), abs=0.05)


def test_one_of_each_is_enough() -> None:
    failing = Failing.fit(np.array([[0.2, 0.2]]), np.array([[0.8, 0.8]]), GROUPS)
    low, high = failing.chance(np.array([[0.2, 0.2], [0.8, 0.8]]))
    assert low < 0.5 < high


def test_the_same_point_may_fail_and_succeed() -> None:
    here = np.full((3, 2), 0.5)
    assert np.isfinite(Failing.fit(here, here, GROUPS).chance(here)).all()
