"""The safeguards of q-KG as options: each changes what it says, and the defaults have all of them."""

from dataclasses import replace

import numpy as np
import pytest

import knowgrad as kg
from knowgrad.acquisition.criteria.inflation import inflated
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search import sequential
from knowgrad.acquisition.search.aside import given
from knowgrad.acquisition.search.posterior_minimum import unverified_minimum
from tests.acquisition import test_inflation, test_posterior_minimum, test_sequential
from tests.acquisition.questions import question

SAFEGUARDS = ("verify_minimum", "variance_inflation", "noise_lower_bound", "sequential_batches", "measure_again")
UNSURE = replace(question(3, noise=0.5), least_noise=lambda: 0.1)  # noise that a tenth of its estimate is likely for
SURE = test_posterior_minimum.question(test_posterior_minimum.DENSE)  # a minimum that was never measured
VALLEY = test_inflation.question(0.25)  # a valley far below the prior mean
RARE = test_sequential.question()  # categories that have a small chance


def propose(asked: Question, **options: bool) -> Answer:
    return QKG(**options).propose(asked, np.random.default_rng(1))


def test_the_default_has_every_safeguard() -> None:
    assert QKG() == QKG(**dict.fromkeys(SAFEGUARDS, True))


@pytest.mark.parametrize(
    ("safeguard", "asked"),
    [
        pytest.param("verify_minimum", RARE, id="verify: levels"),
        pytest.param("verify_minimum", UNSURE, id="verify: noise"),
        pytest.param("variance_inflation", SURE, id="inflation: a batch of two"),
        pytest.param("variance_inflation", RARE, id="inflation: levels"),
        pytest.param("variance_inflation", UNSURE, id="inflation: noise"),
        pytest.param("noise_lower_bound", SURE, id="bound: precise results"),
        pytest.param("noise_lower_bound", RARE, id="bound: levels"),
        pytest.param("sequential_batches", UNSURE, id="sequential: noise"),
        pytest.param("measure_again", UNSURE, id="again: no point was named"),
    ],
)
def test_a_safeguard_changes_nothing_where_it_does_not_apply(safeguard: str, asked: Question) -> None:
    np.testing.assert_array_equal(propose(asked, **{safeguard: False}).Z, propose(asked).Z)


def test_without_verification_the_posterior_minimum_is_not_set_aside() -> None:
    low = unverified_minimum(SURE, np.random.default_rng(1))
    np.testing.assert_array_equal(propose(SURE).Z[0], low[0])
    assert not (low == propose(SURE, verify_minimum=False).Z).all(axis=1).any()


def test_without_variance_inflation_all_points_are_near_the_valley() -> None:
    assert inflated(given(VALLEY, np.empty((0, 2)))) is not None

    def outside(**options: bool) -> int:
        return int((np.abs(propose(VALLEY, **options).Z - 0.2).max(axis=1) > 0.2).sum())

    assert outside() == 1
    assert outside(variance_inflation=False) == 0


def test_without_the_noise_lower_bound_the_batch_is_that_of_the_estimate() -> None:
    estimate = propose(replace(UNSURE, least_noise=lambda: 1.0))
    plain = propose(UNSURE, noise_lower_bound=False)
    np.testing.assert_array_equal(plain.Z, estimate.Z)
    assert plain.value == estimate.value
    assert not np.array_equal(propose(UNSURE).Z, plain.Z)


def test_without_sequential_batches_a_small_chance_is_missed() -> None:
    exact = sequential.one_point_kg(RARE, [RARE.model[0].X], RARE.model)
    joint, both = propose(RARE, sequential_batches=False), propose(RARE)
    assert joint.value is not None
    assert both.value is not None
    assert joint.value < 0.5 * both.value
    assert exact.value(joint.Z[:, None]).max() <= exact.value(both.Z[:, None]).max()


@pytest.mark.parametrize("off", [("variance_inflation",), SAFEGUARDS], ids=["one", "all"])
def test_a_study_takes_the_options(off: tuple[str, ...]) -> None:
    method = kg.methods.QKG(**dict.fromkeys(off, False))
    study = kg.Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=1, noise=0, method=method)
    for trial in study.ask(6):
        study.tell(trial, (trial.params["x"] - 0.3) ** 2 + trial.params["y"])
    batch = study.ask(3)
    assert [trial.source for trial in batch] == ["QKG"] * 3
    assert len({tuple(trial.params.values()) for trial in batch}) == 3
