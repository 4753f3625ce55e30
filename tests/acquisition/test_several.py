"""q-KG of several outcomes against identities: plain q-KG, brute force, quadrature, hypervolume, gradients."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm

from knowgrad.acquisition.criteria.hypervolume import (
    along_rays,
    hypervolume,
    nondominated,
    reference_point,
    worth_having,
)
from knowgrad.acquisition.criteria.kg import SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.several import SeveralKG
from knowgrad.acquisition.criteria.utility import Between, Objective, Utility, directions
from knowgrad.acquisition.methods.several import UNSEEN
from knowgrad.acquisition.search.ascent import climb
from knowgrad.acquisition.search.surfaces import Surface, fantasy_surfaces, posterior_surfaces, uphill, utilities
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Space
from tests.numeric import check_gradient, smooth_posterior

NONE = np.empty((0, 3))


def same(mu):
    return mu, np.ones_like(mu)


def bent(mu):
    return np.exp(0.5 * mu), 0.5 * np.exp(0.5 * mu)


def posteriors() -> list[Posterior]:
    first, rng = smooth_posterior(), np.random.default_rng(3)
    X, ell = first.X, first.ell
    second = Posterior.build(X, rng.standard_normal(20), np.full(20, 0.1), 1.3 * ell, 0.8, noise=0.1)
    third = Posterior.build(X[:12], rng.standard_normal(12), np.full(12, 0.02), 0.9 * ell, 1.1, noise=0.02)
    return [first, second, third]


LIMITED = Utility(3, (Objective(0, same, 2.0),), (Between(1, high=0.2), Between(2, -0.5, 1.0)))
PAIR = Utility(3, (Objective(0, same, 2.0), Objective(1, bent, 2.5)))
TRIPLE = Utility(
    3, (Objective(0, same, 2.0), Objective(1, same, 2.5), Objective(2, same, 2.0)), (Between(1, high=1.0),)
)


def criterion(utility: Utility, N: int, p: int, q: int, L: int = 4, unseen=None, seed: int = 1) -> SeveralKG:
    rng = np.random.default_rng(seed)
    A, pending = np.vstack([rng.random((20, 3)), posteriors()[0].X]), rng.random((p, 3))
    aheads = [
        Lookahead(post, post.constant_noise, A, pending, unseen=None if unseen is None else unseen[k])
        for k, post in enumerate(posteriors())
    ]
    L = L if utility.m > 1 else 1
    lam = directions(utility.m, N * L, rng).reshape(N, L, utility.m)
    return SeveralKG(aheads, utility, rng.standard_normal((3, N, p + q)), lam)


@pytest.mark.parametrize("utility", [LIMITED, PAIR, TRIPLE])
@pytest.mark.parametrize("p", [0, 2])
def test_the_gradient_has_the_right_rate(utility: Utility, p: int) -> None:
    kg, Z = criterion(utility, 16, p, 3), np.random.default_rng(9).random((2, 3, 3))  # no sample changes its winner
    value, gradient = kg.value_and_gradient(Z)
    np.testing.assert_allclose(value, kg.value(Z), rtol=1e-12)
    assert np.abs(gradient).max() > 1e-3
    check_gradient(lambda x: kg.value(x).sum(), gradient, Z)


def test_one_objective_without_limits_is_plain_qkg() -> None:
    post, rng = smooth_posterior(), np.random.default_rng(0)
    ahead = Lookahead(post, post.constant_noise, np.vstack([rng.random((30, 3)), post.X]), rng.random((2, 3)))
    Zq, Z = rng.standard_normal((64, 5)), rng.random((4, 3, 3))
    several = SeveralKG([ahead], Utility(1, (Objective(0, same, 9.0),)), Zq[None], np.ones((64, 1, 1)))
    value, gradient = several.value_and_gradient(Z)
    plain, slope = SampledKG(ahead, Zq).value_and_gradient(Z)
    np.testing.assert_allclose(value, plain, atol=1e-12)
    np.testing.assert_allclose(gradient, slope, atol=1e-12)


def test_a_limit_that_always_holds_changes_nothing() -> None:
    free, Z = criterion(Utility(3, LIMITED.objectives), 32, 1, 2), np.random.default_rng(6).random((3, 2, 3))
    loose = criterion(Utility(3, LIMITED.objectives, (Between(1, high=50.0), Between(2, low=-50.0))), 32, 1, 2)
    for one, other in zip(free.value_and_gradient(Z), loose.value_and_gradient(Z), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_an_outcome_that_is_not_measured_stays_as_it_is() -> None:
    """It is then as if the other outcomes' results were all there is: its own normals make no difference."""
    unseen = [None, np.full(2, UNSEEN), None]
    kg, Z = criterion(LIMITED, 64, 0, 2, unseen=unseen), np.random.default_rng(7).random((2, 2, 3))
    other = SeveralKG(kg.aheads, kg.utility, kg.Zq * np.array([1.0, -3.0, 1.0])[:, None, None], kg.lam)
    np.testing.assert_allclose(kg.value(Z), other.value(Z), rtol=1e-6)
    everything = criterion(LIMITED, 64, 0, 2).value(Z)
    assert np.abs(kg.value(Z) - everything).max() > 1e-4


