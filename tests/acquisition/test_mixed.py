"""Climbing and exchanging where some parameters have levels or options."""

import numpy as np
import pytest

from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.ascent import climb, search
from knowgrad.acquisition.search.discretize import fantasy_minima, sampled_optima
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Choice, Float, Int, Space
from tests.acquisition.domains import BALL, LEVELS, assert_inside
from tests.numeric import smooth_posterior

HALF = np.full(3, 0.5)
KINDS = Space({"x": Float(0.0, 1.0), "kind": Choice(["a", "b", "c"])})
NONE = np.empty((0, 3))


class Valley:
    """Best along x = u₁ − 0.2, at u₁ = 0.6: between the levels 0.5 and 0.75 of u₁."""

    def __call__(self, Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, n = Z[..., 0], Z[..., 1]
        across, along = x - n + 0.2, n - 0.6
        slope = np.stack([-20 * across, 20 * across - 2 * along, np.zeros_like(x)], axis=-1)
        return -(10 * across**2 + along**2).sum(axis=1), slope

    def value(self, Z: np.ndarray) -> np.ndarray:
        return self(Z, np.arange(len(Z)))[0]


def test_a_climb_ends_on_a_level_with_the_rest_at_its_best_there() -> None:
    start = LEVELS.sample(6, np.random.default_rng(0))[:, None]
    Z, value = climb(Valley(), start, LEVELS, HALF, steps=40, tol=1e-12)
    np.testing.assert_array_equal(LEVELS.snap(Z), Z)
    np.testing.assert_allclose(Z[:, 0, 0], Z[:, 0, 1] - 0.2, atol=1e-3)
    np.testing.assert_allclose(value, Valley().value(Z))
    assert (Z[:, 0, 1] == 0.5).any()


def test_no_start_gets_worse() -> None:
    def teeth(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rises away from every level, only to fall before the next one."""
        phase = 8 * np.pi * Z[..., 1]
        slope = np.zeros_like(Z)
        slope[..., 1] = 8 * np.pi * np.sin(phase) - 1.0
        return (1 - np.cos(phase) - Z[..., 1]).sum(axis=1), slope

    start = LEVELS.sample(8, np.random.default_rng(1))[:, None]
    _, value = climb(teeth, start, LEVELS, HALF)
    assert np.all(value >= teeth(start, np.arange(8))[0] - 1e-12)


def test_every_start_keeps_its_own_objective() -> None:
    goals = np.linspace(0.1, 0.9, 5)

    def fun(Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gap = (Z[..., 0] - goals[rows, None]) * 1.0
        return -(gap**2).sum(axis=1), np.stack([-2 * gap, 0 * gap, 0 * gap], axis=-1)

    Z, _ = climb(fun, np.full((5, 1, 3), 0.5), LEVELS, HALF, steps=40, tol=1e-12)
    np.testing.assert_allclose(Z[:, 0, 0], goals, atol=1e-4)


class Shifted:
    """Option b is best, but only far from where option a is: a bowl at 0.2 for a, a deeper one at 0.7 for b."""

    def __call__(self, Z: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        b = Z[..., 2] > 0.1
        gap = Z[..., 0] - np.where(b, 0.7, 0.2)
        slope = np.zeros_like(Z)
        slope[..., 0] = -2 * gap
        return (np.where(b, 0.1, 0.0) - gap**2).sum(axis=1), slope

    def value(self, Z: np.ndarray) -> np.ndarray:
        return self(Z, np.arange(len(Z)))[0]


def test_an_exchange_may_move_what_is_continuous_too() -> None:
    z, scale, rng = KINDS.encode({"x": 0.2, "kind": "a"})[None], np.full(4, 0.5), np.random.default_rng(0)
    stuck = exchange(Shifted().value, z, KINDS, scale, rng)
    free = exchange(Shifted().value, z, KINDS, scale, rng, climb=Shifted())
    assert KINDS.decode(stuck[0])["kind"] == "a"
    assert KINDS.decode(free[0])["kind"] == "b"
    assert free[0, 0] == pytest.approx(0.7, abs=0.05)
    assert_inside(KINDS, free)


def test_a_search_tries_options_that_no_candidate_has() -> None:
    candidates = np.array([KINDS.encode({"x": x, "kind": "a"}) for x in (0.6, 0.65, 0.8)])[:, None]
    best = search(Shifted(), candidates, KINDS, np.full(4, 0.5))
    assert KINDS.decode(best[0])["kind"] == "b"


def test_sampled_and_fantasised_optima_are_points_that_can_be_tried() -> None:
    post, rng = smooth_posterior(noise=0.1), np.random.default_rng(0)
    optima = sampled_optima(post, LEVELS, LEVELS.sample(64, rng), 8, rng)
    np.testing.assert_array_equal(LEVELS.snap(optima), optima)
    Zq = normals(16, 2, rng)
    ahead = Lookahead(post, post.constant_noise, optima, NONE)
    x, least = fantasy_minima(ahead, LEVELS.sample(2, rng), Zq, LEVELS)
    np.testing.assert_array_equal(LEVELS.snap(x), x)
    assert least.shape == (16,)


def test_a_domain_without_levels_is_climbed_as_before() -> None:
    start = BALL.sample(3, np.random.default_rng(0))[:, None]
    Z, _ = climb(Valley(), start, BALL, HALF)
    assert BALL.contains(Z[:, 0]).all()


def test_noise_makes_replicates_worth_choosing() -> None:
    """Three levels, all tried once, with results that say little: to look again is all that is left."""
    space = Space({"n": Int(1, 3)})
    post = Posterior.build(np.array([[0.0], [0.5], [1.0]]), np.array([0.1, -0.1, 0.0]), np.full(3, 0.5), HALF[:1], 1.0)
    noise = [lambda U: (np.full(U.shape[:-1], 0.5), np.zeros(U.shape))]
    answer = QKG().propose(Question([post], noise, space, np.empty((0, 1)), 2), np.random.default_rng(0))
    assert_inside(space, answer.Z)
    assert answer.value is not None
    assert answer.value > 0.01
