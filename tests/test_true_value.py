"""The benchmark's judge against closed forms and brute force."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

sys.path.insert(0, str(Path(__file__).parent.parent))  # benchmarks/ stands outside the package
from benchmarks.speed import rivals
from benchmarks.speed.true_value import Gp, _derivatives, descend, inner_minima, mean_minima, start_points, true_value


def process(n: int, d: int, noise_var: float, seed: int = 0) -> Gp:
    rng = np.random.default_rng(seed)
    X = rng.random((n, d))
    y = np.sin(5 * X).sum(axis=1) + np.sqrt(noise_var) * rng.normal(size=n)
    return Gp(X, (y - y.mean()) / y.std(), np.linspace(0.25, 0.5, d), 1.3, noise_var, 0.1)


def sequential_kg_on_a_grid(gp: Gp, z: np.ndarray, grid: np.ndarray) -> float:
    """min μ − E[min(μ + σ̃ W)] for scalar W, by quadrature."""
    mu = gp.posterior_mean(grid)
    sd = np.sqrt(gp.posterior_cov(z, z)[0, 0] + gp.noise_var)
    sigma_tilde = gp.posterior_cov(grid, z)[:, 0] / sd
    W = norm.ppf((np.arange(4000) + 0.5) / 4000)
    return float(mu.min() - np.mean([(mu + sigma_tilde * w).min() for w in W]))


@pytest.mark.parametrize("noise_var", [1e-6, 0.2])
@pytest.mark.parametrize("at", [0.05, 0.4, 0.77])
def test_one_point_on_a_line(noise_var, at):
    gp = process(6, 1, noise_var)
    z = np.array([[at]])
    exact = sequential_kg_on_a_grid(gp, z, np.linspace(0, 1, 2001)[:, None])
    estimate = true_value(gp, z)
    assert estimate.value == pytest.approx(exact, rel=0.01, abs=1e-5)
    assert abs(estimate.value - exact) < 5 * estimate.se + 2e-3 * exact + 1e-5


def test_two_points_in_the_plane_against_a_dense_grid():
    gp = process(8, 2, 0.1)
    z = np.array([[0.2, 0.9], [0.6, 0.1]])
    side = np.linspace(0, 1, 101)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    D = np.linalg.cholesky(gp.posterior_cov(z, z) + gp.noise_var * np.eye(2))
    sigma_tilde = np.linalg.solve(D, gp.posterior_cov(z, grid)).T
    mu = gp.posterior_mean(grid)
    W = np.random.default_rng(5).normal(size=(2000, 2))
    terms = mu.min() - (mu + W @ sigma_tilde.T).min(axis=1) + W @ sigma_tilde[np.argmin(mu)]
    estimate = true_value(gp, z)
    assert abs(estimate.value - terms.mean()) < 4 * terms.std() / np.sqrt(2000) + 1e-3 * estimate.value


def test_fantasized_weights_are_those_of_the_enlarged_data():
    """Conditioning on the fantasies as if they were data gives the same mean everywhere."""
    gp = process(7, 3, 0.05)
    rng = np.random.default_rng(1)
    z, W, at = rng.random((2, 3)), rng.normal(size=(1, 2)), rng.random((20, 3))
    D = np.linalg.cholesky(gp.posterior_cov(z, z) + gp.noise_var * np.eye(2))
    y = gp.posterior_mean(z) + D @ W[0]
    enlarged = Gp(np.vstack([gp.X, z]), np.append(gp.y, y), gp.ell, gp.s2, gp.noise_var, gp.mean)
    fantasized = gp.mean + gp.kernel(at, enlarged.X) @ gp.fantasies(z, W)[0]
    np.testing.assert_allclose(fantasized, enlarged.posterior_mean(at), atol=1e-10)


def test_derivatives_have_the_order_of_central_differences():
    gp = process(9, 3, 0.1)
    x, beta = np.random.default_rng(2).random((1, 3)), gp.weights()[None]
    _, g, H = _derivatives(gp, gp.X, beta, x)
    errors = []
    for h in (1e-2, 5e-3):
        sides = [_derivatives(gp, gp.X, beta, x + s * h * np.diag(gp.ell)[i]) for i in range(3) for s in (1, -1)]
        slope = np.array([(a[0][0] - b[0][0]) / (2 * h) for a, b in zip(sides[::2], sides[1::2], strict=True)])
        curve = np.array([(a[1][0] - b[1][0]) / (2 * h) for a, b in zip(sides[::2], sides[1::2], strict=True)])
        errors.append([np.abs(slope - g[0]).max(), np.abs(curve - H[0]).max()])
    np.testing.assert_allclose(errors[0], 4 * np.array(errors[1]), rtol=0.1)


def test_descent_ends_where_scipy_s_does():
    gp = process(20, 4, 0.1)
    starts = np.random.default_rng(3).random((12, 4))
    _, values = descend(gp, gp.X, np.tile(gp.weights(), (12, 1)), starts)
    for start, value in zip(starts, values, strict=True):
        end = minimize(lambda x: gp.posterior_mean(x[None])[0], start, bounds=[(0, 1)] * 4)
        assert value <= gp.posterior_mean(start[None])[0]
        assert value <= end.fun + 0.05  # not always the same basin
    best = min(
        minimize(lambda x: gp.posterior_mean(x[None])[0], s, bounds=[(0, 1)] * 4, options={"ftol": 1e-14}).fun
        for s in starts
    )
    assert values.min() == pytest.approx(best, abs=1e-6)


def test_inner_minima_are_not_missed():
    gp = process(15, 2, 0.1)
    z = np.random.default_rng(4).random((2, 2))
    beta = gp.fantasies(z, np.random.default_rng(5).normal(size=(20, 2)))
    centers = np.vstack([gp.X, z])
    side = np.linspace(0, 1, 201)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    brute = (gp.mean + beta @ gp.kernel(centers, grid)).min(axis=1)
    found = inner_minima(gp, centers, beta, start_points(gp, z, 0))
    assert np.all(found <= brute + 1e-9)
    np.testing.assert_allclose(found, brute, atol=1e-3)


def test_pending_points_are_part_of_the_batch():
    gp = process(8, 2, 0.1)
    z = np.random.default_rng(6).random((3, 2))
    assert true_value(gp, z[:1], z[1:], samples=64) == true_value(gp, z, samples=64)


def test_the_lowest_minimum_of_the_mean_is_found_even_if_the_data_crowd_another():
    """If it were missed, the difference between the two would be added to the value of every batch."""
    rng = np.random.default_rng(7)
    X = np.vstack([0.2 + 0.05 * rng.normal(size=(80, 2)), rng.random((20, 2)), [[0.8, 0.8]]])
    y = np.append(-np.exp(-20 * ((X[:-1] - 0.2) ** 2).sum(axis=1)), -1.2)
    gp = Gp(X, y, np.array([0.2, 0.2]), 1.0, 1e-3, 0.0)
    side = np.linspace(0, 1, 101)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    lowest = grid[np.argmin(gp.posterior_mean(grid))]
    assert np.linalg.norm(lowest - 0.8) < 0.1
    minima = mean_minima(gp, start_points(gp, gp.X[:0], 0))
    assert gp.posterior_mean(minima).min() <= gp.posterior_mean(grid).min()


def test_the_criteria_of_rivals_are_those_of_textbooks():
    gp = process(6, 2, 0.01)
    z = np.array([[0.9, 0.9]])
    mu, sd = gp.posterior_mean(z)[0], np.sqrt(gp.posterior_cov(z, z)[0, 0])
    best = gp.posterior_mean(gp.X).min()
    u = (best - mu) / sd
    assert rivals.expected_improvement(gp, z) == pytest.approx(sd * (u * norm.cdf(u) + norm.pdf(u)), rel=2e-3)
    assert rivals.expected_improvement(gp, np.vstack([z, z])) == pytest.approx(
        rivals.expected_improvement(gp, z), rel=2e-3
    )
    width = np.sqrt(2 * np.log(2 * 7**2 * np.pi**2 / 0.6))
    assert rivals.bound(gp, z) == pytest.approx(best - (mu - width * sd))
