from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import qmc

from knowgrad.acquisition.methods.sobol import Sobol
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Int, Space
from tests.acquisition.domains import ALL, CUBE, assert_inside
from tests.acquisition.questions import question

RNG = np.random.default_rng


def told(asked, U: np.ndarray):
    """The question after U was measured."""
    post = asked.model[0]
    X = np.vstack([post.X, U])
    return replace(asked, model=[Posterior.build(X, np.zeros(len(X)), np.full(len(X), 0.1), post.ell, 1.0)])


def test_batches_continue_one_sequence_whatever_the_random_numbers() -> None:
    asked, batches = question(4), []
    for turn in range(4):
        batches.append(Sobol().propose(asked, RNG(turn)).Z)
        asked = told(asked, batches[-1])
    sequence = Sobol().sequence(CUBE, 6)
    np.testing.assert_array_equal(np.vstack(batches), sequence[20:36])
    assert qmc.discrepancy(sequence) < 0.2 * qmc.discrepancy(RNG(0).random((64, 3)))
    np.testing.assert_array_equal(
        Sobol().propose(question(4, pending=batches[0]), RNG(9)).Z,
        Sobol().propose(told(question(4), batches[0]), RNG(8)).Z,
    )


def test_another_scramble_is_another_sequence() -> None:
    assert np.abs(Sobol().sequence(CUBE, 3) - Sobol(scramble=1).sequence(CUBE, 3)).max() > 0.1


@pytest.mark.parametrize("name", ALL)
def test_infeasible_points_are_left_out(name: str) -> None:
    answer = Sobol().propose(question(16, domain=ALL[name]), RNG(0))
    assert answer.Z.shape == (16, 3)
    assert_inside(ALL[name], answer.Z)


def test_a_space_that_is_used_up_repeats() -> None:
    tiny = Space({"a": Int(0, 1), "b": Int(0, 1), "c": Int(0, 1)})
    all_eight = Sobol().propose(question(8, domain=tiny), RNG(0)).Z
    assert len(np.unique(all_eight, axis=0)) == 8
    assert Sobol().propose(question(3, domain=tiny, pending=all_eight), RNG(0)).Z.shape == (3, 3)
    assert Sobol().propose(question(11, domain=tiny), RNG(0)).Z.shape == (11, 3)
