import numpy as np
import pytest

from knowgrad.gp.linalg import (
    LARGE,
    cholesky,
    cholesky_batch,
    cholesky_vjp,
    extended_inverse,
    inverse_triangular,
    lower_times,
    times_lower,
    times_lower_transposed,
)
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


@pytest.mark.parametrize("n", [8, LARGE + 3])
@pytest.mark.parametrize("u", [1, 40])
def test_products_with_a_triangular_matrix_are_those_with_all_of_it(n: int, u: int) -> None:
    L = inverse_triangular(cholesky(random_covariance(n))[0])
    B = np.random.default_rng(1).standard_normal((u + 2, n))[1:-1]
    np.testing.assert_allclose(lower_times(L, B.T), L @ B.T, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(times_lower(B, L), B @ L, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(times_lower_transposed(B, L), B @ L.T, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n", [5, LARGE + 40])
def test_an_inverse_is_extended_by_rows(n: int) -> None:
    L, _ = cholesky(random_covariance(n))
    k = n - 3
    inverse = extended_inverse(inverse_triangular(np.asfortranarray(L[:k, :k])), L[k:, :k].T, L[k:, k:])
    np.testing.assert_allclose(inverse, inverse_triangular(L), rtol=1e-9, atol=1e-12)
