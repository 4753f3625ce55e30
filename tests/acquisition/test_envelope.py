import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from knowgrad.acquisition.criteria.piecewise import expected_minimum
from tests.numeric import check_gradient

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_the_value_is_the_integral(n: int) -> None:
    a, b = RNG.standard_normal((3, n)), RNG.standard_normal((3, n))
    value, _, _ = expected_minimum(a, b)
    for i in range(3):
        knots = np.unique(np.clip(-np.subtract.outer(a[i], a[i]) / (np.subtract.outer(b[i], b[i]) + np.eye(n)), -9, 9))
        truth = sum(
            quad(lambda t, i=i: np.min(a[i] + b[i] * t) * norm.pdf(t), lo, hi)[0]
            for lo, hi in zip(np.r_[-10, knots], np.r_[knots, 10], strict=True)
        )
        assert value[i] == pytest.approx(truth, abs=1e-9)


def test_weights_are_the_gradient_and_add_up() -> None:
    a, b = RNG.standard_normal((2, 12)), RNG.standard_normal((2, 12))
    _, share, slope = expected_minimum(a, b)
    np.testing.assert_allclose(share.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(slope.sum(axis=1), 0.0, atol=1e-12)
    check_gradient(lambda x: expected_minimum(x, b)[0].sum(), share, a)
    check_gradient(lambda x: expected_minimum(a, x)[0].sum(), slope, b)


def test_ties_parallel_and_equal_lines() -> None:
    a = np.array([[0.0, 0.0, 1.0, 0.0], [2.0, 2.0, 2.0, 2.0]])
    b = np.array([[1.0, 1.0, 1.0, -1.0], [0.0, 0.0, 0.0, 0.0]])
    value, share, _ = expected_minimum(a, b)
    np.testing.assert_allclose(value, [-np.sqrt(2 / np.pi), 2.0], rtol=1e-12)
    np.testing.assert_allclose(share.sum(axis=1), 1.0, rtol=1e-12)


def test_lines_through_one_point() -> None:
    b = np.array([[3.0, 1.0, 0.0, -1.0, -2.0]])
    value, share, _ = expected_minimum(np.zeros((1, 5)), b)
    assert value[0] == pytest.approx(-(3 + 2) / np.sqrt(2 * np.pi))
    np.testing.assert_allclose(share, [[0.5, 0, 0, 0, 0.5]], atol=1e-12)