def test_it_is_what_posteriors_with_the_results_in_them_say() -> None:
    """Brute force: each sample's results are added to the data, and utilities compared point by point."""
    for utility in (LIMITED, PAIR):
        kg = criterion(utility, 8, 0, 2)
        A = kg.aheads[0].A
        best = A[np.argmax(by_hand(utility, posteriors(), A, np.ones(utility.m)))]
        z = np.clip(best + np.array([[0.1, 0.0, -0.1], [0.0, -0.1, 0.1]]), 0.0, 1.0)
        points, gains = np.vstack([A, z]), []
        for n, k in product(range(8), range(kg.lam.shape[1])):
            updated = []
            for j, post in enumerate(posteriors()):
                C = post.cov(z, z) + (post.noise + post.nugget) * np.eye(2)
                y = post.mean(z) + np.linalg.cholesky(C) @ kg.Zq[j, n]
                updated.append(post.condition(z, np.full(2, post.noise + post.nugget), y))
            u = by_hand(utility, updated, points, kg.lam[n, k])
            kept = np.argmax(by_hand(utility, posteriors(), points, kg.lam[n, k]))
            gains.append(u.max() - u[kept])
        assert kg.value(z[None])[0] == pytest.approx(np.mean(gains), rel=1e-6)
        assert max(gains) > 0.0


def by_hand(utility: Utility, model: list[Posterior], U: np.ndarray, lam: np.ndarray) -> np.ndarray:
    found = []
    for u in U:
        shares = [
            max(each.reference - float(each.curve(model[each.outcome].mean(u[None]))[0][0]), 0.0) / lam[k]
            for k, each in enumerate(utility.objectives)
        ]
        value = min(shares) ** len(shares)
        for limit in utility.limits:
            mean, sd = model[limit.outcome].mean(u[None])[0], np.sqrt(model[limit.outcome].var(u[None])[0])
            value *= norm.cdf((limit.high - mean) / sd) - norm.cdf((limit.low - mean) / sd)
        found.append(value)
    return np.array(found)


