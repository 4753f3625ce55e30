"""`ei`, `pi`, `constant-liar`, `kriging-believer` and `mc-ei` against quadrature, refits and brute force."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from knowgrad.acquisition.criteria.improvement import expected_improvement, log_ei, log_h
from knowgrad.acquisition.criteria.pointwise import Pointwise
from knowgrad.acquisition.methods.constant_liar import ConstantLiar
from knowgrad.acquisition.methods.ei import EI
from knowgrad.acquisition.methods.kriging_believer import KrigingBeliever
from knowgrad.acquisition.methods.mc_ei import MCEI, fantasised_ei
from knowgrad.acquisition.methods.pi import PI, log_pi, probability_of_improvement
from knowgrad.acquisition.search.greedy import condition_exact
from tests.acquisition.questions import LINE, SQUARE, listed_question, moments, question, refitted
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng
EXACT = 1e-10  # variance of what is pretended to be known, in units of s²


def literal_ei(post, points: np.ndarray) -> np.ndarray:
    mu, sd = moments(post, points)
    u = (post.mean(post.X).min() - mu) / sd
    return sd * (u * norm.cdf(u) + norm.pdf(u))


@pytest.mark.parametrize("mu", [-1.0, 0.0, 0.7, 3.0])
@pytest.mark.parametrize("sd", [0.1, 1.0])
def test_ei_is_the_integral_of_the_improvement(mu: float, sd: float) -> None:
    best = 0.2
    low, high = mu - 12 * sd, min(best, mu + 12 * sd)
    truth = quad(lambda f: (best - f) * norm.pdf(f, mu, sd), low, high, epsabs=0, limit=200)[0] if low < best else 0.0
    value, _, _ = log_ei(np.array([best]), np.array([[mu]]), np.array([[sd]]))
    assert np.exp(value[0, 0]) == pytest.approx(truth, rel=1e-8, abs=1e-80)


@pytest.mark.parametrize("mu", [-1.0, 0.0, 0.7, 3.0])
def test_pi_is_the_integral_of_the_density(mu: float) -> None:
    truth = quad(lambda f: norm.pdf(f, mu, 0.4), mu - 15, 0.19, epsabs=0, limit=200, points=[mu - 1, mu])[0]
    value, _, _ = log_pi(np.array([0.19]), np.array([[mu]]), np.array([[0.4]]))
    assert np.exp(value[0, 0]) == pytest.approx(truth, rel=1e-7)


def test_log_h_is_smooth_where_its_formulas_meet_and_its_slope_is_right() -> None:
    """d log h/du = Φ/h, d log h/ds at fixed μ by φ/h: by differences of the value, over ten decades of u."""
    for u in (30.0, 2.0, -1.0, -5.0, -30.0, -99.9999, -100.0, -100.0001, -1e3, -1e6):
        step = 1e-5 * max(1.0, abs(u))
        values, by_u, by_s = log_h(np.array([u - step, u, u + step]))
        assert by_u[1] == pytest.approx((values[2] - values[0]) / (2 * step), rel=1e-6)
        assert by_s[1] + u * by_u[1] == pytest.approx(1.0, rel=1e-8 * max(1.0, abs(u)) ** 2)
    left, right = (log_h(np.array([-100.0 + d])) for d in (-1e-9, 1e-9))
    np.testing.assert_allclose(np.hstack(left), np.hstack(right), rtol=1e-9)


def test_log_h_agrees_with_h_where_that_can_be_computed() -> None:
    u = np.linspace(-4.0, 40.0, 200)
    np.testing.assert_allclose(log_h(u)[0], np.log(norm.pdf(u) + u * norm.cdf(u)), rtol=1e-9, atol=1e-12)


def test_gradients_are_finite_and_not_zero_where_ei_and_pi_underflow() -> None:
    u = -np.array([40.0, 1e2, 1e4, 1e8])
    assert np.all(np.exp(log_h(u)[0]) == 0.0)
    for score in (log_ei, log_pi):
        value, by_mu, by_sd = score(np.zeros(1), -u[:, None] * 1e-2, np.full((4, 1), 1e-2))
        assert np.isfinite(value).all()
        assert np.isfinite(by_mu).all()
        assert np.all(by_mu < 0.0)
        assert np.all(by_sd > 0.0)
        assert np.isfinite(by_sd).all()


def acquisitions() -> dict[str, Pointwise]:
    model = [smooth_posterior(noise=s) for s in (0.05, 0.2)]
    noise = [post.constant_noise for post in model]
    running = condition_exact(model, noise, RNG(3).random((2, 3)))
    return {
        "ei": expected_improvement(model),
        "pi": probability_of_improvement(model, 0.01),
        "mc-ei": fantasised_ei(running, RNG(4).standard_normal((2, 2, 7))),
    }


@pytest.mark.parametrize("name", ["ei", "pi", "mc-ei"])
def test_gradients_with_respect_to_the_point(name: str) -> None:
    acquisition = acquisitions()[name]
    Z = RNG(5).random((4, 1, 3))
    value, gradient = acquisition(Z, np.arange(4))
    np.testing.assert_allclose(value, acquisition.value(Z), rtol=1e-12)
    check_gradient(lambda x: acquisition.value(x).sum(), gradient, Z)


def test_posteriors_are_averaged_as_ei_not_as_its_logarithm() -> None:
    model = [smooth_posterior(noise=s) for s in (0.05, 0.2, 0.4)]
    U = RNG(0).random((9, 3))
    truth = np.mean([literal_ei(post, U) for post in model], axis=0)
    np.testing.assert_allclose(np.exp(expected_improvement(model).value(U[:, None])), truth, rtol=1e-6)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_the_believer_is_the_batch_form_of_ei(noise: float) -> None:
    asked, _ = listed_question(SQUARE, 3, noise=noise, pending=1)
    batches = [method.propose(asked, RNG(0)).Z for method in (EI(), KrigingBeliever())]
    np.testing.assert_array_equal(*batches)


@pytest.mark.parametrize("method", [EI(), KrigingBeliever()])
@pytest.mark.parametrize("pending", [0, 2])
def test_greedy_ei_takes_the_best_listed_point_given_the_believed_ones(method, pending: int) -> None:
    for space in (LINE, SQUARE):
        asked, points = listed_question(space, 3, pending=pending)
        post = asked.model[0]
        post = refitted(post, asked.pending, post.mean(asked.pending), noise=EXACT) if pending else post
        for z in method.propose(asked, RNG(0)).Z:
            values = literal_ei(post, points)
            assert literal_ei(post, z[None])[0] == pytest.approx(values.max(), rel=1e-6)
            post = refitted(post, z[None], post.mean(z[None]), noise=EXACT)


@pytest.mark.parametrize("lie", ["min", "mean", "max"])
def test_the_constant_liar_refits_with_the_lie_as_data(lie: str) -> None:
    asked, points = listed_question(SQUARE, 3, pending=1)
    first = asked.model[0]
    told = float(getattr(np, lie)(first.y))
    post = refitted(first, asked.pending, np.array([told]), noise=EXACT)
    batch = ConstantLiar(lie).propose(asked, RNG(0)).Z
    for z in batch:
        assert literal_ei(post, z[None])[0] == pytest.approx(literal_ei(post, points).max(), rel=1e-6)
        post = refitted(post, z[None], np.array([told]), noise=EXACT)


def test_lies_differ_and_a_wrong_one_lists_the_right_ones() -> None:
    asked = question(4)
    spread = [np.ptp(ConstantLiar(lie).propose(asked, RNG(0)).Z, axis=0).sum() for lie in ("min", "max")]
    assert spread[1] > spread[0]
    with pytest.raises(ValueError, match="'min', 'mean', 'max'"):
        ConstantLiar("median")


def test_fantasised_ei_is_the_average_of_refits() -> None:
    """Given the same draws exactly; and over many draws of its own, the true expectation."""
    post = smooth_posterior(n=8)
    low = post.X[np.argmin(post.mean(post.X))]  # where EI is not all tail
    W, U = (np.clip(low + 0.2 * RNG(i).standard_normal((i, 3)), 0, 1) for i in (2, 5))
    epsilon = RNG(3).standard_normal((2, 40))
    D = np.linalg.cholesky(post.cov(W, W) + EXACT * post.s2 * np.eye(2))
    results = post.mean(W)[:, None] + D @ epsilon
    truth = np.mean([literal_ei(refitted(post, W, y, noise=EXACT), U) for y in results.T], axis=0)
    model = condition_exact([post], [post.constant_noise], W)
    value = np.exp(fantasised_ei(model, epsilon[None]).value(U[:, None]))
    np.testing.assert_allclose(value, truth, rtol=1e-6)
    draws = np.stack(
        [
            literal_ei(refitted(post, W, y, noise=EXACT), U)
            for y in RNG(7).multivariate_normal(post.mean(W), D @ D.T, 2000)
        ]
    )
    many = np.exp(fantasised_ei(model, RNG(8).standard_normal((1, 2, 20_000))).value(U[:, None]))
    error = draws.std(axis=0) / np.sqrt(len(draws))
    assert np.all(np.abs(many - draws.mean(axis=0)) < 4 * error)


def test_mc_ei_takes_the_best_listed_point_on_its_own_fantasies() -> None:
    asked, points = listed_question(LINE, 3, posteriors=2, pending=2)
    normals = RNG(0).standard_normal((2, 5, 100))
    model = condition_exact(asked.model, asked.noise, asked.pending)
    for j, z in enumerate(MCEI().propose(asked, RNG(0)).Z):
        ei = fantasised_ei(model, normals[:, : 2 + j])
        assert ei.value(z[None, None])[0] == pytest.approx(ei.value(points[:, None]).max(), rel=1e-9)
        model = condition_exact(model, asked.noise, z[None])


def test_mc_ei_of_one_point_is_ei() -> None:
    asked = question(1)
    np.testing.assert_allclose(MCEI().propose(asked, RNG(0)).Z, EI().propose(asked, RNG(0)).Z, atol=0.02)


@pytest.mark.parametrize("method", [EI(), PI()])
def test_one_point_beats_a_dense_sample(method) -> None:
    asked = question(1, posteriors=2)
    acquisition = (
        expected_improvement(asked.model)
        if isinstance(method, EI)
        else probability_of_improvement(asked.model, method.margin)
    )
    z = method.propose(asked, RNG(0)).Z
    assert acquisition.value(z[None])[0] >= acquisition.value(RNG(9).random((20_000, 1, 3))).max()


@pytest.mark.parametrize("method", [EI(), MCEI()])
def test_greedy_batches_spread_under_noise_because_running_points_count_as_known(method) -> None:
    noisy = question(4, noise=0.4)
    Z = method.propose(noisy, RNG(0)).Z / noisy.model[0].ell
    gaps = np.sqrt(((Z[:, None] - Z) ** 2).sum(axis=2))[np.triu_indices(4, 1)]
    assert gaps.min() > 0.1
