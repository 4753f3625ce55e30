import numpy as np
import pytest

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.criteria.sampled import Sampled
from knowgrad.acquisition.methods.qei import QEI, Improvement, incumbent
from knowgrad.acquisition.methods.qei_exact import Exact, ExactQEI, expected_improvement
from knowgrad.gp.joint import Joint
from tests.acquisition.domains import CUBE
from tests.acquisition.questions import question
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng
POST = smooth_posterior()
BEST = incumbent(POST) + 1.0  # so that improvement is not rare
CASES = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 2)]


def batches(p: int, q: int) -> tuple[np.ndarray, np.ndarray]:
    return RNG(10 * p + q).random((p, 3)), RNG(q).random((6, q, 3))


@pytest.mark.parametrize(("p", "q"), CASES)
def test_sampled_and_exact_agree(p: int, q: int) -> None:
    pending, Z = batches(p, q)
    value, gradient = Exact(Joint(POST, pending), BEST).value_and_gradient(Z)
    sampled = Sampled(Joint(POST, pending), normals(2**14, p + q, RNG(0)), Improvement(BEST))
    by_samples, ipa = sampled.value_and_gradient(Z)
    np.testing.assert_allclose(by_samples, value, atol=1e-3 * value.max())
    np.testing.assert_allclose(ipa, gradient, atol=1e-2 * np.abs(gradient).max())


@pytest.mark.parametrize("r", [2, 3, 4, 5])
def test_the_closed_form_against_a_million_independent_draws(r: int) -> None:
    rng = RNG(r)
    root, mu, best = rng.standard_normal((r, r)), rng.standard_normal(r), -0.4
    gain = np.maximum(best - (mu + rng.standard_normal((10**6, r)) @ root.T).min(axis=1), 0.0)
    value = expected_improvement(mu[None], (root @ root.T)[None], best)[0][0]
    assert abs(value - gain.mean()) < 4 * gain.std() / 1e3


@pytest.mark.parametrize(("p", "q"), [*CASES, (0, 4)])
def test_the_exact_gradient(p: int, q: int) -> None:
    pending, Z = batches(p, q)
    exact = Exact(Joint(POST, pending), BEST)
    check_gradient(lambda z: exact.value(z[None])[0], exact.value_and_gradient(Z[:1])[1][0], Z[0])


def test_the_sampled_gradient_on_the_same_samples() -> None:
    """Kinks in single samples are small among many: the error falls until they show."""
    pending, Z = batches(1, 2)
    sampled = Sampled(Joint(POST, pending), normals(2**14, 3, RNG(0)), Improvement(BEST))
    gradient = sampled.value_and_gradient(Z[:1])[1][0]
    for i in np.ndindex(2, 3):
        step = np.zeros((2, 3))
        step[i] = 1e-4
        slope = (sampled.value((Z[0] + step)[None]) - sampled.value((Z[0] - step)[None]))[0] / 2e-4
        assert slope == pytest.approx(gradient[i], abs=2e-3 * np.abs(gradient).max())


def test_coinciding_points_are_worth_one() -> None:
    z = RNG(3).random((1, 1, 3))
    exact = Exact(Joint(POST, np.empty((0, 3))), BEST)
    assert exact.value(np.repeat(z, 3, axis=1))[0] == pytest.approx(exact.value(z)[0], rel=1e-4)


@pytest.mark.parametrize("method", [QEI(), ExactQEI()], ids=["sampled", "exact"])
@pytest.mark.parametrize(("p", "q"), [(0, 1), (0, 3), (2, 2)])
def test_the_batch_beats_every_one_of_many_random_batches(method: QEI | ExactQEI, p: int, q: int) -> None:
    asked = question(q, pending=RNG(5).random((p, 3)))
    z = method.propose(asked, RNG(0)).Z
    post = asked.model[0]
    judge = Exact(Joint(post, asked.pending), incumbent(post))
    assert judge.value(z[None])[0] > judge.value(RNG(1).random((500, q, 3))).max()


def test_both_find_batches_of_the_same_worth() -> None:
    asked = question(3, noise=0.01)
    post = asked.model[0]
    judge = Exact(Joint(post, asked.pending), incumbent(post))
    sampled, exact = (judge.value(m.propose(asked, RNG(0)).Z[None])[0] for m in (QEI(), ExactQEI()))
    assert sampled == pytest.approx(exact, rel=0.03)


def test_too_many_points_for_the_closed_form_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at most 5 .* got 7 \(2 pending and 5 asked for\); method 'qei'"):
        ExactQEI().propose(question(5, pending=CUBE.sample(2, RNG(0))), RNG(0))
