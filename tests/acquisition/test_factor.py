"""The q-KG factor against identities: exact values, parallel EI, order of points, gradients and their rates."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from knowgrad.acquisition.criteria.kg import ExactKG, Factor, SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.gp.posterior import Posterior
from tests.numeric import check_gradient, smooth_posterior, tilted_noise

NONE = np.empty((0, 3))


def factor(
    post: Posterior, *, pending: np.ndarray = NONE, Zq: np.ndarray | None = None, varying: bool = False
) -> Factor:
    A = np.vstack([np.random.default_rng(107).random((25, 3)), post.X])
    ahead = Lookahead(post, tilted_noise if varying else post.constant_noise, A, pending)
    return ExactKG(ahead) if Zq is None else SampledKG(ahead, Zq)


def silent(U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Measurements without noise."""
    return np.zeros(U.shape[:-1]), np.zeros(U.shape)


def batches(post: Posterior, S: int, q: int, seed: int) -> np.ndarray:
    """Batches around the best observed point, where sampling is worth something."""
    rng = np.random.default_rng(seed)
    best = post.X[np.argmin(post.mean(post.X))]
    return np.clip(best + 0.2 * rng.standard_normal((S, q, 3)), 0.01, 0.99)


@pytest.mark.parametrize("varying", [False, True])
def test_monte_carlo_converges_to_the_exact_value_for_one_point(varying: bool) -> None:
    post = smooth_posterior()
    Z = batches(post, 4, 1, seed=100)
    exact = factor(post, varying=varying).value(Z)
    errors = []
    for N in (2**6, 2**14):
        Zq = normals(N, 1, np.random.default_rng(101))
        errors.append(np.abs(factor(post, Zq=Zq, varying=varying).value(Z) - exact).max())
    assert errors[1] < 1e-3 * exact.max()
    assert errors[1] < errors[0] / 20


def test_noise_free_on_observed_and_candidate_points_it_is_parallel_ei() -> None:
    """Paper §4: with exact results and the recommendation among sampled points, q-KG is E(min y − min y(z))⁺."""
    post = smooth_posterior(noise=1e-10)
    rng = np.random.default_rng(100)
    Z, Zq = batches(post, 5, 3, seed=101), rng.standard_normal((500, 3))
    kg = SampledKG(Lookahead(post, silent, post.X, NONE), Zq).value(Z)
    for z, value in zip(Z, kg, strict=True):
        y = post.mean(z) + Zq @ np.linalg.cholesky(post.cov(z, z)).T
        improvement = np.maximum(post.mean(post.X).min() - y.min(axis=1), 0.0)
        assert value == pytest.approx(improvement.mean(), abs=2e-5)
    one = ExactKG(Lookahead(post, silent, post.X, NONE)).value(Z[:, :1])
    mu, sd, best = post.mean(Z[:, 0]), np.sqrt(post.var(Z[:, 0])), post.mean(post.X).min()
    u = (best - mu) / sd
    np.testing.assert_allclose(one, sd * (u * norm.cdf(u) + norm.pdf(u)), atol=2e-5)


@pytest.mark.parametrize("p", [0, 3])
@pytest.mark.parametrize("q", [1, 2, 4, 8])
def test_the_ipa_gradient_has_the_right_rate(q: int, p: int) -> None:
    post, rng = smooth_posterior(), np.random.default_rng(100 + q + 10 * p)
    Z, Zq = batches(post, 2, q, seed=102), rng.standard_normal((16, p + q))
    kg = factor(post, pending=rng.random((p, 3)), Zq=Zq, varying=True)
    value, gradient = kg.value_and_gradient(Z)
    np.testing.assert_array_equal(value, kg.value(Z))
    assert np.abs(gradient).max() > 1e-3
    check_gradient(lambda x: kg.value(x).sum(), gradient, Z)


def test_the_exact_gradient_has_the_right_rate() -> None:
    post = smooth_posterior()
    kg, Z = factor(post, varying=True), batches(post, 4, 1, seed=103)
    check_gradient(lambda x: kg.value(x).sum(), kg.value_and_gradient(Z)[1], Z)


