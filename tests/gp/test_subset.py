"""The part of very many observations that a model is made of."""

import numpy as np
import pytest

from knowgrad.model.subset import ALWAYS, nearest, subset

GROUPS = np.arange(2)


def observed(n: int, noise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.random((n, 2))
    return X, ((X - [0.3, 0.6]) ** 2).sum(axis=1) + noise * rng.standard_normal(n)


def test_few_are_all_taken_in() -> None:
    X, y = observed(100)
    np.testing.assert_array_equal(subset(X, y, GROUPS, 100), np.arange(100))
    np.testing.assert_array_equal(nearest(X, X[:1], 100), np.arange(100))


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_of_many_there_are_the_lowest_the_latest_and_those_around_the_optimum(noise: float) -> None:
    X, y = observed(3_000, noise)
    keep = subset(X, y, GROUPS, 400)
    assert len(keep) == 400
    assert (np.diff(keep) > 0).all()
    assert set(np.argsort(y)[:ALWAYS]) <= set(keep)
    assert set(range(2_950, 3_000)) <= set(keep)
    inside = np.linalg.norm(X - [0.3, 0.6], axis=1) < 0.1  # some 94 of them
    assert inside[keep].sum() > 0.7 * inside.sum()
    far = np.linalg.norm(X - [0.3, 0.6], axis=1) > 0.4
    assert far[keep].sum() > 20


def test_luck_is_no_reason_to_be_taken_in() -> None:
    """Of those kept around the optimum the noise averages to nothing, up to five standard errors."""
    X, y = observed(3_000, 0.3)
    noise = y - observed(3_000)[1]
    keep = np.setdiff1d(subset(X, y, GROUPS, 400), np.argsort(y)[: 4 * ALWAYS])
    others = np.setdiff1d(np.arange(3_000), np.argsort(y)[: 4 * ALWAYS])
    assert abs(noise[keep].mean() - noise[others].mean()) < 5 * 0.3 / np.sqrt(len(keep))


def test_from_one_question_to_the_next_most_of_it_stays() -> None:
    X, y = observed(3_004, 0.1)
    before, after = (set(subset(X[:n], y[:n], GROUPS, 400)) for n in (3_000, 3_004))
    assert len(before & after) >= 350


def test_of_many_failures_the_nearest_to_the_best_count() -> None:
    X, _ = observed(1_000)
    keep = nearest(X, np.array([[0.3, 0.6]]), 100)
    assert len(keep) == 100
    assert set(np.argsort(((X - [0.3, 0.6]) ** 2).sum(axis=1))[:50]) <= set(keep)
