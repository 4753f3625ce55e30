"""Sequential KG: batches where improvement is too rare for samples to see."""

import numpy as np
import pytest

from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.search.sequential import one_point_kg, samples_may_miss, sequential_kg
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Choice, Int, Space

KINDS = Space({"n": Int(0, 8), "kind": Choice(["a", "b", "c", "d", "e"])})
NONE = np.empty((0, KINDS.dim))
ELL = np.array([0.5, *[0.7] * 5])


def question(q: int = 4) -> Question:
    """Of option a all is known, with a minimum three standard deviations down; of the others only the ends are."""
    known = [("a", n, -3.0 + 0.05 * (n - 4) ** 2) for n in range(9)] + [(k, n, 0.5) for k in "bcde" for n in (0, 8)]
    X = np.array([KINDS.encode({"n": n, "kind": kind}) for kind, n, _ in known])
    post = Posterior.build(X, np.array([value for *_, value in known]), np.full(len(X), 1e-9), ELL, 1.0)
    return Question([post], [post.constant_noise], KINDS, NONE, q)


def test_the_batch_tries_what_has_a_small_chance() -> None:
    asked, rng = question(), np.random.default_rng(0)
    answer = QKG().propose(asked, rng)
    exact = one_point_kg(asked, [asked.model[0].X], asked.model)
    worth = exact.value(answer.Z[:, None])
    assert worth.max() >= 0.99 * exact.value(KINDS.enumerate(100)[:, None]).max()
    assert answer.value is not None
    assert answer.value >= 0.5 * worth.max()


def test_a_sequential_batch_never_asks_the_same_twice() -> None:
    asked, rng = question(), np.random.default_rng(1)
    Z, first = sequential_kg(asked, [asked.model[0].X], KINDS.sample(64, rng), rng)
    assert Z.shape == (4, KINDS.dim)
    assert first == one_point_kg(asked, [asked.model[0].X], asked.model).value(Z[:1][None])[0]
    assert KINDS.contains(Z).all()
    assert len({KINDS.decode(z)["kind"] for z in Z}) >= 3, "one measurement tells most of its surroundings"


def test_precise_measurements_too_are_worth_at_least_the_best_single_one() -> None:
    """A narrow valley whose bottom is known but for a small chance elsewhere: samples alone see nothing of it."""
    square = Space({"x": (0.0, 1.0), "y": (0.0, 1.0)})
    rng = np.random.default_rng(3)
    X = np.vstack([square.sample(24, rng), [[0.5, 0.5]]])
    y = 4.0 * np.abs(X[:, 1] - X[:, 0] ** 2 - 0.25) + X[:, 0] - 3.0 * (X[:, 0] == 0.5)
    post = Posterior.build(X, y, np.full(len(X), 1e-12), np.array([0.4, 0.4]), 4.0)
    asked = Question([post], [post.constant_noise], square, np.empty((0, 2)), 4)
    answer = QKG().propose(asked, rng)
    sets, _ = QKG().prepare(asked, rng)
    best = one_point_kg(asked, sets, asked.model).value(square.sample(4000, rng)[:, None]).max()
    assert answer.value is not None
    assert answer.value >= 0.9 * best > 0.0


@pytest.mark.parametrize(("noise", "expected"), [(1e-6, True), (0.5, False)])
def test_noise_makes_improvement_common(noise: float, expected: bool) -> None:
    line = Space({"x": (0.0, 1.0)})
    post = Posterior.build(np.array([[0.2], [0.8]]), np.zeros(2), np.full(2, noise), np.ones(1), 1.0, noise=noise)
    assert samples_may_miss(Question([post], [post.constant_noise], line, np.empty((0, 1)), 1)) == expected
