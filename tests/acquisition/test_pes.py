"""`pes` and `ppes` against entropies of many joint draws of f on a line of points."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import spearmanr

from knowgrad.acquisition.criteria.entropy import Information, Minimisers
from knowgrad.acquisition.methods.pes import PES, information, prepare
from knowgrad.acquisition.methods.ppes import PPES
from knowgrad.acquisition.problem import Question
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Float, Space
from tests.acquisition.questions import question
from tests.numeric import check_gradient, smooth_posterior, tilted_noise

RNG = np.random.default_rng
LINE = np.linspace(0.0, 1.0, 31)[:, None]
NONE = np.empty((0, 1))
CASES = [(4, 0.05, 0), (5, 0.01, 1), (6, 0.2, 2), (7, 0.02, 6)]


class Truth(NamedTuple):
    """Information about the argmin, by histograms and by variances, of single points and of pairs."""

    post: Posterior
    chance: np.ndarray  # of each place to be the argmin
    single: np.ndarray
    pairs: list[tuple[int, int]]
    pair: np.ndarray


def histogram_entropy(values: np.ndarray, edges: np.ndarray) -> float:
    share = np.histogram(values, edges)[0] / len(values)
    share = share[share > 0.0]
    return float(-(share * np.log(share)).sum())


@lru_cache
def brute_force(n: int, noise: float, seed: int, N: int = 60_000) -> Truth:
    rng = RNG(seed)
    X = rng.random((n, 1))
    post = Posterior.build(X, rng.standard_normal(n), np.full(n, noise), np.array([0.2]), 1.0, 0.0, noise)
    C = post.cov(LINE, LINE)
    f = post.mean(LINE) + rng.standard_normal((N, 31)) @ np.linalg.cholesky(C + 1e-9 * np.eye(31)).T
    star, y = np.argmin(f, axis=1), f + np.sqrt(noise) * rng.standard_normal(f.shape)
    edges = [np.linspace(column.min(), column.max(), 40) for column in y.T]
    pairs = [tuple(rng.choice(31, 2, replace=False)) for _ in range(60)]
    single = np.array([histogram_entropy(column, e) for column, e in zip(y.T, edges, strict=True)])
    pair = np.array([0.5 * np.linalg.slogdet(C[np.ix_(p, p)] + noise * np.eye(2))[1] for p in pairs])
    chance = np.bincount(star, minlength=31) / N
    chance[chance < 0.005] = 0.0
    chance /= chance.sum()
    for m in np.flatnonzero(chance):
        given = y[star == m]
        single -= chance[m] * np.array([histogram_entropy(c, e) for c, e in zip(given.T, edges, strict=True)])
        V = np.cov(given.T)
        pair -= chance[m] * np.array([0.5 * np.linalg.slogdet(V[np.ix_(p, p)])[1] for p in pairs])
    return Truth(post, chance, single, pairs, pair)


def agree(found: np.ndarray, truth: np.ndarray, rank: float) -> None:
    assert spearmanr(found, truth)[0] > rank
    assert np.abs(found - truth).max() < 0.4 * truth.max()
    assert truth[np.argmax(found)] > 0.9 * truth.max()


@pytest.mark.parametrize("case", CASES)
def test_information_given_the_true_law_of_the_minimum(case: tuple[int, float, int]) -> None:
    truth = brute_force(*case)
    star = np.flatnonzero(truth.chance)
    known = Minimisers.learn(
        truth.post, np.vstack([LINE[star], truth.post.X]), np.arange(len(star)), truth.chance[star]
    )
    acquisition = Information(known, truth.post.constant_noise, NONE)
    agree(acquisition.value(LINE[:, None]), truth.single, 0.9)
    agree(acquisition.value(np.array([LINE[list(p)] for p in truth.pairs])), truth.pair, 0.95)


@pytest.mark.parametrize("case", CASES)
def test_information_as_the_methods_compute_it(case: tuple[int, float, int]) -> None:
    """x* from sample paths: the noise of drawing it comes on top."""
    truth = brute_force(*case)
    post = truth.post
    asked = Question((post,), (post.constant_noise,), Space({"x": Float(0.0, 1.0)}), NONE, 1)
    minimisers, _ = prepare(asked, RNG(0), 64, 32)
    agree(information(asked, minimisers, NONE).value(LINE[:, None]), truth.single, 0.9)


@pytest.mark.parametrize(("p", "q"), [(0, 1), (0, 3), (2, 2)])
def test_the_gradient(p: int, q: int) -> None:
    post, B = smooth_posterior(n=12), RNG(1).random((15, 3))
    known = Minimisers.learn(post, B, np.array([0, 3, 7, 11]), np.array([0.1, 0.4, 0.3, 0.2]))
    acquisition = Information(known, tilted_noise, RNG(2).random((p, 3)))
    z = RNG(3).random((q, 3))
    check_gradient(lambda z: acquisition.value(z[None])[0], acquisition.value_and_gradient(z[None])[1][0], z)


def test_fixed_points_are_points_of_the_batch() -> None:
    post, B, W = smooth_posterior(n=12), RNG(1).random((15, 3)), RNG(2).random((3, 3))
    known = Minimisers.learn(post, B, np.array([0, 3]), np.array([0.5, 0.5]))
    values = [Information(known, tilted_noise, W[:f]).value(W[None, f:])[0] for f in range(3)]
    np.testing.assert_allclose(values, values[0], rtol=1e-9)


@pytest.mark.parametrize("pending", [0, 2])
def test_for_one_point_the_two_are_the_same(pending: int) -> None:
    asked = question(1, pending=RNG(5).random((pending, 3)))
    np.testing.assert_array_equal(*(method.propose(asked, RNG(0)).Z for method in (PES(), PPES())))


@pytest.mark.parametrize("method", [PES(), PPES()], ids=["pes", "ppes"])
def test_the_batch_beats_every_one_of_many_random_batches(method: PES | PPES) -> None:
    """Judged with draws of x* of its own."""
    asked = question(3, pending=RNG(5).random((1, 3)))
    z = method.propose(asked, RNG(0)).Z
    minimisers, _ = prepare(asked, RNG(1), 64, 32)
    judge = information(asked, minimisers, asked.pending)
    assert judge.value(z[None])[0] > judge.value(RNG(2).random((300, 3, 3))).max()


def test_the_joint_batch_says_no_less_than_the_greedy_one() -> None:
    asked = question(3)
    minimisers, _ = prepare(asked, RNG(0), 32, 32)
    judge = information(asked, minimisers, asked.pending)
    greedy, joint = (judge.value(m.propose(asked, RNG(0)).Z[None])[0] for m in (PES(), PPES()))
    assert joint >= 0.999 * greedy
