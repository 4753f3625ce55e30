"""The search for one point: as good as a dense sample in every kind of domain, and believing what it should."""

import numpy as np
import pytest

from knowgrad.acquisition.criteria.bounds import optimism
from knowgrad.acquisition.criteria.improvement import expected_improvement
from knowgrad.acquisition.search.greedy import Climb, believe
from tests.acquisition.domains import ALL, assert_inside
from tests.acquisition.questions import LINE, listed_question, question
from tests.numeric import tilted_noise

RNG = np.random.default_rng
NONE = np.empty((0, 3))


@pytest.mark.parametrize("name", ALL)
def test_the_search_finds_what_a_dense_sample_finds(name: str) -> None:
    domain = ALL[name]
    asked = question(1, domain=domain, posteriors=2)
    dense = domain.sample(5000, RNG(5))[:, None]
    for acquisition in (expected_improvement(asked.model), optimism(asked.model, 3.0)):
        for seed in range(3):
            z = Climb.prepare(asked, RNG(seed)).best(acquisition, NONE)
            assert_inside(domain, z)
            assert acquisition.value(z[None])[0] >= acquisition.value(dense).max() - 0.01


def test_belief_lowers_the_variance_by_what_the_noise_allows_and_keeps_the_mean() -> None:
    asked = question(1, posteriors=2)
    U, W = RNG(1).random((9, 3)), RNG(2).random((2, 3))
    noise = [tilted_noise, asked.noise[1]]
    for before, after, sigma2 in zip(asked.model, believe(asked.model, noise, W), noise, strict=True):
        np.testing.assert_allclose(after.mean(U), before.mean(U), atol=1e-9)
        G = before.cov(U, W)
        fall = np.einsum("uw,wv,uv->u", G, np.linalg.inv(before.cov(W, W) + np.diag(sigma2(W)[0])), G)
        np.testing.assert_allclose(after.var(U), before.var(U) - fall, atol=1e-8)


def test_an_exact_result_is_not_asked_for_again_unless_nothing_is_left() -> None:
    asked, points = listed_question(LINE, 1, noise=0.0)
    low = optimism(asked.model, 0.0)
    order = points[np.argsort(-low.value(points[:, None]), kind="stable")]
    climb = Climb.prepare(asked, RNG(0))
    np.testing.assert_array_equal(climb.best(low, order[:0])[0], order[0])
    np.testing.assert_array_equal(climb.best(low, order[:5])[0], order[5])
    np.testing.assert_array_equal(climb.best(low, order)[0], order[0])
