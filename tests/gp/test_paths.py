import numpy as np
import pytest

from knowgrad.gp.kernel import TWICE_ORDER, Kernel
from knowgrad.gp.paths import Paths
from knowgrad.gp.posterior import Posterior
from tests.numeric import check_gradient, smooth_posterior


@pytest.mark.parametrize("kernel", TWICE_ORDER)
def test_paths_have_the_posteriors_mean_and_covariance(kernel: Kernel) -> None:
    rough = smooth_posterior(n=15, D=2)
    post = Posterior.build(rough.X, rough.y, rough.sigma2, rough.ell, rough.s2, kernel=kernel)
    rng = np.random.default_rng(0)
    U = rng.random((6, 2))
    # Frequencies are shared by the paths of one draw: average over draws as well as over paths.
    draws = np.vstack([Paths.draw(post, 200, rng).values(U) for _ in range(60)])
    se = np.sqrt(post.var(U) / len(draws))
    assert np.all(np.abs(draws.mean(axis=0) - post.mean(U)) < 5 * se + 0.01)
    np.testing.assert_allclose(np.cov(draws.T), post.cov(U, U), atol=0.05 * post.var(U).max() + 0.005)


def test_variance_is_not_lost_as_data_come_in() -> None:
    """Away from the data a path must keep the prior's spread, however many observations there are."""
    post = smooth_posterior(n=200, D=2)
    post = post.condition(0.3 * np.random.default_rng(1).random((100, 2)), np.full(100, 0.01))
    U = np.random.default_rng(2).random((8, 2))
    rng = np.random.default_rng(0)
    draws = np.vstack([Paths.draw(post, 100, rng).values(U) for _ in range(40)])
    np.testing.assert_allclose(draws.std(axis=0), np.sqrt(post.var(U)), rtol=0.15)


def test_values_and_gradients_of_single_paths_agree() -> None:
    post = smooth_posterior(n=15, D=2)
    rng = np.random.default_rng(0)
    paths, U, rows = Paths.draw(post, 7, rng), rng.random((5, 2)), np.array([6, 0, 3, 3, 1])
    value, gradient = paths.value_and_gradient(U, rows)
    np.testing.assert_allclose(value, paths.values(U)[rows, np.arange(5)], rtol=1e-10)
    check_gradient(lambda x: paths.value_and_gradient(x, rows)[0].sum(), gradient, U, h=1e-3)
