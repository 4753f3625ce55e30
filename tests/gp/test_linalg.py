import numpy as np
import pytest

from knowgrad.gp.linalg import cholesky, cholesky_batch, cholesky_vjp, inverse_triangular
from tests.numeric import check_gradient


def random_covariance(r: int, seed: int = 0) -> np.ndarray:
    B = np.random.default_rng(seed).standard_normal((r, r))
    return B @ B.T + 0.1 * np.eye(r)


def test_cholesky_needs_no_jitter_for_a_definite_matrix() -> None:
    K = random_covariance(6)
    L, jitter = cholesky(K)
    assert jitter == 0.0
    np.testing.assert_allclose(L @ L.T, K, rtol=1e-12)
    np.testing.assert_allclose(inverse_triangular(L) @ L, np.eye(6), atol=1e-12)


@pytest.mark.parametrize("K", [np.ones((5, 5)), np.zeros((4, 4)) + 1e-300, 1.0 - 1e-5 * np.eye(3)])
def test_cholesky_climbs_the_ladder_instead_of_raising(K: np.ndarray) -> None:
    L, jitter = cholesky(K)
    assert jitter > 0.0
    np.testing.assert_allclose(L @ L.T, K + jitter * np.eye(len(K)), atol=1e-9)


def test_a_stack_with_one_singular_matrix_costs_jitter_only_there() -> None:
    good, bad = random_covariance(3), np.ones((3, 3))
    D = cholesky_batch(np.stack([good, bad]), unit=1.0)
    np.testing.assert_allclose(D[0] @ D[0].T, good, rtol=1e-12)
    np.testing.assert_allclose(D[1] @ D[1].T, bad, atol=1e-6)


@pytest.mark.parametrize("r", [1, 2, 5])
def test_cholesky_vjp_is_the_gradient(r: int) -> None:
    C = random_covariance(r)[None]
    D_bar = np.tril(np.random.default_rng(1).standard_normal((1, r, r)))
    D = np.linalg.cholesky(C)
    C_bar = cholesky_vjp(D, np.linalg.inv(D), D_bar)

    def value(x: np.ndarray) -> np.ndarray:  # symmetric in both triangles, as covariances are
        return np.sum(D_bar * np.linalg.cholesky((x + np.swapaxes(x, 1, 2)) / 2))

    check_gradient(value, C_bar, C)
