"""Verdicts in words."""

import pytest

from knowgrad.trial import Front, Gain, Recommendation
from knowgrad.views.words import Verdict, another_batch, wider_front

FOUND = Recommendation({"x": 1.0}, 2.0, 0.25, 10, None)


@pytest.mark.parametrize(("gain", "answer"), [(0.2, "yes"), (0.02, "maybe"), (0.001, "no"), (0.0, "no")])
def test_without_a_threshold_the_spread_of_the_results_decides(gain, answer):
    verdict = another_batch(Gain(gain, 0.001, 4), FOUND, 1.0)
    assert verdict.answer == answer
    assert "4 more results are expected to improve the recommendation by" in verdict.why
    assert "2 ± 0.25" in verdict.why


def test_a_threshold_decides():
    assert another_batch(Gain(0.02, 0.001), FOUND, 1.0, threshold=0.05).answer == "no"
    verdict = another_batch(Gain(0.2, 0.001), FOUND, 100.0, threshold=0.05)
    assert verdict.answer == "yes"
    assert "above the threshold of 0.05" in verdict.why


def test_results_that_are_all_the_same_leave_nothing_to_compare_with():
    assert another_batch(Gain(0.0), FOUND, 0.0).answer == "no"


def test_a_front_that_is_hardly_one_is_no_measure():
    def said(volume: float, gain: float) -> Verdict:
        return wider_front(Gain(gain, 0.001, 2), Front((), (("y", "minimize"), ("z", "minimize")), volume))

    assert said(1e-27, 0.05).answer == said(0.0, 0.05).answer == "yes"
    assert said(1e-27, 0.05).why.endswith("Up to now there is hardly a front.")
    assert "2.5% more" in said(2.0, 0.05).why
    assert said(0.0, 0.0).answer == "no"
