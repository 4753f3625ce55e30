import numpy as np
import pytest

from knowgrad.gp.kernel import matern52, pull, squared_distance
from tests.numeric import check_gradient

RNG = np.random.default_rng(0)
X1, X2, ELL = RNG.random((4, 3)), RNG.random((5, 3)), np.array([0.3, 0.7, 2.0])


def test_distances_are_those_of_the_definition() -> None:
    naive = ((X1[:, None] - X2[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(squared_distance(X1, X2), naive, atol=1e-14)


def test_the_correlation_is_matern_five_halves() -> None:
    r = np.sqrt(5 * (((X1[:, None] - X2[None]) / ELL) ** 2).sum(axis=2))
    k, _ = matern52(X1, X2, ELL)
    np.testing.assert_allclose(k, (1 + r + r**2 / 3) * np.exp(-r), rtol=1e-12)


def test_rows_may_be_stacked() -> None:
    stacked, _ = matern52(np.stack([X1, X1 / 2]), np.stack([X2, X2 / 2]), ELL)
    np.testing.assert_allclose(stacked[1], matern52(X1 / 2, X2 / 2, ELL)[0], rtol=1e-12)


@pytest.mark.parametrize("coincide", [False, True])
def test_pull_is_the_gradient_also_where_points_coincide(coincide: bool) -> None:
    x1 = X2[:4].copy() if coincide else X1
    weight = RNG.standard_normal((4, 5))
    gradient = pull(weight * matern52(x1, X2, ELL)[1], x1, X2, ELL)
    check_gradient(lambda x: np.sum(weight * matern52(x, X2, ELL)[0]), gradient, x1)
