import numpy as np
import pytest

from knowgrad.acquisition.methods.thompson import Path, Thompson
from knowgrad.gp.paths import Paths
from tests.acquisition.questions import LINE, listed_question
from tests.numeric import check_gradient, smooth_posterior

RNG = np.random.default_rng


@pytest.mark.parametrize("posteriors", [1, 2])
def test_frequencies_are_those_of_the_minimiser_of_joint_samples(posteriors: int) -> None:
    q = 400
    asked, points = listed_question(LINE, q, posteriors=posteriors)
    truth = np.zeros(len(points))
    for post in asked.model:
        L = np.linalg.cholesky(post.cov(points, points) + 1e-9 * np.eye(len(points)))
        drawn = post.mean(points) + RNG(1).standard_normal((20_000, len(points))) @ L.T
        truth += np.bincount(np.argmin(drawn, axis=1), minlength=len(points)) / 20_000 / posteriors
    Z = Thompson().propose(asked, RNG(0)).Z
    found = np.bincount(np.rint(Z[:, 0] * 40).astype(int), minlength=len(points)) / q
    # Blocks of neighbours, so that each holds enough to compare.
    truth, found = (part[:40].reshape(8, 5).sum(axis=1) for part in (truth, found))
    assert np.sum(truth > 0.05) >= 3
    assert np.all(np.abs(found - truth) < 4 * np.sqrt(truth * (1 - truth) / q) + 0.01)


def test_the_gradient_of_a_path() -> None:
    path = Path(Paths.draw(smooth_posterior(), 1, RNG(0)))
    Z = RNG(1).random((3, 1, 3))
    value, gradient = path(Z, np.arange(3))
    np.testing.assert_allclose(value, path.value(Z), rtol=1e-10)
    check_gradient(lambda x: path.value(x).sum(), gradient, Z)


def test_exact_results_are_not_asked_for_twice_while_there_are_others() -> None:
    asked, _ = listed_question(LINE, 20, noise=0.0, pending=3)
    Z = Thompson().propose(asked, RNG(0)).Z
    taken = np.vstack([asked.model[0].X, np.unique(asked.pending, axis=0), Z])
    assert len(np.unique(taken, axis=0)) == len(taken)