def test_monte_carlo_agrees_with_quadrature_for_one_point() -> None:
    """One objective and one limit: two normals, on a grid of Gauss–Hermite nodes."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    utility = Utility(2, (Objective(0, same, 2.0),), (Between(1, high=0.1),))
    pair, A = posteriors()[:2], np.vstack([np.random.default_rng(9).random((20, 3)), posteriors()[0].X])
    aheads = [Lookahead(post, post.constant_noise, A, NONE) for post in pair]
    grid = np.array(list(product(nodes, nodes))).T[:, :, None]
    shares = np.array([a * b for a, b in product(weights, weights)]) / weights.sum() ** 2
    Z = np.random.default_rng(10).random((3, 1, 3))
    exact = SeveralKG(aheads, utility, grid, np.ones((len(shares), 1, 1))).per_sample(Z) @ shares
    errors = []
    for N in (2**7, 2**14):
        Zq = normals(N, 2, np.random.default_rng(11)).T[:, :, None]
        errors.append(np.abs(SeveralKG(aheads, utility, Zq, np.ones((N, 1, 1))).value(Z) - exact).max())
    assert errors[1] < 2e-3 * exact.max()
    assert errors[1] < errors[0] / 4


@pytest.mark.parametrize("m", [2, 3, 4])
def test_the_average_over_directions_is_the_hypervolume(m: int) -> None:
    rng = np.random.default_rng(12)
    Y, reference = rng.random((12, m)), np.full(m, 1.1)
    utility = Utility(m, tuple(Objective(k, same, 1.1, unit=2.0) for k in range(m)))
    gains, lam = utility.gains(list(Y.T)), directions(m, 2**13, rng)
    least = np.min([gain / lam[:, k : k + 1] for k, gain in enumerate(gains)], axis=0)
    average = utility.factor * utility.raised(least).max(axis=1).mean()
    assert average == pytest.approx(2.0**m * hypervolume(Y, reference), rel=1e-2)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_hypervolume_is_the_share_of_dominated_points(m: int) -> None:
    rng = np.random.default_rng(13)
    Y, cube = rng.random((9, m)), rng.random((20_000, m))
    share = (Y[None] <= cube[:, None]).all(axis=2).any(axis=1).mean()
    assert hypervolume(Y, np.ones(m)) == pytest.approx(share, abs=0.015)
    front = nondominated(Y)
    assert hypervolume(Y[front], np.ones(m)) == pytest.approx(hypervolume(Y, np.ones(m)), rel=1e-12)
    assert not any((np.delete(Y, i, axis=0) <= Y[i]).all(axis=1).any() for i in np.flatnonzero(front))


def test_the_reference_point_lies_beyond_the_front_and_moves_with_its_units() -> None:
    Y = np.array([[0.0, 3.0], [1.0, 1.0], [2.0, 0.0], [9.0, 9.0]])
    reference, extent = reference_point(Y)
    np.testing.assert_allclose(reference, [2.2, 3.3])
    np.testing.assert_allclose(extent, [2.2, 3.3])
    scaled, _ = reference_point(Y * [10.0, 0.1] + [5.0, -5.0])
    np.testing.assert_allclose(scaled, reference * [10.0, 0.1] + [5.0, -5.0])


@pytest.mark.parametrize("utility", [LIMITED, TRIPLE])
def test_surfaces_have_the_slopes_of_their_utilities(utility: Utility) -> None:
    rng = np.random.default_rng(14)
    U, lam = rng.random((8, 1, 3)), directions(utility.m, 8, rng)
    kg, z = criterion(utility, 8, 1, 2), rng.random((2, 3))
    for surfaces in (posterior_surfaces(utility, posteriors()), fantasy_surfaces(utility, kg.aheads, z, kg.Zq)):
        climbed = uphill(utility, surfaces, lam)
        gradient = climbed(U, np.arange(8))[1]
        check_gradient(lambda x, climbed=climbed: climbed(x, np.arange(8))[0].sum(), gradient, U)


def test_a_weighted_sum_of_outcomes_measured_together_is_an_outcome_of_its_own() -> None:
    """Of processes with one kernel: the sum of posterior means is the posterior mean of the sum, variances add up."""
    rng, post = np.random.default_rng(15), smooth_posterior()
    y, w, U = rng.standard_normal((2, 20)), np.array([2.0, 0.5]), rng.random((6, 3))
    each = [Posterior.build(post.X, row, np.full(20, 0.05), post.ell, 1.0, 0.0, noise=0.05) for row in y]
    both = Posterior.build(post.X, w @ y, np.full(20, 0.05 * w @ w), post.ell, float(w @ w), 0.0)
    np.testing.assert_allclose(w @ [one.mean(U) for one in each], both.mean(U), atol=1e-10)
    np.testing.assert_allclose(w**2 @ [one.var(U) for one in each], both.var(U), atol=1e-10)


def test_a_tail_of_the_front_that_gains_hardly_anything_is_not_worth_having() -> None:
    angle = np.linspace(0.0, np.pi / 2, 21)
    front = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    tail = np.stack([-0.001 * np.arange(1, 9), 1.0 + 0.5 * np.arange(1, 9)], axis=1)
    Y, sure = np.vstack([front, tail]), np.zeros((29, 2))
    assert nondominated(Y).all()
    kept = worth_having(Y, sure)
    assert kept[[0, 10, 20]].all()
    assert not kept[23:].any()
    assert worth_having(front, sure[:21])[[0, 20]].all()
    assert worth_having(Y, np.full((29, 2), 100.0)).any()
    unsure = worth_having(front, np.full((21, 2), 0.5))
    assert 0 < unsure.sum() < worth_having(front, sure[:21]).sum()


def test_rays_from_the_best_of_each_objective_leave_the_tails_of_a_front_out() -> None:
    """Of an eighth of a sphere with tails along its edges the extent is one; with two objectives, too."""
    rng = np.random.default_rng(16)
    for m in (2, 3):
        front, tails = directions(m, 512, rng), np.eye(m) * 1.9 - 0.02 * (1.0 - np.eye(m))
        Y = np.vstack([front, tails])
        assert nondominated(Y).all()
        rows = along_rays(Y, directions(m, 256, rng))
        assert Y[rows].max() <= 1.0
        assert (Y[rows].max(axis=0) > 0.9).all()
        scaled, rays = Y * np.array([0.5, 8.0, 2.0])[:m], directions(m, 256, rng)
        np.testing.assert_array_equal(along_rays(scaled, rays), along_rays(Y, rays))


@pytest.mark.parametrize("m", [2, 3])
def test_a_smooth_minimum_is_climbed_to_the_point_of_greatest_utility(m: int) -> None:
    """On means that are distances to corners, from anywhere: the best share is that of a brute force over a grid."""
    rng = np.random.default_rng(17)
    utility = Utility(m, tuple(Objective(k, same, 1.2) for k in range(m)))

    def distance_to(corner: np.ndarray) -> Surface:
        def mean(U: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return ((U - corner) ** 2).sum(axis=1), 2.0 * (U - corner)

        return Surface(mean, None)

    surfaces = [distance_to(corner) for corner in np.eye(3)[:m] * 0.8 + 0.1]
    lam = directions(m, 16, rng)
    domain = Space(dict.fromkeys("abc", (0.0, 1.0)))
    Z, _ = climb(uphill(utility, surfaces, lam), rng.random((16, 1, 3)), domain, np.full(3, 0.5), steps=60, tol=1e-9)
    grid = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, 21)] * 3), axis=-1).reshape(-1, 3)
    rows = np.zeros(len(grid), dtype=np.intp)
    best = utilities(utility, [each.mean(grid, rows)[0] for each in surfaces], [None] * m, lam).max(axis=1)
    found = np.diag(utilities(utility, [each.mean(Z[:, 0], rows)[0] for each in surfaces], [None] * m, lam))
    assert (found > 0.9 * best).all()
