"""Noise that is not known yet is taken to be as low as the results allow, while there are batches to come."""

from dataclasses import replace

import numpy as np
import pytest

from knowgrad.acquisition.criteria.noise_bound import Scaled, at_lower_bound
from knowgrad.acquisition.methods.qkg import QKG
from tests.acquisition.questions import question
from tests.numeric import tilted_noise


def test_where_the_noise_is_known_or_the_search_ends_nothing_changes() -> None:
    asked = question(2)
    assert at_lower_bound(asked) is asked
    ending = replace(asked, least_noise=lambda: 0.1, last=True)
    assert at_lower_bound(ending) is ending


def test_a_share_of_the_noise_has_that_share_of_its_slope() -> None:
    U = np.random.default_rng(0).random((5, 3))
    for part, whole in zip(Scaled(tilted_noise, 0.3)(U), tilted_noise(U), strict=True):
        np.testing.assert_allclose(part, 0.3 * whole)


def test_the_batch_is_that_of_the_lower_noise_and_its_value_that_of_the_estimate() -> None:
    asked = question(2, noise=0.5)
    low = replace(asked, noise=[Scaled(noise, 0.1) for noise in asked.noise])
    hoped, quiet, plain = (
        QKG().propose(each, np.random.default_rng(0)) for each in (replace(asked, least_noise=lambda: 0.1), low, asked)
    )
    np.testing.assert_array_equal(hoped.Z, quiet.Z)
    assert not np.array_equal(hoped.Z, plain.Z)
    assert hoped.value < quiet.value
    assert hoped.value <= plain.value * 1.05


@pytest.mark.parametrize("ending", [False, True])
def test_a_study_takes_the_noise_at_its_lower_bound_until_its_last_batch(
    ending: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`suggest` hands the share to the method: with a share of one the batch changes, unless it is the last."""
    from knowgrad import Study
    from knowgrad.advisor import suggest

    def batch() -> list[dict[str, object]]:
        study = Study({"x": (0.0, 1.0), "y": (0.0, 1.0)}, seed=1)
        rng = np.random.default_rng(0)
        for u in rng.random((8, 2)):
            study.add({"x": u[0], "y": u[1]}, value=float(np.sin(5 * u[0]) + u[1] ** 2 + 0.5 * rng.standard_normal()))
        return [trial.params for trial in study.ask(2, last=ending)]

    before = batch()
    monkeypatch.setattr(suggest, "least_share", lambda *_: 1.0)
    assert (batch() == before) == ending
