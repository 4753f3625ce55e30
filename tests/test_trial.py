"""Trials and the fold of events into them."""

import copy
import dataclasses
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowgrad.errors import UnknownTrialError
from knowgrad.trial import Event, Gain, History, Recommendation, Trial, fold

TRIAL = Trial("abc-0", 0, {"x": 1.5, "act": "relu"}, "pending")


@st.composite
def logs(draw):
    """Logs as a study writes them: any interleaving of queued, asked and outcomes that makes sense."""
    events, states = [Event("created", {"uid": "abc"})], []
    for step in range(draw(st.integers(0, 30))):
        number = draw(st.integers(0, len(states)))
        state = states[number] if number < len(states) else None
        if state is None:
            kind = draw(st.sampled_from(["asked", "queued"]))
            states.append("pending" if kind == "asked" else "queued")
            events.append(Event(kind, {"number": number, "params": {"x": step}, "source": "qkg", "batch": step}))
        elif state in ("queued", "pending", "expired"):
            kind = draw(st.sampled_from({"queued": ["asked"]}.get(state, ["told", "failed", "expired"])))
            states[number] = {"asked": "pending", "told": "complete"}.get(kind, kind)
            data = {"batch": step, "value": step / 3, "sem": None, "reason": "because"}
            events.append(Event(kind, {"number": number, **data}))
    return events, states


@given(logs(), st.data())
def test_folding_in_pieces_is_folding_at_once(log, data):
    events, states = log
    cut = data.draw(st.integers(0, len(events)))
    whole = fold(events)
    assert fold(events[cut:], fold(events[:cut])) == whole
    assert [trial.state for trial in whole.trials] == states
    assert [trial.number for trial in whole.trials] == list(range(len(states)))


@given(st.permutations(range(6)))
def test_the_order_of_tells_does_not_matter(order):
    log = [Event("created", {"uid": "abc"})]
    log += [Event("asked", {"number": i, "params": {"x": i}, "source": "start", "batch": 0}) for i in range(6)]
    tells = [Event("told", {"number": i, "value": float(i), "sem": None}) for i in range(6)]
    assert fold([*log, *(tells[i] for i in order)]) == fold(log + tells)


def test_folding_leaves_the_earlier_history_as_it_was():
    before = fold([Event("created", {"uid": "abc"}), Event("queued", {"number": 0, "params": {"x": 1}})])
    fold([Event("asked", {"number": 0, "batch": 0})], before)
    assert before.trials[0].state == "queued"


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


def test_find_takes_a_trial_its_id_or_its_number():
    history = History("abc", (TRIAL,))
    assert history.find(TRIAL) == history.find("abc-0") == history.find(0) == TRIAL


@pytest.mark.parametrize("key", [1, -1, True, 0.0, None, "abc-1", "abc-", "0", "xyz-0", "abc-²", [], {}])
def test_find_refuses_anything_else(key):
    with pytest.raises(UnknownTrialError, match="expected a trial of this study"):
        History("abc", (TRIAL,)).find(key)


def test_a_gain_is_a_number_with_its_error():
    gain = pickle.loads(pickle.dumps(Gain(0.25, 0.01, 4)))
    assert gain == gain.value == 0.25
    assert (gain.sem, gain.q) == (0.01, 4)
    assert repr(gain) == "Gain(0.25 ± 0.01, q=4)"


def test_a_recommendation_reads_as_a_sentence():
    found = Recommendation({"x": 1 / 3, "act": "relu"}, mean=0.123456, sd=0.0123, n_observed=7, best=None)
    assert str(found) == "x = 0.33333, act = relu: 0.12346 ± 0.012 after 7 results"
