"""Leave-one-out in closed form, against leaving each one out."""

import math

import numpy as np
import pytest

from knowgrad.gp.loo import constant_density, leave_one_out, log_normal, mixture
from knowgrad.gp.posterior import Posterior

RNG = np.random.default_rng(0)
ELL = np.array([0.3, 0.7])


def posterior(X: np.ndarray, noise: float = 0.05, ell: np.ndarray = ELL) -> Posterior:
    y = np.sin(5.0 * X[:, 0]) + X[:, 1] + 0.2 * np.random.default_rng(1).standard_normal(len(X))
    return Posterior.build(X, y, noise * (1.0 + np.arange(len(X)) / len(X)), ell, 1.3)


POINTS = RNG.random((12, 2))
REPLICATES = np.vstack([POINTS[:6], POINTS[:6], POINTS[:1]])


@pytest.mark.parametrize("X", [POINTS, REPLICATES, POINTS[:2], POINTS[:1]], ids=["all", "replicates", "two", "one"])
@pytest.mark.parametrize("noise", [0.05, 1e-6])
def test_it_is_what_a_model_without_the_point_predicts(X: np.ndarray, noise: float) -> None:
    post = posterior(X, noise)
    mean, variance = leave_one_out(post)
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        without = Posterior.build(X[rest], post.y[rest], post.sigma2[rest], ELL, 1.3, m=post.m) if rest.any() else None
        here = X[i : i + 1]
        assert mean[i] == pytest.approx(post.m if without is None else without.mean(here)[0], abs=1e-7)
        latent = 1.3 if without is None else without.var(here)[0]
        assert variance[i] == pytest.approx(latent + post.sigma2[i], rel=1e-5)


def test_exact_replicates_predict_each_other() -> None:
    post = Posterior.build(np.vstack([POINTS, POINTS]), np.tile(POINTS[:, 0], 2), np.full(24, 1e-12), ELL, 1.0)
    mean, variance = leave_one_out(post)
    np.testing.assert_allclose(mean, post.y, atol=1e-5)
    assert np.all(variance > 0.0)


def test_one_posterior_is_a_mixture_of_one() -> None:
    post = posterior(POINTS)
    mean, variance, density = mixture([post, post])
    np.testing.assert_allclose([mean, variance], leave_one_out(post), rtol=1e-12)
    np.testing.assert_allclose(density, log_normal(post.y, mean, variance), rtol=1e-12)


def test_a_mixture_averages_densities_and_adds_the_spread_of_the_means() -> None:
    model = [posterior(POINTS), posterior(POINTS, 0.3, 2.0 * ELL)]
    (m1, v1), (m2, v2) = (leave_one_out(post) for post in model)
    mean, variance, density = mixture(model)
    np.testing.assert_allclose(mean, (m1 + m2) / 2)
    np.testing.assert_allclose(variance, (v1 + v2) / 2 + (m1 - m2) ** 2 / 4)
    parts = [np.exp(log_normal(model[0].y, m, v)) for m, v in ((m1, v1), (m2, v2))]
    np.testing.assert_allclose(np.exp(density), np.mean(parts, axis=0))


def test_the_constant_model_leaves_one_out_too() -> None:
    y = RNG.standard_normal(7)
    for i, density in enumerate(constant_density(y)):
        rest = np.delete(y, i)
        scale = rest.std(ddof=1) * math.sqrt(1 + 1 / 6)
        assert density == pytest.approx(log_normal(y[i], rest.mean(), scale**2))


def test_calibrated_data_have_standard_normal_residuals() -> None:
    rng = np.random.default_rng(3)
    X = rng.random((300, 2))
    K = Posterior.build(X, np.zeros(300), np.full(300, 0.1), ELL, 1.0, m=0.0).L
    post = Posterior.build(X, K @ rng.standard_normal(300), np.full(300, 0.1), ELL, 1.0, m=0.0)
    mean, variance = leave_one_out(post)
    z = (post.y - mean) / np.sqrt(variance)
    assert np.mean(np.abs(z) < 0.6745) == pytest.approx(0.5, abs=0.1)
    assert np.mean(np.abs(z) < 1.645) == pytest.approx(0.9, abs=0.06)