def test_the_gradient_reaches_the_mean_at_a_winning_candidate() -> None:
    """With A empty but for the candidates, before and after are both candidates: the term ∂μ(x*)/∂z must be there."""
    post, rng = smooth_posterior(), np.random.default_rng(101)
    kg = SampledKG(Lookahead(post, post.constant_noise, NONE, NONE), rng.standard_normal((12, 2)))
    Z = rng.random((1, 2, 3))
    check_gradient(lambda x: kg.value(x).sum(), kg.value_and_gradient(Z)[1], Z)


def test_the_monte_carlo_gradient_is_unbiased() -> None:
    post, rng = smooth_posterior(), np.random.default_rng(100)
    Z = batches(post, 1, 1, seed=104)
    _, truth = factor(post).value_and_gradient(Z)
    draws = np.stack([factor(post, Zq=rng.standard_normal((1, 1))).value_and_gradient(Z)[1] for _ in range(3000)])
    se = draws.std(axis=0) / np.sqrt(len(draws))
    assert np.all(np.abs(draws.mean(axis=0) - truth) < 4 * se)
    assert np.any(np.abs(truth) > 3 * se)  # the test has something to see


@pytest.mark.parametrize("p", [0, 2])
def test_the_value_does_not_depend_on_the_order_of_the_points(p: int) -> None:
    """Reordering z turns D into D' = P D Qᵀ with Q orthogonal: the same value for every sample Z turned by Q."""
    post, rng = smooth_posterior(), np.random.default_rng(102)
    z, pending, Zq = rng.random((4, 3)), rng.random((p, 3)), rng.standard_normal((64, p + 4))
    order = np.array([2, 0, 3, 1])
    kg = factor(post, pending=pending, Zq=Zq, varying=True)
    D, D_new = (kg.ahead.forward(batch[None]).D[0] for batch in (z, z[order]))
    P = np.eye(p + 4)[np.r_[np.arange(p), p + order]]
    Q = np.linalg.solve(D_new, P @ D)
    np.testing.assert_allclose(Q @ Q.T, np.eye(p + 4), atol=1e-10)
    turned = factor(post, pending=pending, Zq=Zq @ Q.T, varying=True)
    np.testing.assert_allclose(turned.value(z[order][None]), kg.value(z[None]), rtol=1e-9)


def test_pending_points_are_a_part_of_the_batch() -> None:
    post, rng = smooth_posterior(), np.random.default_rng(103)
    z, Zq = rng.random((3, 3)), rng.standard_normal((64, 3))
    joint = factor(post, Zq=Zq).value(z[None])
    np.testing.assert_allclose(factor(post, pending=z[:2], Zq=Zq).value(z[None, 2:]), joint, rtol=1e-10)


def test_more_points_are_never_worth_less() -> None:
    post, rng = smooth_posterior(), np.random.default_rng(104)
    Zq = normals(4096, 4, rng)
    for z in rng.random((5, 4, 3)):
        values = [factor(post, Zq=Zq[:, :k]).value(z[None, :k])[0] for k in (2, 3, 4)]
        assert all(b > a - 1e-3 * values[-1] for a, b in pairwise(values))
        assert values[0] >= 0.0


def test_noisier_candidates_are_worth_less() -> None:
    post = smooth_posterior()
    Z = batches(post, 6, 1, seed=105)
    kg = [
        ExactKG(Lookahead(post, lambda U, s=s: (np.full(U.shape[:-1], s), np.zeros(U.shape)), post.X, NONE)).value(Z)
        for s in (0.01, 0.1, 1.0)
    ]
    assert np.all(kg[0] >= kg[1])
    assert np.all(kg[1] >= kg[2])
    assert kg[0].max() > 2 * kg[1].max() > 4 * kg[2].max()


def test_coinciding_candidates_without_noise_are_finite_and_worth_one() -> None:
    post = smooth_posterior(noise=1e-10)
    z = np.full((1, 3, 3), 0.4)
    ahead = Lookahead(post, silent, post.X, NONE)
    value, gradient = SampledKG(ahead, normals(512, 3, np.random.default_rng(100))).value_and_gradient(z)
    assert np.isfinite(gradient).all()
    alone = ExactKG(ahead).value(z[:, :1])
    np.testing.assert_allclose(value, alone, rtol=0.05, atol=1e-4)
