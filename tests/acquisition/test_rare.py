"""Batches where improvement is too rare for samples to see."""

import numpy as np

from knowgrad.acquisition.base import Question
from knowgrad.acquisition.qkg import QKG
from knowgrad.acquisition.rare import one_by_one, single, useful
from knowgrad.acquisition.sampling import normals
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
    exact = single(asked, [asked.model[0].X], asked.model)
    worth = exact.value(answer.Z[:, None])
    assert worth.max() >= 0.99 * exact.value(KINDS.enumerate(100)[:, None]).max()
    assert answer.value is not None
    assert answer.value >= 0.5 * worth.max()


def test_one_by_one_never_asks_the_same_twice() -> None:
    asked, rng = question(), np.random.default_rng(1)
    Z = one_by_one(asked, [asked.model[0].X], KINDS.sample(64, rng), rng)
    assert Z.shape == (4, KINDS.dim)
    assert KINDS.contains(Z).all()
    assert len({KINDS.decode(z)["kind"] for z in Z}) >= 3, "one measurement tells most of its surroundings"


def test_a_point_that_adds_nothing_is_not_useful() -> None:
    asked = question(3)
    good = np.array([KINDS.encode({"n": 4, "kind": kind}) for kind in "bc"])
    eager = Question(
        [Posterior.build(good[:1] * 0.0, np.zeros(1), np.full(1, 1e-9), ELL, 1.0)], asked.noise, KINDS, NONE, 3
    )
    Zq = normals(64, 3, np.random.default_rng(0))
    kept = useful(eager, [good], np.vstack([good, good[:1]]), Zq)
    np.testing.assert_array_equal(np.unique(kept, axis=0), np.unique(good, axis=0))
    assert len(kept) == 2
