"""What is written is what the standard library's JSON makes of it, with the short way and without."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowgrad.storage import tables

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(PLAIN, lambda some: st.lists(some) | st.dictionaries(st.text(), some), max_leaves=8)


@given(st.dictionaries(st.text(), VALUES))
def test_it_is_the_json_of_the_standard_library(data):
    assert tables.encoded(data) == json.dumps(data, allow_nan=False)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, {1, 2}, object(), b"bytes"])
def test_what_is_no_json_is_refused(bad):
    with pytest.raises((ValueError, TypeError)):
        tables.encoded({"number": 0, "value": [bad]})
    assert tables.encoded({"value": [0.5, None]}) == '{"value": [0.5, null]}'


@pytest.mark.parametrize("make", [None, lambda: None])
def test_a_python_that_has_no_short_way_takes_the_other(monkeypatch, make):
    monkeypatch.setattr(json.encoder, "c_make_encoder", make)
    assert tables._encoder() == tables._PLAIN.encode
