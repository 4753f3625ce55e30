"""Variance inflation: one point of a batch in case the model is too sure of what it has not seen."""

from dataclasses import replace

import numpy as np
import pytest

from knowgrad.acquisition.criteria import inflation
from knowgrad.acquisition.criteria.inflation import DEVIATIONS, inflated
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.ties import Tie
from knowgrad.gp.kernel import matern52, with_effects
from knowgrad.gp.posterior import Posterior
from knowgrad.space import Choice, Float, Space

SQUARE = Space({"x": (0.0, 1.0), "y": (0.0, 1.0)})
STEPS = Space({"x": Float(0.0, 1.0), "y": Float(0.0, 1.0, step=0.02)})
GRID = Space({name: Float(0.0, 1.0, step=0.02) for name in "xy"})
VALLEY = 0.2 + np.stack(np.meshgrid(*2 * [np.linspace(-0.16, 0.16, 9)]), axis=-1).reshape(-1, 2)
X = np.vstack([VALLEY, [[0.9, 0.9], [0.1, 0.9], [0.9, 0.1]]])
Y = np.append(8.0 * ((VALLEY - 0.2) ** 2).sum(axis=1) - 2.0, [1.0, 1.1, 0.9])


def question(s2: float, q: int = 4, space: Space = SQUARE) -> Question:
    """A valley that all is known of but its last digits, and three results high above it."""
    post = Posterior.build(X, Y, np.full(len(X), 1e-10), np.array([0.15, 0.15]), s2, m=1.0)
    return Question([post], [post.constant_noise], space, np.empty((0, 2)), q)


def test_the_best_result_lies_two_deviations_down_and_results_stay_results() -> None:
    asked = inflated(question(0.25))
    assert asked is not None
    [post] = asked.model
    assert (post.m - post.mean(X).min()) / np.sqrt(post.s2) == pytest.approx(DEVIATIONS)
    np.testing.assert_allclose(post.mean(X), Y, atol=1e-6)
    far = np.array([[0.6, 0.6]])
    assert post.var(far)[0] > 4.0 * question(0.25).model[0].var(far)[0]
    assert asked.q == 1


def test_a_model_that_expects_its_best_result_is_not_inflated() -> None:
    assert inflated(question(4.0)) is None


def test_a_small_batch_has_no_point_to_spare() -> None:
    assert inflated(question(0.25, q=2)) is None
    assert inflated(question(0.25, q=3)) is not None


def test_a_finite_space_is_left_to_the_exact_search() -> None:
    assert inflated(question(0.25, space=GRID)) is None
    assert inflated(question(0.25, space=STEPS)) is not None


@pytest.mark.parametrize("space", [SQUARE, STEPS], ids=["continuous", "steps"])
def test_one_point_of_the_batch_leaves_the_valley(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    def outside(last: bool = False) -> int:
        answer = QKG().propose(replace(question(0.25, space=space), last=last), np.random.default_rng(1))
        assert space.contains(answer.Z).all()
        assert answer.Z.shape == (4, 2)
        return int((np.abs(answer.Z - 0.2).max(axis=1) > 0.2).sum())

    assert outside() == 1
    assert outside(last=True) == 0
    monkeypatch.setattr(inflation, "DEVIATIONS", np.inf)
    assert outside() == 0


def among_choices(q: int = 3, last: bool = False) -> Question:
    space = Space({"x": (0.0, 1.0), "a": Choice(["p", "q", "r"])})
    rng = np.random.default_rng(0)
    U, ell = space.sample(9, rng), np.array([0.4, *[1.5] * 3])
    kernel = with_effects(matern52, space.choices, 2)
    post = Posterior.build(U, rng.standard_normal(9), np.full(9, 0.2), ell, 1.0, noise=0.2, kernel=kernel)
    return Question([post], [post.constant_noise], space, np.empty((0, space.dim)), q, last)


def test_with_choices_deviations_are_wider_and_means_and_noise_keep_their_places() -> None:
    asked = among_choices()
    wide = inflated(asked)
    assert wide is not None
    [post], [as_wide], V = asked.model, wide.model, asked.domain.sample(6, np.random.default_rng(1))
    np.testing.assert_allclose(as_wide.mean(V), post.mean(V), rtol=1e-10)
    np.testing.assert_allclose(as_wide.cov(V, V), 4.0 * post.cov(V, V), atol=1e-12)
    assert wide.noise[0](V)[0] == pytest.approx(4.0 * asked.noise[0](V)[0])
    again = Posterior.build(post.X, post.y, 4.0 * post.sigma2, post.ell, 4.0, post.m, 0.8, post.kernel)
    np.testing.assert_allclose(as_wide.L, again.L, rtol=1e-10)


def test_with_choices_half_of_a_batch_is_chosen_so_and_the_rest_and_its_value_are_those_of_the_model() -> None:
    asked = among_choices(q=4)
    wide = inflated(asked)
    assert wide is not None
    assert wide.q == 2
    answer, plain = (QKG(variance_inflation=on).propose(asked, np.random.default_rng(3)) for on in (True, False))
    assert len(answer.Z) == len(plain.Z) == 4
    assert not np.array_equal(answer.Z, plain.Z)
    assert answer.value is not None
    assert plain.value is not None
    assert answer.value < 1.05 * plain.value


def test_a_last_batch_among_choices_is_as_without() -> None:
    asked = among_choices(q=4, last=True)
    answer, plain = (QKG(variance_inflation=on).propose(asked, np.random.default_rng(3)) for on in (True, False))
    np.testing.assert_array_equal(answer.Z, plain.Z)


def test_half_of_a_plate_among_choices_decides_what_all_share() -> None:
    tie = Tie(np.array([False, True, True, True]), 1, np.empty((0, 4)))
    asked, plain = replace(among_choices(6), ties=(tie,)), QKG(variance_inflation=False)
    with_it, without = (method.propose(asked, np.random.default_rng(1)).Z for method in (QKG(), plain))
    assert len(tie.values(with_it)) == len(tie.values(without)) == 1
    assert (with_it != without).any()
    last = replace(asked, last=True)
    same = (method.propose(last, np.random.default_rng(1)).Z for method in (QKG(), plain))
    np.testing.assert_array_equal(*same)
