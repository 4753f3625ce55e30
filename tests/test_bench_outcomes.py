"""The comparison of searches with several outcomes: problems, scores, and points as others name them."""

import numpy as np
import pytest

from benchmarks.campaigns.outcomes import judged, tables
from benchmarks.peers.outcomes import heard, said
from benchmarks.peers.outcomes_botorch import decoded, encoded
from benchmarks.peers.outcomes_kept import Kept
from benchmarks.problems.outcomes import FRONTS, LIMITS, Problem, volume
from knowgrad.acquisition.criteria.hypervolume import hypervolume

OPTIONS = (4, 0, 3)


def listed() -> Problem:
    return Problem("listed", ((0.0, 3.0), (0.0, 1.0), (0.0, 2.0)), 2, 0, lambda X: X[:, :2], choices=OPTIONS)


@pytest.mark.parametrize("m", [1, 2, 3])
def test_volumes_are_those_of_the_package(m: int) -> None:
    Y, corner = np.random.default_rng(m).random((30, m)), np.full(m, 0.9)
    assert volume(Y, corner) == pytest.approx(hypervolume(Y, corner), rel=1e-12)


@pytest.mark.parametrize("problem", FRONTS, ids=lambda problem: problem.name)
def test_many_points_come_close_to_the_true_front_and_never_beyond(problem: Problem) -> None:
    U = np.random.default_rng(0).random((4000 if problem.objectives == 2 else 300, problem.dim))
    if problem.name == "branin-currin":  # much of it lies on an edge
        U = np.round(80 * U) / 80
    if problem.name.startswith(("dtlz2", "zdt2")):  # where the front is known
        m = problem.objectives
        U[:, m - 1 :] = 0.5 if problem.name != "zdt2" else 0.0
    missing = judged(problem, U, U[:1], np.ones(problem.objectives))["missing"]
    assert -1e-6 < missing < 0.1


@pytest.mark.parametrize("problem", LIMITS, ids=lambda problem: problem.name)
def test_no_point_that_keeps_the_limits_is_better_than_the_optimum(problem: Problem) -> None:
    Y = problem.values(problem.real(np.random.default_rng(0).random((50_000, problem.dim))))
    kept = (Y[:, 1:] <= 0.0).all(axis=1)
    assert kept.any()
    assert Y[kept, 0].min() > problem.optimum - 1e-6


def test_choices_are_their_options_for_everybody() -> None:
    problem, keys = listed(), ["a", "b", "c"]
    U = problem.snapped(np.random.default_rng(1).random((200, 3)))
    assert [len(np.unique(u)) for u in U.T] == [4, 200, 3]
    np.testing.assert_array_equal(problem.snapped(U * (1.0 - 1e-12)), U * [1.0, 1.0 - 1e-12, 1.0])
    np.testing.assert_allclose(decoded(encoded(U, OPTIONS), OPTIONS), U)
    assert encoded(U, OPTIONS).shape == (200, 4 + 1 + 3)
    for u in U[:20]:
        point = said(keys, u, OPTIONS)
        np.testing.assert_allclose(heard([point[key] for key in keys], OPTIONS), u)


def test_what_peers_recommend_keeps_the_limits_and_is_best() -> None:
    kept = Kept(LIMITS[0])
    kept.add(np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]), np.zeros((3, 3)))
    mean = np.array([[3.0], [1.0], [2.0]])
    np.testing.assert_array_equal(kept.best(mean, np.array([1.0, 0.5, 0.99])), [[0.5, 0.6]])
    np.testing.assert_array_equal(kept.best(mean, np.array([0.1, 0.5, 0.4])), [[0.3, 0.4]])


def test_tables_pair_the_same_starts() -> None:
    line = {"problem": "gramacy", "noise": 0.0, "batches": 15, "feasible": True, "seconds": 1.0}
    ours = [{**line, "method": "knowgrad", "seed": s, "regret": 0.01 * (s + 1)} for s in range(3)]
    theirs = [{**line, "method": "optuna-gp", "seed": s, "regret": 0.1 * (s + 1)} for s in range(2)]
    assert "+1.00 (+1.00 to +1.00)" in tables([*ours, *theirs])
