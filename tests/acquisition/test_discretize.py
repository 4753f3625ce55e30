import dataclasses

import numpy as np
import pytest

from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.search.discretize import (
    SCREENED,
    distinct,
    fantasy_minima,
    lowest_lcb,
    minima,
    sampled_optima,
)
from knowgrad.gp.posterior import Posterior
from tests.acquisition.domains import CUBE
from tests.numeric import smooth_posterior

GRID = np.stack(np.meshgrid(*[np.linspace(0, 1, 21)] * 3), axis=-1).reshape(-1, 3)


def test_the_lowest_minimum_is_that_of_a_fine_grid() -> None:
    for seed in range(3):
        post = smooth_posterior(seed=seed)
        low = minima((post,), CUBE, np.random.default_rng(0).random((256, 3)))
        assert post.mean(low[:1])[0] <= post.mean(GRID).min() + 1e-6
        assert np.all(np.diff(post.mean(low)) >= -1e-9)


def test_a_model_of_several_posteriors_is_minimised_on_average() -> None:
    model = [smooth_posterior(noise=s) for s in (0.02, 0.3)]
    low = minima(model, CUBE, np.random.default_rng(0).random((256, 3)))
    average = np.mean([post.mean(GRID) for post in model], axis=0)
    assert np.mean([post.mean(low[:1]) for post in model]) <= average.min() + 1e-6


def test_sampled_optima_gather_where_the_minimum_is_likely() -> None:
    """Frequencies of the sampled minimiser over halves of the cube against joint samples on a grid."""
    post = smooth_posterior(n=12, noise=0.2)
    rng = np.random.default_rng(0)
    coarse = GRID[::5]
    joint = (
        post.mean(coarse)
        + rng.standard_normal((4000, len(coarse)))
        @ np.linalg.cholesky(post.cov(coarse, coarse) + 1e-8 * np.eye(len(coarse))).T
    )
    truth = (coarse[np.argmin(joint, axis=1)] > 0.5).mean(axis=0)
    drawn = np.vstack([sampled_optima(post, CUBE, rng.random((256, 3)), 64, rng) for _ in range(12)])
    np.testing.assert_allclose((drawn > 0.5).mean(axis=0), truth, atol=0.09)


def test_fantasy_minima_are_minima_of_the_posterior_given_the_fantasies() -> None:
    post = smooth_posterior()
    rng = np.random.default_rng(0)
    z, pending, Zq = rng.random((2, 3)), rng.random((1, 3)), normals(8, 3, rng)
    ahead = Lookahead(post, post.constant_noise, post.X, pending)
    x, least = fantasy_minima(ahead, z, Zq, CUBE, steps=60)
    W = np.vstack([pending, z])
    D = ahead.forward(z[None]).D[0]
    for i in range(8):
        after = post.condition(W, np.full(3, post.noise), post.mean(W) + D @ Zq[i])
        assert after.mean(x[i : i + 1])[0] == np.float64(least[i]) or abs(after.mean(x[i : i + 1])[0] - least[i]) < 1e-8
        assert least[i] <= after.mean(np.vstack([post.X, W])).min() + 1e-9
        assert least[i] <= after.mean(GRID).min() + 0.1


def test_distinct_and_lowest_lcb() -> None:
    U = np.array([[0.1, 0.1, 0.1], [0.1, 0.1, 0.1 + 1e-6], [0.9, 0.1, 0.1]])
    np.testing.assert_array_equal(distinct(U, np.ones(3)), U[[0, 2]])
    post = smooth_posterior()
    few = lowest_lcb(post, post.X, 5)
    assert len(few) == 5
    assert post.X[np.argmin(post.mean(post.X) - 2 * np.sqrt(post.var(post.X)))] in few


@pytest.mark.parametrize("noise", [1e-10, 0.05, 1.0])
def test_of_many_points_the_lowest_bounds_are_found_without_the_variance_of_all(noise: float) -> None:
    post, seen = smooth_posterior(n=40, noise=noise), []
    U = np.vstack([post.X, np.random.default_rng(5).random((SCREENED, 3))])
    bound = post.mean(U) - 2.0 * np.sqrt(post.var(U))

    class Watched(Posterior):
        def var(self, U: np.ndarray) -> np.ndarray:
            seen.append(len(U))
            return super().var(U)

    watched = Watched(**{each.name: getattr(post, each.name) for each in dataclasses.fields(post)})
    found = lowest_lcb(watched, U, 16)
    np.testing.assert_array_equal(found, U[np.sort(np.argsort(bound)[:16])])
    assert max(seen) < len(U)
