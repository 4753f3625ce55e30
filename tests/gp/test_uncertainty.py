"""Laplace's interval of the noise."""

import math
from functools import partial

import numpy as np
import pytest

from knowgrad.gp.fit import SUBSET, fit
from knowgrad.gp.laplace import covariance, least_share, noise_interval
from knowgrad.gp.likelihood import Likelihood
from knowgrad.gp.prior import Prior
from tests.gp.test_fit import sample

GROUPS = np.arange(2)


def test_without_data_to_speak_of_it_is_the_priors() -> None:
    """Data of immense known noise, but for one that is learned: nothing is known of the length scales."""
    X, y = sample(6, 2, 0.1)
    known = np.array([*[1e8] * 5, math.nan])
    likelihood = Likelihood(X, y, known, GROUPS, Prior())
    centre, root = likelihood.prior_moments
    np.testing.assert_allclose(covariance(likelihood, centre)[:2, :2], (root @ root.T)[:2, :2], rtol=1e-3)


def test_it_is_the_inverse_of_the_second_derivative() -> None:
    X, y = sample(40, 2, 0.2)
    likelihood = Likelihood(X, y, np.full(40, math.nan), GROUPS, Prior())
    theta = likelihood.optimum(likelihood.starts(), 50)
    e = 1e-3 * np.eye(4)
    H = [
        [
            (likelihood(theta + a + b)[0] - likelihood(theta + a)[0] - likelihood(theta + b)[0] + likelihood(theta)[0])
            for a in e
        ]
        for b in e
    ]
    np.testing.assert_allclose(covariance(likelihood, theta) @ (np.array(H) / 1e-6), np.eye(4), atol=0.05)


@pytest.mark.parametrize("noise", [0.05, 0.5])
def test_it_holds_the_truth_and_narrows(noise: float) -> None:
    widths = []
    for n in (20, 150):
        X, y = sample(n, 2, noise, seed=2)
        known = np.full(n, math.nan)
        low, high = noise_interval([fit(X, y, known, GROUPS, Prior())], known, GROUPS)
        assert low < math.sqrt(noise) < high
        widths.append(math.log(high / low))
    assert widths[1] < 0.6 * widths[0]
    assert widths[1] == pytest.approx(2 * 1.645 / math.sqrt(2 * 150), rel=0.5)


def test_it_is_about_nine_times_in_ten_right() -> None:
    right = 0
    for seed in range(40):
        X, y = sample(25, 2, 0.3, seed)
        known = np.full(25, math.nan)
        low, high = noise_interval([fit(X, y, known, GROUPS, Prior())], known, GROUPS)
        right += low < math.sqrt(0.3) < high
    assert 32 <= right <= 40


@pytest.mark.parametrize("prior", [None, Prior()])
def test_constant_data_and_single_points_have_an_interval(prior: Prior | None) -> None:
    for n in (1, 2, 5):
        X, known = sample(n, 2, 0.1)[0], np.full(n, math.nan)
        low, high = noise_interval([fit(X, np.zeros(n), known, GROUPS, prior)], known, GROUPS)
        assert 0.0 < low < high < 100.0


def test_the_least_share_of_the_noise_grows_with_the_results() -> None:
    shares = []
    for n in (8, 30, 150):
        X, y = sample(n, 2, 0.3, seed=1)
        known = np.full(n, math.nan)
        post = fit(X, y, known, GROUPS, Prior())
        shares.append(least_share([post], known, partial(noise_interval, [post], known, GROUPS)))
        assert shares[-1] == pytest.approx(noise_interval([post], known, GROUPS)[0] ** 2 / post.noise)
    assert 0.0 < shares[0] < shares[1] < shares[2] < 1.0
    assert shares[2] > 0.6


@pytest.mark.parametrize(("n", "noise"), [(8, 0.3), (SUBSET + 1, math.nan)])
def test_noise_that_is_known_or_well_learned_is_left_as_it_is(n: int, noise: float) -> None:
    X, y = sample(n, 2, 0.3)
    known = np.full(n, noise)
    post = fit(X, y, known, GROUPS, Prior())
    assert least_share([post], known, partial(noise_interval, [post], known, GROUPS)) == 1.0
