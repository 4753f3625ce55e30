"""The posterior minimum, and when it is verified."""

import numpy as np
import pytest

from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.posterior_minimum import lowest_mean, unverified_minimum
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Int, Space

LINE = Space({"x": (0.0, 1.0)})
NONE = np.empty((0, 1))


def question(
    points: list[float], q: int = 2, space: Space = LINE, pending: np.ndarray = NONE, lowest: float = 0.3
) -> Question:
    """A parabola, observed exactly."""
    X = np.array(points)[:, None]
    post = Posterior.build(X, 8.0 * (X[:, 0] - lowest) ** 2, np.full(len(X), 1e-12), np.array([0.8]), 10.0)
    return Question([post], [post.constant_noise], space, pending, q)


DENSE = [0.0, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0]


def test_a_minimum_that_the_model_is_sure_of_is_part_of_the_batch() -> None:
    asked = question(DENSE)
    low = unverified_minimum(asked, np.random.default_rng(0))
    np.testing.assert_allclose(low, [[0.3]], atol=0.01)
    batch = QKG().propose(asked, np.random.default_rng(1)).Z
    assert batch.shape == (2, 1)
    assert np.abs(batch - low).min() < 1e-6


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(question(DENSE, q=1), id="a batch of one is the method's own"),
        pytest.param(question([0.0, 1.0]), id="the model is not sure"),
        pytest.param(question(DENSE, space=Space({"n": Int(0, 20)})), id="on levels"),
    ],
)
def test_nothing_to_verify(asked: Question) -> None:
    assert len(unverified_minimum(asked, np.random.default_rng(0))) == 0


def test_what_was_tried_or_is_running_is_not_verified_again() -> None:
    asked = question(DENSE)
    low = lowest_mean(asked.model, LINE, np.random.default_rng(0))
    assert len(unverified_minimum(question(DENSE, pending=low[None]), np.random.default_rng(1))) == 0
    assert len(unverified_minimum(question(DENSE, lowest=-0.5), np.random.default_rng(1))) == 0
