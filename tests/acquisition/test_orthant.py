import numpy as np
import pytest
from scipy.stats import multivariate_normal

from knowgrad.acquisition.criteria.mvn import orthant


@pytest.mark.parametrize(("m", "digits"), [(1, 1e-14), (2, 1e-12), (3, 1e-5), (4, 1e-5), (5, 1e-5)])
def test_probabilities_are_those_of_scipy(m: int, digits: float) -> None:
    rng = np.random.default_rng(m)
    root = rng.standard_normal((6, m, m))
    cov, mean = root @ np.swapaxes(root, 1, 2) + 0.1 * np.eye(m), rng.standard_normal((6, m))
    truth = [multivariate_normal.cdf(np.zeros(m), a, C, rng=0) for a, C in zip(mean, cov, strict=True)]
    np.testing.assert_allclose(orthant(mean, cov), truth, atol=digits)


def test_independent_coordinates_multiply() -> None:
    from scipy.special import ndtr

    mean = np.random.default_rng(0).standard_normal((20, 5))
    np.testing.assert_allclose(orthant(mean, np.tile(np.eye(5), (20, 1, 1))), ndtr(-mean).prod(axis=1), rtol=1e-12)


@pytest.mark.parametrize("m", [3, 4])
def test_equal_correlations_have_a_known_probability(m: int) -> None:
    """Correlation ½ and mean zero: 1/(m + 1), the chance that one of m + 1 equals is the largest."""
    cov = 0.5 + 0.5 * np.eye(m)
    assert orthant(np.zeros(m), cov) == pytest.approx(1 / (m + 1), abs=1e-12)


def test_zeros_and_coinciding_coordinates() -> None:
    ones = np.ones((3, 3))
    assert orthant(np.zeros(3), ones + 1e-12 * np.eye(3)) == pytest.approx(0.5, abs=2e-3)
    assert orthant(np.zeros(2), np.eye(2)) == pytest.approx(0.25, abs=1e-15)
    assert orthant(np.array([0.0, 1.0]), np.eye(2)) == pytest.approx(0.5 * 0.15865525393145707, abs=1e-14)
    assert orthant(np.array([0.3, -0.3]), np.array([[1.0, -1.0], [-1.0, 1.0]])) == pytest.approx(0.0, abs=1e-6)
