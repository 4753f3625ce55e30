"""`kg` against quadrature of refits."""

import numpy as np
import pytest
from scipy.stats import norm

from knowgrad.acquisition.methods.kg import KG
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.worth import factors
from tests.acquisition.questions import LINE, listed_question, question, refitted

RNG = np.random.default_rng


def integrated_kg(post, points: np.ndarray, z: np.ndarray) -> float:
    """min μ − ∫ min μ given y(z) = y: the mean after a result is linear in it, and found by refitting at two."""
    mu, sd = post.mean(z[None])[0], np.sqrt(post.var(z[None])[0] + post.noise)
    low, high = (refitted(post, z[None], np.array([mu + t * sd])).mean(points) for t in (0.0, 1.0))
    t = np.linspace(-9.0, 9.0, 20_001)
    value = np.trapezoid(np.min(low + t[:, None] * (high - low), axis=1) * norm.pdf(t), t)
    return float(post.mean(points).min() - value)


@pytest.mark.parametrize("posteriors", [1, 2])
def test_the_value_is_the_integral_over_results(posteriors: int) -> None:
    asked, points = listed_question(LINE, 1, posteriors=posteriors)
    kg = Average(factors(asked, [points] * posteriors, np.empty((0, 1)), np.zeros((1, 1))))
    truth = [np.mean([integrated_kg(post, points, z) for post in asked.model]) for z in points[::8]]
    np.testing.assert_allclose(kg.value(points[::8, None]), truth, atol=1e-6)


def test_the_points_are_those_of_highest_integrated_kg() -> None:
    asked, points = listed_question(LINE, 3, pending=1)
    post = refitted(asked.model[0], asked.pending, asked.model[0].mean(asked.pending))
    for z in KG().propose(asked, RNG(0)).Z:
        best = max(integrated_kg(post, points, x) for x in points[::2])
        assert integrated_kg(post, points, z) >= 0.97 * best
        post = refitted(post, z[None], post.mean(z[None]))


def test_on_a_continuous_domain_it_beats_a_dense_sample() -> None:
    asked = question(1, posteriors=2)
    A = [np.vstack([RNG(11).random((600, 3)), post.X]) for post in asked.model]
    kg = Average(factors(asked, A, np.empty((0, 3)), np.zeros((1, 1))))
    z = KG().propose(asked, RNG(0)).Z
    assert kg.value(z[None])[0] >= 0.97 * kg.value(RNG(2).random((2000, 1, 3))).max()
