import math

import numpy as np
import pytest
from scipy.optimize import minimize

from knowgrad.gp.fit import even_subset, fit
from knowgrad.gp.kernel import matern52
from knowgrad.gp.likelihood import Likelihood
from knowgrad.gp.linalg import NUGGET
from knowgrad.gp.prior import Prior
from tests.numeric import check_gradient

RNG = np.random.default_rng(0)


def sample(n: int, D: int, noise: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Points and values drawn from a Gaussian process with length scale 0.4 and signal variance one."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, D))
    K = matern52(X, X, np.full(D, 0.4))[0] + noise * np.eye(n)
    return X, np.linalg.cholesky(K + 1e-10 * np.eye(n)) @ rng.standard_normal(n)


@pytest.mark.parametrize("prior", [None, Prior()])
@pytest.mark.parametrize("known", ["learned", "zero", "given", "mixed"])
def test_the_likelihoods_gradient_has_the_right_rate(prior: Prior | None, known: str) -> None:
    X, y = sample(15, 4, 0.1)
    variances = {"learned": math.nan, "zero": 0.0, "given": 0.1, "mixed": math.nan}[known] * np.ones(15)
    if known == "mixed":
        variances[:5] = RNG.random(5)
    likelihood = Likelihood(X, y, variances, np.array([0, 1, 2, 2]), prior)
    theta = likelihood.starts()[0] + 0.3 * np.random.default_rng(1).standard_normal(likelihood.starts().shape[1])
    check_gradient(lambda t: np.asarray(likelihood(t)[0]), likelihood(theta)[1], theta, h=1e-3)


def test_the_likelihood_is_the_normal_density() -> None:
    X, y = sample(10, 2, 0.1)
    likelihood = Likelihood(X, y, np.full(10, math.nan), np.arange(2), None)
    theta = likelihood.starts()[1]
    post = likelihood.posterior(theta)
    K = post.s2 * matern52(X, X, post.ell)[0] + np.diag(post.sigma2)
    sign, logdet = np.linalg.slogdet(K)
    naive = 0.5 * (y - post.m) @ np.linalg.solve(K, y - post.m) + 0.5 * logdet
    assert sign == 1.0
    assert likelihood(theta)[0] == pytest.approx(naive, rel=1e-10)


def test_columns_of_one_group_share_a_length_scale() -> None:
    X, y = sample(20, 3, 0.05)
    post = fit(X, y, np.full(20, math.nan), np.array([0, 1, 1]), Prior())
    assert post.ell[1] == post.ell[2] != post.ell[0]


@pytest.mark.parametrize("prior", [None, Prior()])
@pytest.mark.parametrize("noise", [0.02, 0.5])
def test_noise_and_length_scales_are_recovered_from_enough_data(prior: Prior | None, noise: float) -> None:
    X, y = sample(150, 2, noise)
    post = fit(X, y, np.full(150, math.nan), np.arange(2), prior)
    assert post.noise == pytest.approx(noise, rel=0.4)
    assert np.all((post.ell > 0.15) & (post.ell < 1.2))


def test_known_noise_is_used_as_it_is_given() -> None:
    X, y = sample(20, 2, 0.1)
    given = RNG.random(20)
    np.testing.assert_allclose(fit(X, y, given, np.arange(2)).sigma2, given, rtol=1e-12)
    exact = fit(X, y, np.zeros(20), np.arange(2))
    np.testing.assert_allclose(exact.sigma2, NUGGET * exact.s2, rtol=1e-6)
    np.testing.assert_allclose(exact.mean(X), y, atol=1e-5)


def test_a_subset_finds_nearly_the_optimum_of_many_observations() -> None:
    X, y = sample(700, 2, 0.1)
    known = np.full(700, math.nan)
    full = Likelihood(X, y, known, np.arange(2), Prior())
    best = full(full.optimum(full.starts()[:1], 50))[0]
    post = fit(X, y, known, np.arange(2), Prior())
    found = np.log([*post.ell, post.s2, post.noise])
    assert full(found)[0] < best + 1.0


@pytest.mark.parametrize("noise", [math.nan, 0.0, 1.0])
@pytest.mark.parametrize(
    "data",
    ["one", "constant", "duplicates", "neighbours", "outlier"],
)
def test_degenerate_data_give_a_finite_posterior(data: str, noise: float) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.random((12, 2)), rng.standard_normal(12)
    if data == "one":
        X, y = X[:1], np.zeros(1)
    elif data == "constant":
        y = np.zeros(12)
    elif data == "duplicates":
        X = np.repeat(X[:1], 12, axis=0)
    elif data == "neighbours":
        X = X[:1] + 1e-14 * rng.random((12, 2))
    elif data == "outlier":
        y[0] = 1e6
    post = fit(X, y, np.full(len(X), noise), np.arange(2), Prior())
    U = rng.random((5, 2))
    assert np.isfinite(post.mean(U)).all()
    assert np.isfinite(post.var(U)).all()


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_a_posterior_nearby_is_as_good_a_start_as_two_from_nothing(noise: float) -> None:
    X, y = sample(40, 4, noise)
    known, groups = np.full(40, math.nan if noise else 0.0), np.array([0, 1, 2, 2])
    likelihood = Likelihood(X, y, known, groups, Prior())
    first = fit(X, y, known, groups, Prior())
    assert np.allclose(likelihood.posterior(likelihood.theta(first)).ell, first.ell)
    cold, warm = (fit(X, y + 0.05 * X[:, 0], known, groups, Prior(), near=near) for near in (None, first))
    bent = Likelihood(X, y + 0.05 * X[:, 0], known, groups, Prior())
    assert abs(bent(bent.theta(warm))[0] - bent(bent.theta(cold))[0]) < 0.05


def test_length_scales_are_alike_before_the_data_say_otherwise() -> None:
    centre, root = Prior(common=1.0, own=0.5).moments(4, learned=True)
    cov = root @ root.T
    np.testing.assert_allclose(np.diag(cov)[:4], 1.25)
    np.testing.assert_allclose(cov[0, 1:4], 1.0)
    np.testing.assert_allclose(np.exp(centre[:4]), 1.0)
    assert len(centre) == 6


def test_options_of_a_choice_are_expected_to_be_less_unlike_than_the_ends_of_a_range() -> None:
    X = np.random.default_rng(0).random((8, 4))
    centre, _ = Likelihood(X, X[:, 0], np.zeros(8), np.array([0, 1, 1, 1]), Prior()).prior_moments
    assert centre[1] == pytest.approx(centre[0] + np.log(2.0))


def test_of_very_many_observations_a_part_says_almost_all() -> None:
    """A maximum on m of n observations loses about ½ (n/m − 1) in log posterior for each of the hyperparameters."""
    rng = np.random.default_rng(1)
    X = rng.random((1100, 2))
    y = np.sin(4 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.standard_normal(1100)
    y = (y - y.mean()) / y.std()
    post = fit(X, y, np.full(1100, np.nan), np.arange(2), Prior())
    whole = Likelihood(X, y, np.full(1100, np.nan), np.arange(2), Prior())
    assert len(post.X) == 1100
    found = np.log([*post.ell, post.s2, post.noise])
    expected = 0.5 * (1100 / len(even_subset(1100)) - 1.0) * len(found)
    assert whole(found)[0] == pytest.approx(whole(whole.optimum(found[None], 20))[0], abs=2.0 * expected)


def test_tails_settle_at_the_maximum_under_students_law() -> None:
    """After many rounds no θ near the one found has a higher likelihood times Student's prior of the own parts."""
    X, y = _two_of_five(30)
    known, prior = np.full(30, math.nan), Prior()
    likelihood = Likelihood(X, y, known, np.arange(5), prior)
    centre = likelihood.prior_moments[0]
    theta = likelihood.optimum(likelihood.starts(), 50)
    for _ in range(60):
        likelihood = likelihood.reweighted(theta)
        theta = minimize(likelihood, theta, jac=True, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-8}).x

    def loss(at: np.ndarray) -> float:
        gap = at[:5] - centre[:5]
        own = [(gap - c, 0.5 * (c / prior.common) ** 2) for c in np.linspace(-4, 4, 4001)]
        tails = min(2.5 * float(np.log1p((t / prior.own) ** 2 / 4).sum()) + rest for t, rest in own)
        rest = 0.5 * sum(((a - m) / s) ** 2 for a, (m, s) in zip(at[5:], (prior.s2, prior.noise), strict=True))
        return tails + rest - likelihood.log_likelihood(at)

    found = loss(theta)
    for k in range(7):
        step = 0.05 * np.eye(7)[k]
        assert found < loss(theta + step)
        assert found < loss(theta - step)


def test_a_parameter_that_does_not_matter_is_known_by_its_length_scale() -> None:
    X, y = _two_of_five(50)
    known = np.full(50, math.nan)
    with_tails, without = (fit(X, y, known, np.arange(5), Prior(tail=tail)).ell for tail in (4.0, 1e9))
    assert with_tails[2:].min() > 6.0 * with_tails[:2].max()
    assert (with_tails[2:] > 1.3 * without[2:]).all()


def test_endless_degrees_of_freedom_leave_a_normal_law() -> None:
    gap = np.array([0.3, -0.2, 2.0])
    np.testing.assert_allclose(Prior(tail=1e9).reweighted(gap).stretch, 1.0, rtol=1e-6)
    assert np.ptp(Prior(tail=4.0).reweighted(gap).stretch) > 0.2


def _two_of_five(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two parameters matter, three do not."""
    rng = np.random.default_rng(0)
    X = rng.random((n, 5))
    y = np.sin(6 * X[:, 0]) + 4 * (X[:, 1] - 0.3) ** 2 + 0.05 * rng.standard_normal(n)
    return X, (y - y.mean()) / y.std()
