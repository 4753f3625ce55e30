"""What every method must do, whatever it computes. A method is tested from the moment it is in METHODS."""

from dataclasses import replace

import numpy as np
import pytest

from knowgrad.acquisition.methods import METHODS, resolve
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Choice, Float, Int, Space
from knowgrad.trial import Settings, Trial
from tests.acquisition.domains import assert_inside

# Lighter options for methods that are slow by design.
LIGHT = {
    "nested-kg": {"samples": 16, "limit": 48, "sweeps": 1},
    "qkg-paper": {"M": 32, "samples": 8, "starts": 2, "steps": 10},
}

SPACES = {
    "box": Space({"x": Float(0.0, 1.0), "y": Float(1e-3, 1.0, log=True)}),
    "half-space": Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)}, constraints=["x + y <= 0.9"]),
    "ball": Space(
        {"x": Float(0.0, 1.0), "y": Float(0.0, 1.0)}, feasible=lambda p: (p["x"] - 0.5) ** 2 + (p["y"] - 0.5) ** 2 < 0.1
    ),
    "mixed": Space({"x": Float(0.0, 1.0), "n": Int(1, 5), "kind": Choice(["a", "b", "c"])}),
    "finite": Space({"n": Int(0, 7), "y": Float(0.0, 1.0, step=0.2)}, constraints=["n <= 7*y + 3"]),
}
BOX = SPACES["box"]
RNG = np.random.default_rng


@pytest.fixture(params=METHODS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def method(name: str):
    return replace(resolve(name), **LIGHT.get(name, {}))


def ask(
    space: Space, q: int, *, n: int = 7, pending: int = 0, posteriors: int = 1, noise: float = 0.05, flat: bool = False
) -> Question:
    """n observations of a smooth function on the space, or of a constant."""
    U = np.unique(space.sample(40, RNG(1)), axis=0)
    X, waiting = U[:n], U[n : n + pending]
    y = np.zeros(n) if flat else np.cos(5 * X @ np.arange(1, space.dim + 1)) + X[:, 0]
    ells = (0.4, 0.25, 0.8)[:posteriors]
    sigma2 = np.full(n, max(noise, 1e-10))
    model = [Posterior.build(X, y, sigma2, np.full(space.dim, ell), 1.0, noise=noise) for ell in ells]
    return Question(model, [post.constant_noise for post in model], space, waiting, q)


def proposed(name: str, question: Question, seed: int = 0) -> Answer:
    answer = method(name).propose(question, RNG(seed))
    assert answer.Z.shape == (question.q, question.domain.dim)
    assert np.isfinite(answer.Z).all()
    assert_inside(question.domain, answer.Z)
    return answer


@pytest.mark.parametrize("space", SPACES)
def test_q_points_inside_the_domain(name: str, space: str) -> None:
    proposed(name, ask(SPACES[space], 2))
    proposed(name, ask(SPACES[space], 1, pending=2))


def test_the_same_question_and_random_numbers_give_the_same_answer(name: str) -> None:
    first, second = (proposed(name, ask(BOX, 2, pending=1), seed=3) for _ in range(2))
    np.testing.assert_array_equal(first.Z, second.Z)
    assert (first.value, first.sem) == (second.value, second.sem)


def test_a_question_is_not_changed_by_answering_it(name: str) -> None:
    question = ask(BOX, 2, pending=2)
    post = question.model[0]
    parts = (question.pending, post.X, post.y, post.L, post.sigma2)
    before = [part.copy() for part in parts]
    proposed(name, question)
    for left, right in zip(parts, before, strict=True):
        np.testing.assert_array_equal(left, right)


def test_several_posteriors(name: str) -> None:
    proposed(name, ask(BOX, 2, posteriors=3, pending=1))


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_constant_data(name: str, noise: float) -> None:
    proposed(name, ask(BOX, 2, flat=True, noise=noise))


def test_one_observation(name: str) -> None:
    proposed(name, ask(BOX, 2, n=1))


def test_exact_results_are_not_asked_for_twice(name: str) -> None:
    """A batch without noise holds new points: none of those running, and no point twice."""
    if name == "random":
        pytest.skip("chance has no memory")
    question = ask(BOX, 2, pending=3, noise=0.0)
    Z = proposed(name, question).Z
    together = np.vstack([question.pending, Z])
    gaps = np.abs(together[:, None] - together[None]).max(axis=2) + np.eye(len(together))
    assert gaps[3:].min() > 0.0


def test_replicates_and_repeated_pending_points(name: str) -> None:
    """Coinciding points make the covariance singular; no method may stumble over that."""
    question = ask(BOX, 2, noise=0.0)
    again = question.model[0].X[[0, 1, 0]]
    proposed(name, Question(question.model, question.noise, question.domain, again, 2))


@pytest.mark.parametrize("noise", [0, "learned"])
def test_through_suggest(name: str, noise: object) -> None:
    space = SPACES["mixed"]
    size = 2 * space.n_params + 2
    U = np.unique(space.sample(60, RNG(1)), axis=0)[: size + 1]
    trials = [
        Trial(f"t-{i}", i, space.decode(u), *(("complete", float(u.sum() ** 2)) if i < size else ("pending", None)))
        for i, u in enumerate(U)
    ]
    settings = Settings(seed=1, method=method(name) if name in LIGHT else name, noise=noise)
    batch = Snapshot(space, trials, settings).suggest(2)
    assert not any(source.startswith("random:") for source in batch.sources)
    for params in batch.params:
        assert space.validate(params) == params
    assert batch == Snapshot(space, trials, settings).suggest(2)
