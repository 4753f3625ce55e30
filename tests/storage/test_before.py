"""A file that an earlier version wrote: it opens, resumes, and is given the points that belong to its results.

It has eleven results, a failure, a point that is running and one that is queued; the numbers below are what the model
makes of them.
Discrete parameters agree exactly, the others to what another arithmetic may move a maximum by.
"""

import shutil
from pathlib import Path

import pytest

import knowgrad as kg
from knowgrad.log.doctor import examine

BEFORE = Path(__file__).parent / "files" / "before.db"
CLOSE = 1e-3


def near(x, n, act, close=CLOSE):
    return {"x": pytest.approx(x, rel=close), "n": n, "act": act}


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "studies.db"
    shutil.copy(BEFORE, path)
    assert examine(path).is_sound
    return kg.Study.load(path, "before")


def test_it_opens_with_what_was_told(study):
    assert [t.state for t in study.trials] == [*["complete"] * 5, "failed", *["complete"] * 6, "pending", "queued"]
    assert (study.trials[5].reason, study.trials[12].worker, study.trials[9].sem) == ("crashed", "bench 1", 0.05)


def test_it_answers_as_before(study):
    found = study.recommend()
    assert found.params == near(1.7533743695014865, 4, "a")  # on the way to 1.605, where the mean is lowest
    assert found.mean == pytest.approx(-0.017551176384680255, rel=CLOSE)
    assert found.sd > 0.06667511508083002  # what was said then counted less
    assert study.gain(2).value == pytest.approx(0.007082658974699634, rel=CLOSE)


def test_it_resumes_with_the_same_suggestions(study, tmp_path):
    flat = 0.03  # q-KG is flat along x at these points: processors differ in where the ascent ends
    first = study.ask(4)
    assert [trial.source for trial in first] == ["queue", "qkg", "qkg", "qkg"]
    assert [dict(trial.params) for trial in first] == [
        {"x": 1.0, "n": 2, "act": "b"},
        near(0.5143117832249652, 4, "a"),
        near(10.0, 1, "b"),
        near(1.7576600211276483, 5, "b", flat),
    ]
    study.tell(12, 0.2)
    again = kg.Study.load(tmp_path / "studies.db", "before")
    second = again.ask(2)
    assert [dict(trial.params) for trial in second] == [
        near(8.450923965770816, 4, "b", flat),
        near(1.0028648692915183, 4, "a", flat),
    ]
