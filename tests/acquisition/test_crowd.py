"""Running points drawn once against running points carried along: the same numbers, gradients and minima."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.speed.true_value import Gp, true_value
from knowgrad.acquisition.criteria.crowd import draws, given, kept, matter
from knowgrad.acquisition.criteria.kg import SampledKG
from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.methods import qkg
from knowgrad.acquisition.methods.qkg import QKG, crowded
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.worth import factors, per_sample
from knowgrad.acquisition.target import Target
from tests.acquisition.domains import CUBE
from tests.acquisition.questions import question
from tests.numeric import check_gradient, smooth_posterior, tilted_noise

RNG = np.random.default_rng
AVERAGE = Target(np.array([True, False, False]), np.array([[0.2, 0.0, 0.0], [0.7, 0.0, 0.0]]), np.array([0.4, 0.6]))


def both_ways(p: int, q: int, target: Target | None = None) -> tuple[SampledKG, SampledKG]:
    """q-KG with the running points in W, and with their results drawn before."""
    post, P, Zq = smooth_posterior(), RNG(1).random((p, 3)), RNG(2).standard_normal((16, p + q))
    A, none = np.vstack([RNG(3).random((20, 3)), post.X]), np.empty((0, 3))
    known = given(post, tilted_noise, P)
    full = Lookahead(post, tilted_noise, A, P, target)
    light = Lookahead(known, tilted_noise, np.vstack([A, P]), none, target, draws(known, Zq[:, :p]))
    return SampledKG(full, Zq), SampledKG(light, Zq[:, p:])


@pytest.mark.parametrize("target", [None, AVERAGE], ids=["plain", "average"])
@pytest.mark.parametrize(("p", "q"), [(1, 1), (6, 1), (6, 3), (40, 2)])
def test_drawn_results_give_the_value_and_the_gradient_of_the_full_computation(p, q, target):
    full, light = both_ways(p, q, target)
    Z = RNG(4).random((3, q, 3))
    value, gradient = full.value_and_gradient(Z)
    found, slope = light.value_and_gradient(Z)
    np.testing.assert_allclose(found, value, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(slope, gradient, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(light.value(Z), found)


@pytest.mark.parametrize("target", [None, AVERAGE], ids=["plain", "average"])
def test_the_gradient_has_the_right_rate(target):
    _, light = both_ways(6, 2, target)
    Z = RNG(5).random((2, 2, 3))
    check_gradient(lambda x: light.value(x).sum(), light.value_and_gradient(Z)[1], Z)


@pytest.mark.parametrize("q", [1, 2])
def test_minima_after_a_batch_are_those_of_the_full_computation(q):
    full, light = both_ways(6, q)
    z = RNG(6).random((q, 3))
    one, other = (per_sample(kg.ahead, z, kg.Zq, CUBE) for kg in (full, light))
    np.testing.assert_allclose(other, one, atol=1e-6)


def test_without_a_batch_a_crowd_is_worth_what_its_last_point_adds_to_the_others():
    full, light = both_ways(6, 1)
    pending, Zq = full.ahead.pending, full.Zq[:, :6]
    alone = replace(full.ahead, pending=pending[:-1])
    gain = per_sample(light.ahead, pending[:0], Zq[:, :0], CUBE)
    np.testing.assert_allclose(gain, per_sample(alone, pending[-1:], Zq, CUBE), atol=1e-6)


def test_the_share_that_a_running_point_takes_away():
    """All at the candidate itself where results are exact, nothing far away, and 1 − var after / var before between."""
    post, C = smooth_posterior(), RNG(7).random((4, 3))
    P = np.vstack([C[:2], [[40.0, 40.0, 40.0]]])
    worth = np.array([0.0, 3.0, 0.0, 0.0])
    score = matter(post, lambda U: (np.zeros(len(U)), np.zeros(U.shape)), P, C, worth)
    left = given(post, lambda U: (np.zeros(len(U)), np.zeros(U.shape)), P[:1]).var(C[[1]])
    expected = [3.0 * (1.0 - left[0] / post.var(C[[1]])[0]), 3.0, 0.0]
    np.testing.assert_allclose(score, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(kept(score, 2), [0, 1])


def test_of_a_larger_crowd_those_that_matter_are_kept(monkeypatch):
    """Points far outside of the domain say nothing about it: with or without them all is the same."""
    near, far = RNG(8).random((30, 3)), 30.0 + RNG(9).random((40, 3))
    asked = question(1, pending=np.vstack([far[:20], near, far[20:]]))
    monkeypatch.setattr("knowgrad.acquisition.search.crowded.ROOM", 30)
    sets, candidates = QKG().prepare(replace(asked, pending=near[:0]), RNG(0))
    found, _, _ = crowded(asked, asked, sets, candidates)
    assert (found.crowd, len(found.pending)) == (30, 0)
    Zq, Z = RNG(1).standard_normal((32, 31)), candidates[:5, None]
    values = [Average(factors(found, sets, near[:0], Zq)).value(Z)]
    only, _, _ = crowded(replace(asked, pending=near), asked, sets, candidates)
    values.append(Average(factors(only, sets, near[:0], Zq)).value(Z))
    np.testing.assert_allclose(*values, rtol=1e-6)


@pytest.mark.parametrize("noise", [0.05, 0.0], ids=["noisy", "exact"])
def test_a_refill_beside_many_is_worth_as_much_as_that_of_the_full_computation(monkeypatch, noise):
    """As the independent judge has it, for 80 running points."""
    P = RNG(10).random((80, 3))
    asked = question(1, pending=P, noise=noise or 1e-10)
    light = QKG().propose(asked, RNG(0))
    monkeypatch.setattr(qkg, "FEW", 200)
    full = QKG().propose(asked, RNG(0))
    post = asked.model[0]
    gp = Gp(post.X, post.y, post.ell, post.s2, max(post.noise, 1e-6), post.m)
    alone = true_value(gp, P[:1], P[1:], samples=256).value
    one, other = (true_value(gp, answer.Z, P, samples=256).value for answer in (light, full))
    assert one - alone >= 0.95 * (other - alone)
    assert one >= 0.95 * other
