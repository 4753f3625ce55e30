import numpy as np
import pytest
from scipy.special import gamma, kv

from knowgrad.gp.kernel import TWICE_ORDER, Kernel, squared_distance, vjp
from tests.numeric import check_gradient

RNG = np.random.default_rng(0)
X1, X2, ELL = RNG.random((4, 3)), RNG.random((5, 3)), np.array([0.3, 0.7, 2.0])


def test_distances_are_those_of_the_definition() -> None:
    naive = ((X1[:, None] - X2[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(squared_distance(X1, X2), naive, atol=1e-14)


@pytest.mark.parametrize("kernel", TWICE_ORDER)
def test_the_correlation_is_that_of_its_order(kernel: Kernel) -> None:
    """The definition, by the modified Bessel function: 2^(1−ν) / Γ(ν) · r^ν K_ν(r)."""
    nu = TWICE_ORDER[kernel] / 2
    r = np.sqrt(2 * nu * (((X1[:, None] - X2[None]) / ELL) ** 2).sum(axis=2))
    np.testing.assert_allclose(kernel(X1, X2, ELL)[0], 2 ** (1 - nu) / gamma(nu) * r**nu * kv(nu, r), rtol=1e-12)


@pytest.mark.parametrize("kernel", TWICE_ORDER)
def test_rows_may_be_stacked(kernel: Kernel) -> None:
    stacked, _ = kernel(np.stack([X1, X1 / 2]), np.stack([X2, X2 / 2]), ELL)
    np.testing.assert_allclose(stacked[1], kernel(X1 / 2, X2 / 2, ELL)[0], rtol=1e-12)


@pytest.mark.parametrize("kernel", TWICE_ORDER)
@pytest.mark.parametrize("coincide", [False, True])
def test_pull_is_the_gradient_also_where_points_coincide(coincide: bool, kernel: Kernel) -> None:
    x1 = X2[:4].copy() if coincide else X1
    weight = RNG.standard_normal((4, 5))
    gradient = vjp(weight * kernel(x1, X2, ELL)[1], x1, X2, ELL)
    check_gradient(lambda x: np.sum(weight * kernel(x, X2, ELL)[0]), gradient, x1)
