"""A file that the version before wrote: it opens, resumes, and is given the same points.

It has eleven results, a failure, a point that is running and one that is queued; the numbers below are its answers.
Discrete parameters agree exactly, the others to what another arithmetic may move a maximum by.
"""

import shutil
from pathlib import Path

import pytest

import knowgrad as kg
from knowgrad.log.doctor import examine

BEFORE = Path(__file__).parent / "files" / "before.db"
CLOSE = 1e-3


def near(x, n, act):
    return {"x": pytest.approx(x, rel=CLOSE), "n": n, "act": act}


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
    assert found.params == near(1.6337137981133585, 4, "a")
    assert found.mean == pytest.approx(-0.01726103367066966, rel=CLOSE)
    assert found.sd > 0.06667511508083002  # what was said then counted less
    assert study.gain(2).value == pytest.approx(0.004547979383450383, rel=CLOSE)


def test_it_resumes_with_the_same_suggestions(study, tmp_path):
    first = study.ask(4)
    assert [trial.source for trial in first] == ["queue", "qkg", "qkg", "qkg"]
    assert [dict(trial.params) for trial in first] == [
        {"x": 1.0, "n": 2, "act": "b"},
        near(0.523776798395247, 4, "a"),
        near(8.084747927660361, 3, "b"),
        near(1.2735394074485595, 5, "b"),
    ]
    study.tell(12, 0.2)
    again = kg.Study.load(tmp_path / "studies.db", "before")
    second = again.ask(2)
    assert [dict(trial.params) for trial in second] == [
        near(5.62435754415969, 4, "a"),
        near(0.5185866160520523, 4, "a"),
    ]
