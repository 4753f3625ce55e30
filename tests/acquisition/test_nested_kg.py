from itertools import combinations_with_replacement

import numpy as np
import pytest

from knowgrad.acquisition.criteria.normals import normals
from knowgrad.acquisition.methods.nested_kg import NestedKG, value
from knowgrad.space import Int, Space
from tests.acquisition.questions import listed_question, question
from tests.numeric import smooth_posterior

RNG = np.random.default_rng
GRID = Space({"x": Int(0, 4), "y": Int(0, 4)}, constraints=["x + y <= 6"])


@pytest.mark.parametrize(("q", "pending", "posteriors"), [(1, 0, 1), (2, 0, 1), (2, 1, 2), (3, 0, 1)])
def test_no_batch_of_the_whole_list_is_better(q: int, pending: int, posteriors: int) -> None:
    """Every batch of the grid is valued, on samples of its own."""
    asked, points = listed_question(GRID, q, pending=pending, posteriors=posteriors, noise=0.3)
    everything = np.array([points[list(each)] for each in combinations_with_replacement(range(len(points)), q)])
    Zq = normals(512, pending + q, RNG(1))
    judged = value(asked, points, asked.pending, everything, Zq)
    z = NestedKG(samples=256).propose(asked, RNG(0)).Z
    assert value(asked, points, asked.pending, z[None], Zq)[0] >= 0.98 * judged.max()


def test_the_value_is_that_of_fantasised_posteriors() -> None:
    """q-KG from its definition: draw noisy results, condition on them from scratch, take the minimum over the list."""
    asked, points = listed_question(GRID, 2, noise=0.3)
    post, z, rng = asked.model[0], points[[3, 15]], RNG(2)
    root = np.linalg.cholesky(post.cov(z, z) + 0.3 * np.eye(2))
    Y = post.mean(z) + rng.standard_normal((4000, 2)) @ root.T
    least = [post.condition(z, np.full(2, 0.3), y).mean(points).min() for y in Y]
    truth, error = post.mean(points).min() - np.mean(least), np.std(least) / np.sqrt(len(least))
    found = value(asked, points, asked.pending, z[None], normals(1024, 2, RNG(1)))[0]
    assert abs(found - truth) < 4 * error


def test_a_domain_that_cannot_be_listed_is_sampled() -> None:
    asked = question(2)
    z = NestedKG(limit=128).propose(asked, RNG(0)).Z
    assert asked.domain.contains(z).all()
    L = np.vstack([RNG(1).random((300, 3)), z, smooth_posterior().X])
    Zq = normals(256, 2, RNG(2))
    random = RNG(3).random((50, 2, 3))
    assert value(asked, L, asked.pending, z[None], Zq)[0] > value(asked, L, asked.pending, random, Zq).max()
