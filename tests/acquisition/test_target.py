"""q-KG of targets that are weighted sums of f: limits in which they are the plain one, and their gradients."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from knowgrad.acquisition.criteria.cost import PerCost
from knowgrad.acquisition.criteria.kg import ExactKG, Factor, SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.kg import KG
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.search.discretize import fantasy_minima
from knowgrad.acquisition.search.posterior_minimum import lowest_mean
from knowgrad.acquisition.target import Target, mean_of, variance_of
from knowgrad.gp.posterior import Posterior
from tests.acquisition.domains import CUBE
from tests.acquisition.questions import question
from tests.numeric import check_gradient, smooth_posterior, tilted_noise

RNG = np.random.default_rng
D = 3
LAST = np.arange(D) == D - 1  # the column that is a fidelity or a context
CONTEXTS = np.linspace(0.1, 0.9, 4)[:, None] * np.ones(D)
WEIGHTS = np.array([0.4, 0.3, 0.2, 0.1])

IDENTITY = Target(np.zeros(D, bool), np.zeros((1, D)), np.ones(1))
PINNED = Target.at(LAST, np.full(D, 0.9))
AVERAGE = Target(LAST, CONTEXTS, WEIGHTS)
TARGETS = {"identity": IDENTITY, "pinned": PINNED, "average": AVERAGE}


def lookahead(target: Target | None, p: int = 0, post: Posterior | None = None) -> Lookahead:
    """On observed and random points, with p pending ones."""
    post = post or smooth_posterior()
    dim = post.X.shape[1]
    A, pending = RNG(1).random((25, D))[:, :dim], RNG(2).random((p, D))[:, :dim]
    return Lookahead(post, tilted_noise, np.vstack([A, post.X]), pending, target)


def batches(S: int, q: int, target: Target = IDENTITY, post: Posterior | None = None) -> np.ndarray:
    """Batches around the observed point where the target is lowest, near enough to it to be worth something."""
    post = post or smooth_posterior()
    best = post.X[np.argmin(target.sum(post.mean(target.expand(post.X))))]
    best = np.where(LAST, 0.7, best)
    return np.clip(best + 0.15 * RNG(3).standard_normal((S, q, D)), 0.01, 0.99)


def sampled(target: Target | None, q: int, p: int) -> SampledKG:
    return SampledKG(lookahead(target, p), RNG(4).standard_normal((64 // q, p + q)))


def assert_same(one: Factor, other: Factor, Z: np.ndarray, tol: float = 1e-12) -> None:
    """μ, σ̃, value and gradient."""
    a, b = one.ahead.forward(Z), other.ahead.forward(Z)
    np.testing.assert_allclose(a.mu, b.mu, rtol=0, atol=tol)
    np.testing.assert_allclose(a.sigma, b.sigma, rtol=0, atol=tol)
    (value, gradient), (same, slope) = one.value_and_gradient(Z), other.value_and_gradient(Z)
    assert np.abs(gradient).max() > 1e-3  # there is something to see
    np.testing.assert_allclose(value, same, rtol=0, atol=tol)
    np.testing.assert_allclose(gradient, slope, rtol=0, atol=10 * tol)


@pytest.mark.parametrize("p", [0, 2])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_the_identity_is_the_plain_factor(q: int, p: int) -> None:
    assert_same(sampled(IDENTITY, q, p), sampled(None, q, p), batches(3, q))


def test_the_exact_identity_is_the_plain_factor() -> None:
    assert_same(ExactKG(lookahead(IDENTITY)), ExactKG(lookahead(None)), batches(3, 1))


@pytest.mark.parametrize("p", [0, 2])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_an_average_of_one_row_is_the_pinned_target(q: int, p: int) -> None:
    """Also if that row stands there several times."""
    repeated = Target(LAST, np.full((4, D), 0.9), WEIGHTS)
    assert_same(sampled(repeated, q, p), sampled(PINNED, q, p), batches(3, q, PINNED))
    nothing_pinned = Target(np.zeros(D, bool), CONTEXTS, WEIGHTS)
    assert_same(sampled(nothing_pinned, q, p), sampled(None, q, p), batches(3, q))


@pytest.mark.parametrize("name", ["pinned", "average"])
@pytest.mark.parametrize("p", [0, 2])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_a_column_that_does_not_matter_may_as_well_not_be_there(q: int, p: int, name: str) -> None:
    full = smooth_posterior()
    known = full.X, full.y, full.sigma2
    wide = Posterior.build(*known, np.where(LAST, 1e8, full.ell), full.s2, full.m, full.noise)
    narrow = Posterior.build(full.X[:, ~LAST], *known[1:], full.ell[~LAST], full.s2, full.m, full.noise)
    Z, Zq = batches(3, q, post=wide), RNG(4).standard_normal((16, p + q))
    each = (lookahead(target, p, post) for target, post in ((TARGETS[name], wide), (None, narrow)))
    pair = [SampledKG(replace(ahead, noise=ahead.posterior.constant_noise), Zq) for ahead in each]
    (value, gradient), (same, slope) = (
        kg.value_and_gradient(z) for kg, z in zip(pair, (Z, Z[..., ~LAST]), strict=True)
    )
    assert value.max() > 1e-3
    np.testing.assert_allclose(value, same, atol=1e-9)
    np.testing.assert_allclose(gradient[..., ~LAST], slope, atol=1e-7)
    np.testing.assert_allclose(gradient[..., LAST], 0.0, atol=1e-7)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("p", [0, 2])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_the_sampled_gradient_has_the_right_rate(q: int, p: int, name: str) -> None:
    kg, Z = sampled(TARGETS[name], q, p), batches(2, q, TARGETS[name])
    value, gradient = kg.value_and_gradient(Z)
    np.testing.assert_array_equal(value, kg.value(Z))
    assert np.abs(gradient).max() > 1e-3
    check_gradient(lambda x: kg.value(x).sum(), gradient, Z)


@pytest.mark.parametrize("name", TARGETS)
def test_the_exact_gradient_has_the_right_rate(name: str) -> None:
    kg, Z = ExactKG(lookahead(TARGETS[name])), batches(3, 1, TARGETS[name])
    check_gradient(lambda x: kg.value(x).sum(), kg.value_and_gradient(Z)[1], Z)


@pytest.mark.parametrize("name", TARGETS)
def test_the_gradient_goes_through_the_map_where_only_candidates_can_win(name: str) -> None:
    """A is empty: both minima are over the rows P z."""
    ahead = Lookahead(smooth_posterior(), tilted_noise, np.empty((0, D)), np.empty((0, D)), TARGETS[name])
    kg, Z = SampledKG(ahead, RNG(4).standard_normal((12, 2))), RNG(5).random((1, 2, D))
    check_gradient(lambda x: kg.value(x).sum(), kg.value_and_gradient(Z)[1], Z)


@pytest.mark.parametrize("name", TARGETS)
def test_exact_and_monte_carlo_agree(name: str) -> None:
    ahead, Z = lookahead(TARGETS[name]), batches(2, 1, TARGETS[name])
    (value, gradient) = ExactKG(ahead).value_and_gradient(Z)
    draws = [SampledKG(ahead, Zq[:, None]).value_and_gradient(Z) for Zq in RNG(6).standard_normal((400, 64))]
    for truth, found in ((value, np.array([v for v, _ in draws])), (gradient, np.array([g for _, g in draws]))):
        se = found.std(axis=0) / np.sqrt(len(found))
        assert np.all(np.abs(found.mean(axis=0) - truth) < 4 * se + 1e-12)
        assert np.any(np.abs(truth) > 5 * se)


@pytest.mark.parametrize("name", ["pinned", "average"])
def test_the_mean_after_a_batch_is_the_targets_given_its_results(name: str) -> None:
    """μ_A + σ̃ Z against conditioning the posterior on the results that Z stands for."""
    target, ahead = TARGETS[name], lookahead(TARGETS[name], p=1)
    z, Zq, post = batches(1, 2)[0], RNG(7).standard_normal(3), ahead.posterior
    fw, W = ahead.forward(z[None]), np.vstack([ahead.pending, z])
    after = post.condition(W, tilted_noise(W)[0], post.mean(W) + fw.D[0] @ Zq)
    rows = np.array([[np.where(LAST, row, x) for row in target.rows] for x in np.vstack([ahead.A, W])])
    means = after.mean(rows.reshape(-1, D)).reshape(rows.shape[:2]) @ target.weights
    np.testing.assert_allclose(fw.mu[0] + fw.sigma[0] @ Zq, means, atol=1e-9)


@pytest.mark.parametrize("q", [1, 2, 4])
def test_value_per_cost_and_its_gradient(q: int) -> None:
    class Rising:
        """With the fidelity."""

        def value(self, U: np.ndarray) -> np.ndarray:
            return 0.2 + U[..., -1] ** 2

        def value_and_gradient(self, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return self.value(U), np.where(LAST, 2.0 * U, 0.0)

    cost = Rising()
    part, Z, before = sampled(PINNED, q, p=2), batches(2, q, PINNED), 0.01
    kg = PerCost(part, cost, before)
    value, gradient = kg.value_and_gradient(Z)
    np.testing.assert_allclose(value, (part.value(Z) - before) / (0.2 + Z[..., -1] ** 2).sum(axis=1), rtol=1e-14)
    np.testing.assert_array_equal(value, kg.value(Z))
    check_gradient(lambda x: kg.value(x).sum(), gradient, Z)


def test_normals_of_one_measurement_find_the_exact_value_of_an_average() -> None:
    ahead, Z = lookahead(AVERAGE), batches(4, 1, AVERAGE)
    exact = ExactKG(ahead).value(Z)
    np.testing.assert_allclose(SampledKG(ahead, normals(2**14, 1, RNG(8))).value(Z), exact, atol=1e-3 * exact.max())


@pytest.mark.parametrize("name", TARGETS)
def test_mean_and_variance_are_those_of_the_sum(name: str) -> None:
    target, post, U = TARGETS[name], smooth_posterior(), RNG(9).random((5, D))
    for x, mean, variance in zip(U, mean_of(target, post, U), variance_of(target, post, U), strict=True):
        rows = target.expand(x[None])
        assert mean == pytest.approx(post.mean(rows) @ target.weights, rel=1e-12)
        assert variance == pytest.approx(target.weights @ post.cov(rows, rows) @ target.weights, rel=1e-9)


@pytest.mark.parametrize("name", ["pinned", "average"])
def test_the_lowest_mean_is_the_targets(name: str) -> None:
    target, post = TARGETS[name], smooth_posterior()
    low = lowest_mean([post], CUBE, RNG(0), target)
    assert mean_of(target, post, low[None])[0] <= mean_of(target, post, RNG(1).random((4000, D))).min() + 1e-6


@pytest.mark.parametrize("name", ["pinned", "average"])
def test_inner_minima_are_the_targets(name: str) -> None:
    """Lower than on any point of A_n, and what the posterior given the results says there."""
    target, ahead = TARGETS[name], lookahead(TARGETS[name], p=1)
    z, Zq, post = batches(1, 2, target)[0], RNG(7).standard_normal((8, 3)), ahead.posterior
    x, least = fantasy_minima(ahead, z, Zq, CUBE, steps=60)
    fw, W = ahead.forward(z[None]), np.vstack([ahead.pending, z])
    assert np.all(least <= (fw.mu[0] + Zq @ fw.sigma[0].T).min(axis=1) + 1e-9)
    for i in range(8):
        after = post.condition(W, tilted_noise(W)[0], post.mean(W) + fw.D[0] @ Zq[i])
        assert mean_of(target, after, x[i : i + 1])[0] == pytest.approx(least[i], abs=1e-8)


@pytest.mark.parametrize("q", [1, 2])
def test_a_batch_for_the_identity_is_the_plain_batch(q: int) -> None:
    """Sums are in another order, and an ascent ends where its steps become small: by processor, that is not quite the
    same point."""
    asked = question(q, pending=RNG(2).random((1, D)))
    plain, mapped = (QKG().propose(replace(asked, target=target), RNG(0)) for target in (None, IDENTITY))
    np.testing.assert_allclose(mapped.Z, plain.Z, atol=5e-3)
    assert mapped.value == pytest.approx(plain.value, rel=1e-3)


@pytest.mark.parametrize("method", [QKG(), KG()])
@pytest.mark.parametrize("name", ["pinned", "average"])
def test_a_batch_is_chosen_for_the_target(name: str, method: QKG | KG) -> None:
    """Better than the best of many random ones, and than one chosen for f."""
    target, asked = TARGETS[name], question(2)
    post = asked.model[0]
    A = np.vstack([RNG(1).random((300, D)), post.X])
    judge = SampledKG(Lookahead(post, post.constant_noise, A, np.empty((0, D)), target), normals(256, 2, RNG(9)))
    chosen, for_f = (method.propose(replace(asked, target=t), RNG(0)).Z for t in (target, None))
    worth = judge.value(np.stack([chosen, for_f]))
    assert worth[0] > judge.value(RNG(2).random((300, 2, D))).max()
    assert worth[0] > worth[1]
