import math

import numpy as np

from knowgrad.gp.likelihood import Likelihood
from knowgrad.gp.prior import Prior
from knowgrad.gp.sample import draw, sample


def small() -> Likelihood:
    rng = np.random.default_rng(0)
    X = rng.random((8, 1))
    y = np.sin(5 * X[:, 0]) + 0.3 * rng.standard_normal(8)
    return Likelihood(X, (y - y.mean()) / y.std(), np.full(8, math.nan), np.arange(1), Prior())


def test_draws_have_the_moments_of_the_posterior() -> None:
    """Against the prior weighted by the likelihood: the definition."""
    likelihood = small()
    centre, root = likelihood.prior_moments
    rng = np.random.default_rng(1)
    theta = centre + rng.standard_normal((20000, 3)) @ root.T
    weight = np.exp([likelihood.log_likelihood(t) for t in theta])
    weight /= weight.sum()
    mean = weight @ theta
    sd = np.sqrt(weight @ (theta - mean) ** 2)
    chain = draw(likelihood, likelihood.optimum(likelihood.starts(), 50), 2000, rng, thin=4, burn=100)
    np.testing.assert_allclose(chain.mean(axis=0), mean, atol=0.12)
    np.testing.assert_allclose(chain.std(axis=0), sd, rtol=0.12)


def test_the_log_likelihood_is_the_fitted_objective_without_the_prior() -> None:
    likelihood = small()
    plain = Likelihood(likelihood.X, likelihood.y, likelihood.known, likelihood.groups, None)
    a, b = likelihood.starts()
    gap = likelihood.log_likelihood(a) - likelihood.log_likelihood(b)
    np.testing.assert_allclose(gap, plain(b)[0] - plain(a)[0], rtol=1e-9)
    assert likelihood.log_likelihood(a + 100.0) == -math.inf


def test_posteriors_at_the_draws_differ_and_repeat_with_the_seed() -> None:
    one = small()
    models = [
        sample(one.X, one.y, one.known, one.groups, Prior(), 4, np.random.default_rng(seed)) for seed in (0, 0, 1)
    ]
    assert [post.s2 for post in models[0]] == [post.s2 for post in models[1]]
    assert [post.s2 for post in models[0]] != [post.s2 for post in models[2]]
    assert len({post.s2 for post in models[0]}) == 4
