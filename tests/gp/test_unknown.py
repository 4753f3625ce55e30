"""What a posterior does not know of: the constant mean, and the hyperparameters."""

import numpy as np
import pytest

from knowgrad.gp import unknown
from knowgrad.gp.fit import fit
from knowgrad.gp.laplace import covariance
from knowgrad.gp.likelihood import Likelihood
from knowgrad.gp.prior import Prior
from knowgrad.gp.unknown import added


@pytest.fixture
def noisy():
    rng = np.random.default_rng(0)
    X = rng.random((20, 2))
    y = np.sin(5 * X[:, 0]) + X[:, 1] + 0.2 * rng.standard_normal(20)
    y = (y - y.mean()) / y.std()
    known, groups = np.full(20, np.nan), np.arange(2)
    return fit(X, y, known, groups, Prior()), known, groups, rng.random((5, 2))


def test_an_unknown_mean_adds_what_a_constant_of_any_size_in_the_kernel_would(noisy):
    post, _, _, U = noisy
    wide = 1e6
    both = np.vstack([post.X, U])
    K = post.s2 * post.kernel(both, both, post.ell)[0] + wide
    n = len(post.X)
    C = K[:n, :n] + np.diag(post.sigma2)
    expected = np.diag(K[n:, n:] - K[n:, :n] @ np.linalg.solve(C, K[:n, n:]))
    _, variance, share = unknown._moments(post, U)
    assert variance == pytest.approx(post.var(U))
    assert variance + share**2 == pytest.approx(expected, rel=1e-4)


def test_of_very_many_results_the_mean_alone_is_counted(noisy, monkeypatch):
    post, known, groups, U = noisy
    monkeypatch.setattr(unknown, "SUBSET", 9)
    *_, share = unknown._moments(post, U)
    value, difference = added(post, known, groups, U)
    assert value == pytest.approx(share**2)
    assert difference == pytest.approx((share - share[0]) ** 2)


def test_unknown_hyperparameters_spread_the_means_as_draws_of_them_do(noisy):
    post, known, groups, U = noisy
    likelihood = Likelihood(post.X, post.y, known, groups, Prior(), post.kernel)
    theta = likelihood.theta(post)
    likelihood = likelihood.reweighted(theta)
    root = np.linalg.cholesky(covariance(likelihood, theta))
    rng = np.random.default_rng(1)
    small = 0.2  # of a standard deviation: there the mean is linear in θ
    draws = [likelihood.posterior(theta + small * root @ rng.standard_normal(len(theta))) for _ in range(300)]
    drawn = np.mean([(draw.mean(U) - post.mean(U)) ** 2 for draw in draws], axis=0) / small**2
    others = unknown._others(post, known, groups)
    spread = np.sum([0.5 * (other.mean(U) - post.mean(U)) ** 2 for other in others], axis=0)
    assert np.all(spread > 0.5 * drawn)
    assert np.all(spread < 2.0 * drawn)
    value, difference = added(post, known, groups, U)
    assert np.all(value > spread)
    assert difference[0] == 0.0
    assert np.all(difference[1:] > 0.0)
