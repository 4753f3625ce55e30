"""`ucb`, `gp-bucb` and `gp-ucb-pe` against literal transcriptions on finite spaces."""

import math

import numpy as np
import pytest

from knowgrad.acquisition.criteria.bounds import optimism
from knowgrad.acquisition.methods.gp_bucb import GPBUCB
from knowgrad.acquisition.methods.gp_ucb_pe import GPUCBPE, Exploration, deviation
from knowgrad.acquisition.methods.ucb import UCB
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.greedy import believe
from tests.acquisition.questions import LINE, SQUARE, listed_question, moments, question, refitted
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng
SPACES = {"line": LINE, "square": SQUARE}


def scheduled(d: int, t: int) -> float:
    return math.sqrt(2 * math.log(d * t**2 * math.pi**2 / (6 * 0.1)))


def average(model, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd, each averaged over the posteriors, as the bounds are."""
    return tuple(np.mean(part, axis=0) for part in zip(*(moments(post, points) for post in model), strict=True))


def with_means(model, U: np.ndarray) -> list:
    return [refitted(post, U, post.mean(U)) for post in model] if len(U) else list(model)


def gp_bucb(asked: Question, points: np.ndarray) -> np.ndarray:
    """Algorithm 1 of Desautels et al., for minimisation, word by word."""
    mu, _ = average(asked.model, points)
    model, batch = with_means(asked.model, asked.pending), []
    for j in range(asked.q):
        t = len(asked.model[0].X) + len(asked.pending) + j + 1
        _, sd = average(model, points)
        batch.append(points[np.argmin(mu - scheduled(points.shape[1], t) * sd)])
        model = with_means(model, batch[-1][None])
    return np.array(batch)


def gp_ucb_pe(asked: Question, points: np.ndarray) -> np.ndarray:
    """Algorithm 1 of Contal et al., for minimisation, word by word."""
    model = with_means(asked.model, asked.pending)
    mu, sd = average(model, points)
    width = scheduled(points.shape[1], len(asked.model[0].X) + len(asked.pending) + 1)
    batch = [points[np.argmin(mu - width * sd)]]
    region = points[mu - 2 * width * sd <= np.min(mu + width * sd)]
    while len(batch) < asked.q:
        model = with_means(model, batch[-1][None])
        batch.append(region[np.argmax(average(model, region)[1])])
    return np.array(batch)


@pytest.mark.parametrize("posteriors", [1, 3])
@pytest.mark.parametrize("pending", [0, 2])
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(("method", "literal"), [(GPBUCB(), gp_bucb), (GPUCBPE(), gp_ucb_pe)])
def test_batches_are_those_of_the_algorithm(method, literal, space: str, pending: int, posteriors: int) -> None:
    asked, points = listed_question(SPACES[space], 4, pending=pending, posteriors=posteriors)
    np.testing.assert_array_equal(method.propose(asked, RNG(0)).Z, literal(asked, points))


def test_the_relevant_region_leaves_something_out() -> None:
    """So that it matters: with many observations of little noise, the widest place is outside."""
    asked, points = narrow_question()
    mu, sd = average(asked.model, points)
    width = scheduled(points.shape[1], len(asked.model[0].X) + 1)
    inside = mu - 2 * width * sd <= np.min(mu + width * sd)
    assert 0.05 < inside.mean() < 0.8
    batch = GPUCBPE().propose(asked, RNG(0)).Z
    np.testing.assert_array_equal(batch, gp_ucb_pe(asked, points))
    assert not np.isin(np.argmax(sd), np.flatnonzero(inside))


def narrow_question() -> tuple[Question, np.ndarray]:
    asked, points = listed_question(LINE, 4)
    post = asked.model[0]
    X = points[::4][:9]
    y = (X[:, 0] - 0.2) ** 2 * 40 - 1.0
    narrow = type(post).build(X, y, np.full(len(X), 1e-4), np.array([0.5]), 9.0, noise=1e-4)
    return Question([narrow], [narrow.constant_noise], LINE, asked.pending, 4), points


def test_ucb_takes_the_lowest_bound_and_a_fixed_beta_replaces_the_schedule() -> None:
    asked, points = listed_question(SQUARE, 1, posteriors=2, pending=1)
    mu, sd = average(with_means(asked.model, asked.pending), points)
    z = UCB().propose(asked, RNG(0)).Z[0]
    np.testing.assert_array_equal(z, points[np.argmin(mu - scheduled(2, 8) * sd)])
    z = UCB(beta=0.0).propose(asked, RNG(0)).Z[0]
    np.testing.assert_array_equal(z, points[np.argmin(mu)])


def test_gradients() -> None:
    model = [smooth_posterior(noise=s) for s in (0.05, 0.2)]
    later = believe(model, [post.constant_noise for post in model], RNG(1).random((2, 3)))
    Z = RNG(0).random((4, 1, 3))
    for acquisition in (
        optimism(model, 2.0),
        deviation(later),
        Exploration(deviation(later), optimism(model, 2.0), 9.0),
        Exploration(deviation(later), optimism(model, 2.0), -9.0),
    ):
        value, gradient = acquisition(Z, np.arange(4))
        np.testing.assert_allclose(value, acquisition.value(Z), rtol=1e-12)
        check_gradient(lambda x, f=acquisition: f.value(x).sum(), gradient, Z)


def test_on_a_continuous_domain_exploration_stays_in_the_region_and_finds_the_widest_place() -> None:
    asked = question(3)
    batch = GPUCBPE().propose(asked, RNG(0)).Z
    post, everywhere = asked.model[0], RNG(5).random((20_000, 3))
    width = scheduled(3, 21)
    mu, sd = moments(post, everywhere)
    lowest = np.min(mu + width * sd)
    inside = everywhere[mu - 2 * width * sd <= lowest]
    for j in (1, 2):
        here = moments(post, batch[j : j + 1])
        assert here[0] - 2 * width * here[1] <= lowest + 1e-2
        later = believe([post], asked.noise, batch[:j])[0]
        assert later.var(batch[j : j + 1])[0] >= 0.999 * later.var(inside).max()


@pytest.mark.parametrize(
    "wrong", [lambda: UCB(beta=-1.0), lambda: UCB(delta=0.0), lambda: GPBUCB(2.0), lambda: GPUCBPE(-1)]
)
def test_wrong_options_are_refused_when_they_are_given(wrong) -> None:
    with pytest.raises(ValueError, match="expected"):
        wrong()
