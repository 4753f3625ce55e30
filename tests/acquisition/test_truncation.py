import numpy as np
from scipy.stats import truncnorm

from knowgrad.acquisition.criteria.ep import believe, filtered, filtered_vjp, hazard
from tests.numeric import check_gradient

RNG = np.random.default_rng


def law(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    root = RNG(seed).standard_normal((n, n))
    return RNG(seed + 1).standard_normal(n), root @ root.T / n + 0.2 * np.eye(n)


def test_the_moments_of_a_truncated_normal() -> None:
    alpha = np.array([-30.0, -3.0, 0.0, 2.0, 8.0])
    lam, g = hazard(alpha)
    mean, variance = truncnorm.stats(-alpha, np.inf, loc=alpha)
    np.testing.assert_allclose(alpha + lam, mean, rtol=1e-9)
    np.testing.assert_allclose(1.0 - g, variance, rtol=1e-6)
    assert all(np.isfinite(part).all() for part in hazard(np.array([-1e300, -1e6, 40.0, 1e300])))


def test_one_condition_is_exact_both_ways() -> None:
    mean, V = law(4, 0)
    after, _ = filtered(mean[[0, 2]], V[np.ix_([0, 2], [0, 2])], 1e-12)
    J = np.array([-1.0, 1.0])
    a, s = mean[2] - mean[0], J @ V[np.ix_([0, 2], [0, 2])] @ J
    assert np.isclose(J @ after @ J, s * truncnorm.var(-a / np.sqrt(s), np.inf))
    W, h = believe(np.array([[a]]), np.array([[[s]]]), np.array([[True]]), sweeps=60)
    assert np.isclose(s - s * W[0, 0, 0] * s, s * truncnorm.var(-a / np.sqrt(s), np.inf))
    assert np.isclose(a + s * h[0, 0], truncnorm.mean(-a / np.sqrt(s), np.inf, loc=a, scale=np.sqrt(s)))


def test_many_conditions_have_nearly_the_moments_of_samples() -> None:
    a, C = law(4, 2)
    d = a + RNG(0).standard_normal((400_000, 4)) @ np.linalg.cholesky(C).T
    kept = d[(d[:, :3] >= 0.0).all(axis=1)]
    W, h = believe(a[None], C[None], np.array([[True, True, True, False]]))
    np.testing.assert_allclose(a + C @ h[0], kept.mean(axis=0), atol=0.03)
    np.testing.assert_allclose(C - C @ W[0] @ C, np.cov(kept.T), atol=0.03)


def test_the_way_back() -> None:
    mean, V = law(4, 4)
    S = RNG(6).standard_normal((4, 4))
    S = S + S.T

    def value(x: np.ndarray) -> np.ndarray:
        return np.sum(S * filtered(x[0], x[1:] + x[1:].T, 1e-12)[0])

    x = np.vstack([mean, 0.5 * V])
    mean_bar, V_bar = filtered_vjp(filtered(mean, V, 1e-12)[1], S, 1e-12)
    check_gradient(value, np.vstack([mean_bar, 2.0 * V_bar]), x)
