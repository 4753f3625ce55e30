"""Trials, and the small values that go in and out of a study."""

import copy
import dataclasses
import json
import math
import pickle

import pytest

from knowgrad.trial import Gain, Recommendation, Trial, best_of, failure, value_of

TRIAL = Trial("abc-0", 0, {"x": 1.5, "act": "relu"}, "pending")


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_trial_survives_copies_and_pickles(clone):
    again = clone(TRIAL)
    assert again == TRIAL
    assert type(again.params) is type(TRIAL.params)
    assert len({again, TRIAL}) == 1


def test_a_trial_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TRIAL.value = 1.0
    for change in (
        lambda params: params.update(x=2),
        lambda params: params.pop("x"),
        lambda params: params.__setitem__("x", 2),
        lambda params: params.__delitem__("x"),
        lambda params: params.__ior__({"x": 2}),
        lambda params: params.setdefault("z", 2),
        lambda params: params.clear(),
    ):
        with pytest.raises(TypeError, match=r"dict\(trial.params\)"):
            change(TRIAL.params)
    assert TRIAL.params == {"x": 1.5, "act": "relu"}


def test_params_do_not_follow_the_dict_they_came_from():
    params = {"x": 1}
    trial = Trial("abc-0", 0, params, "pending")
    params["x"] = 2
    assert trial.params == {"x": 1}


def test_a_trial_becomes_json():
    assert json.loads(json.dumps(dataclasses.asdict(TRIAL)))["params"] == {"x": 1.5, "act": "relu"}


def test_a_gain_is_a_number_with_its_error():
    gain = pickle.loads(pickle.dumps(Gain(0.25, 0.01, 4)))
    assert gain == gain.value == 0.25
    assert (gain.sem, gain.q) == (0.01, 4)
    assert repr(gain) == "Gain(0.25 ± 0.01, q=4)"


def test_a_recommendation_reads_as_a_sentence():
    found = Recommendation({"x": 1 / 3, "act": "relu"}, mean=0.123456, sd=0.0123, n_observed=7, best=None)
    assert str(found) == "x = 0.333333, act = relu: 0.123 ± 0.012 after 7 results"
    assert repr(found) == (
        "Recommendation(params={'x': 0.333333, 'act': 'relu'}, mean=0.123456, sd=0.0123, n_observed=7)"
    )


def test_a_trial_shows_what_is_known_of_it_to_six_digits():
    trial = Trial("a-3", 3, {"x": 1 / 3, "n": 2}, "complete", 2 / 3, source="qkg")
    assert repr(trial) == (
        "Trial(id='a-3', number=3, params={'x': 0.333333, 'n': 2}, state='complete', value=0.666667, source='qkg')"
    )


def completed(number: int, value: float) -> Trial:
    return Trial(str(number), number, {}, "complete", value)


def test_the_best_is_the_first_of_equals_in_the_given_direction() -> None:
    trials = [completed(0, 2.0), completed(1, 0.0), completed(2, 0.0), completed(3, 3.0)]
    assert best_of(trials, "minimize") == trials[1]
    assert best_of(trials, "maximize") == trials[3]
    assert best_of([], "minimize") is None


def test_a_trial_without_a_result_has_no_value() -> None:
    assert value_of(completed(0, 0.0)) == 0.0
    with pytest.raises(ValueError, match="expected a completed trial, got pending"):
        value_of(Trial("7", 7, {}, "pending"))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_a_failure(value: float) -> None:
    assert failure(value) == f"the value was {value}"
    assert failure(1e308) is None


def test_but_is_replace():
    trial = Trial("a-1", 1, {"x": 0.5}, "pending", batch=3, worker="w", began=2.0)
    changes = {"state": "complete", "value": 1.5, "sem": None, "deadline": None, "ended": 4.0}
    assert trial.but(**changes) == dataclasses.replace(trial, **changes)
    assert trial.but() == trial
    assert trial.but(**changes).ended == 4.0
    assert trial.state == "pending"
    with pytest.raises(AttributeError):
        trial.but(status="complete")
