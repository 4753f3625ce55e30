import numpy as np
import pytest

from knowgrad.gp.kernel import matern52
from knowgrad.gp.linalg import LARGE, inverse_triangular
from knowgrad.gp.posterior import Posterior
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng(3)
U = RNG.random((6, 3))


def naive(post: Posterior, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance as the paper writes them (eq. 3.1)."""
    K = post.s2 * matern52(post.X, post.X, post.ell)[0] + np.diag(post.sigma2)
    k = post.s2 * matern52(U, post.X, post.ell)[0]
    mean = post.m + k @ np.linalg.solve(K, post.y - post.m)
    return mean, post.s2 * matern52(U, U, post.ell)[0] - k @ np.linalg.solve(K, k.T)


def test_mean_and_covariance_are_the_papers() -> None:
    post = smooth_posterior()
    mean, cov = naive(post, U)
    np.testing.assert_allclose(post.mean(U), mean, rtol=1e-10)
    np.testing.assert_allclose(post.cov(U, U), cov, atol=1e-12)
    np.testing.assert_allclose(post.var(U), np.diag(cov), atol=1e-12)


def test_gradients_have_the_right_rate() -> None:
    post = smooth_posterior()
    mean, slope = post.mean_and_gradient(U)
    np.testing.assert_allclose(mean, post.mean(U), rtol=1e-12)
    check_gradient(lambda x: post.mean(x).sum(), slope, U)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_conditioning_equals_refitting_on_all_data(noise: float) -> None:
    post = smooth_posterior(noise=max(noise, 1e-8))
    y, sigma2 = RNG.standard_normal(6), np.full(6, max(noise, 1e-8))
    conditioned = post.condition(U, sigma2, y)
    refitted = Posterior.build(
        np.vstack([post.X, U]), np.append(post.y, y), np.append(post.sigma2, sigma2), post.ell, post.s2, post.m
    )
    V = RNG.random((5, 3))
    np.testing.assert_allclose(conditioned.mean(V), refitted.mean(V), atol=1e-6)
    np.testing.assert_allclose(conditioned.cov(V, V), refitted.cov(V, V), atol=1e-6)


def test_of_many_results_the_inverse_is_extended_and_no_other() -> None:
    """It is that of the factor, and the mean is the one of a refit."""
    post, y = smooth_posterior(n=LARGE), RNG.standard_normal(6)
    conditioned = post.condition(U, np.full(6, 0.05), y)
    np.testing.assert_allclose(conditioned.Linv, inverse_triangular(conditioned.L), rtol=1e-8, atol=1e-10)
    X, sigma2 = np.vstack([post.X, U]), np.append(post.sigma2, np.full(6, 0.05))
    refitted = Posterior.build(X, np.append(post.y, y), sigma2, post.ell, post.s2, post.m)
    np.testing.assert_allclose(conditioned.mean(U), refitted.mean(U), atol=1e-9)


def test_conditioning_without_values_leaves_the_mean_and_lowers_the_variance() -> None:
    post = smooth_posterior()
    pending = post.condition(U, np.full(6, 0.05))
    V = RNG.random((5, 3))
    np.testing.assert_allclose(pending.mean(V), post.mean(V), atol=1e-9)
    assert np.all(pending.var(V) < post.var(V))


def test_the_profiled_mean_maximises_the_likelihood() -> None:
    post = smooth_posterior()

    def misfit(m: float) -> float:
        w = np.linalg.solve(post.L, post.y - m)
        return float(w @ w)

    assert misfit(post.m) < min(misfit(post.m - 1e-3), misfit(post.m + 1e-3))


def test_exact_duplicates_without_noise_do_not_raise() -> None:
    X = np.repeat(RNG.random((3, 2)), 4, axis=0)
    post = Posterior.build(X, RNG.standard_normal(12), np.zeros(12), np.ones(2), 1.0)
    assert np.isfinite(post.mean(X)).all()
    assert np.isfinite(post.var(X)).all()
