"""What a study answers in many states is what it answered when they were recorded (`tests/recorded`).

Where the arithmetic is that of the record, numbers agree to 1e-9 relative and options exactly. Elsewhere (another
processor, BLAS, NumPy or SciPy) sums are rounded differently, and a search among nearly equal maxima may end at another
of them. There only what the answers are worth is compared: the recommended mean to 1 % of the spread of the results,
gains to 5 % plus three of their standard errors. Points of a method that gives no gain are then not compared.
"""

from __future__ import annotations

import copy
import math

import pytest

import knowgrad as kg
from tests.recorded.compare import Closeness, different, worth_less_or_more
from tests.recorded.problems import PROBLEMS
from tests.recorded.record import nearest, records
from tests.recorded.replay import answers, spread
from tests.recorded.states import EXCEPTIONS, STATES

EXCEPTED = Closeness(mean=1e-3, gain=1e-3, errors=0.0, step=0.01)
ELSEWHERE = Closeness(mean=0.01, gain=0.05, errors=3.0, step=math.inf)
RECORD, IS_AT_HOME = nearest()


@pytest.mark.parametrize("name", STATES)
def test_answers_are_the_recorded_ones(name):
    state, recorded = STATES[name], RECORD["states"][name]
    found, scale = answers(state), spread(state)
    at_home = IS_AT_HOME and name not in RECORD.get("elsewhere", ())
    if at_home and name not in EXCEPTIONS:
        assert not different(found, recorded, scale)
    else:
        close = EXCEPTED if at_home else ELSEWHERE
        assert not list(worth_less_or_more(found, recorded, scale, PROBLEMS[state.problem], close))


def test_every_state_is_recorded_and_every_method_among_them():
    assert all(list(record["states"]) == list(STATES) for record in records())
    assert len(STATES) >= 64
    assert set(kg.methods.METHODS) <= {state.method for state in STATES.values()}


def test_exceptions_are_states_with_a_reason():
    assert EXCEPTIONS.keys() <= STATES.keys()
    assert all(EXCEPTIONS.values())


def _changed(recorded, change):
    found = copy.deepcopy(recorded)
    change(found)
    return found


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pending", lambda a: a["batch"][1].update(x2=a["batch"][1]["x2"] * (1 + 1e-8))),
        ("pending", lambda a: a["batch"].reverse()),
        ("pending", lambda a: a["recommend"].update(sd=a["recommend"]["sd"] * (1 + 1e-8))),
        ("pending", lambda a: a.pop("last_gain")),
        ("choices and logarithms", lambda a: a["batch"][0].update(act="another")),
        ("choices and logarithms", lambda a: a["batch"][0].update(width=a["batch"][0]["width"] + 1)),
        ("choices and logarithms", lambda a: a["gain"].__setitem__(0, a["gain"][0] * (1 + 1e-2))),
    ],
)
def test_a_difference_is_seen(name, change):
    recorded = RECORD["states"][name]
    assert not different(recorded, recorded, spread(STATES[name]))
    assert different(_changed(recorded, change), recorded, spread(STATES[name]))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pending", lambda a: a["gain"].__setitem__(0, a["gain"][0] * 1.002)),
        ("pending", lambda a: a["last_gain"].__setitem__(0, a["last_gain"][0] * 0.998)),
        ("pending", lambda a: a["recommend"].update(mean=a["recommend"]["mean"] * 1.01)),
        ("pending", lambda a: a["sources"].reverse() or a["sources"].__setitem__(0, "random")),
        ("ei exact", lambda a: a["batch"][0].update(x1=1.0 - a["batch"][0]["x1"])),
        ("ei among choices", lambda a: a["batch"][0].update(act="another")),
    ],
)
def test_a_difference_in_worth_is_seen(name, change):
    state, recorded = STATES[name], RECORD["states"][name]
    rest = recorded, spread(state), PROBLEMS[state.problem], EXCEPTED
    assert not list(worth_less_or_more(recorded, *rest))
    assert list(worth_less_or_more(_changed(recorded, change), *rest))
