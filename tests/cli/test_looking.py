"""Looking at a study from a shell, and having points tried: trials, diagnostics, predict, enqueue, copy."""

import pytest

import knowgrad as kg
from tests.cli.console import SPACE, data, knowgrad


@pytest.fixture
def lab(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    (tmp_path / "mortar.toml").write_text(SPACE)
    knowgrad("create", "mortar.toml")
    for x, value in ((1 / 3, 2.0), (0.5, 1.25), (0.75, 0.1 + 0.2), (1.0, 1.5)):
        knowgrad("add", value, f"x={x}", "act=relu")
    return tmp_path


def test_trials_are_a_table_with_sensible_digits(lab):
    knowgrad("tell", data("ask")[0]["number"], 7, "--sem", 0.25)
    knowgrad("fail", data("ask")[0]["number"], "mould broke")
    lines = knowgrad("trials").splitlines()
    assert lines[0].split() == ["trial", "state", "value", "x", "act"]
    assert lines[1].split() == ["0", "complete", "2", "0.333333", "relu"]
    assert lines[3].split() == ["2", "complete", "0.3", "0.75", "relu"]
    assert lines[5].split()[:5] == ["4", "complete", "7", "±", "0.25"]
    assert lines[6].endswith("mould broke")
    assert data("trials")[2]["value"] == 0.1 + 0.2
    assert [row.split()[0] for row in knowgrad("trials", "--best", "--last", 2).splitlines()[1:]] == ["2", "1"]
    assert [trial["number"] for trial in data("trials", "--last", 2)] == [4, 5]
    assert [trial["state"] for trial in data("trials", "--state", "failed")] == ["failed"]


def test_diagnostics(lab):
    said = knowgrad("diagnostics")
    assert "noise sd" in said
    found = data("diagnostics")
    assert found["text"] == said.rstrip("\n")
    assert found["n_observed"] == 4
    assert set(found["length_scales"]) == {"x", "act"}


def test_predict(lab):
    (found,) = data("predict", "x=0.5", "act=relu")
    expected = kg.Study.load("knowgrad.db").predict([{"x": 0.5, "act": "relu"}])
    assert (found["mean"], found["sd"]) == (expected.mean[0], expected.sd[0])
    assert "±" in knowgrad("predict", "x=0.6", "act=gelu")
    (lab / "points.csv").write_text("x,act\n0.5,relu\n0.6,gelu\n")
    assert data("predict", "--csv", "points.csv")[0]["mean"] == pytest.approx(found["mean"])
    assert "both or neither" in knowgrad("predict", code=2)
    assert "between 0.0 and 1.0" in knowgrad("predict", "x=2", "act=relu", code=1)


def test_a_point_that_is_enqueued_is_asked_first(lab):
    assert knowgrad("enqueue", "x=0.123456789", "act=gelu") == "trial 4 (queued): x = 0.123457, act = gelu\n"
    assert data("ask")[0]["params"] == {"x": 0.123456789, "act": "gelu"}
    assert "NAME=VALUE" in knowgrad("enqueue", "x", code=2)
    assert "got no value for ['act']" in knowgrad("enqueue", "x=0.5", code=1)


@pytest.mark.parametrize(
    "words",
    [
        ("tell", "4", "12,5"),
        ("tell", "4", "12.5", "--sem", "0,5"),
        ("add", "12,5", "x=0.5", "act=relu"),
        ("add", "12.5", "x=0,5", "act=relu"),
        ("enqueue", "x=0,5", "act=relu"),
        ("predict", "x=0,5", "act=relu"),
    ],
)
def test_decimal_commas_are_refused_alike(lab, words):
    knowgrad("ask")
    code = 1 if any("=0,5" in word for word in words) else 2
    assert "expected a number with a decimal point" in knowgrad(*words, code=code)


@pytest.mark.filterwarnings("default::knowgrad.errors.CopyWarning")  # the command says it on stderr
def test_a_study_is_copied_with_another_space(lab):
    (lab / "narrow.toml").write_text(SPACE.replace("high = 1.0", "high = 0.6"))
    said = knowgrad("copy", "second", "--space", "narrow.toml")
    assert said.startswith("second: 2 trials copied, 2 left out\ntrial 2: parameter 'x': expected a value between")
    assert data("status", "--name", "second")["trials"] == 2
    assert data("status", "--name", "mortar")["trials"] == 4
    assert "another name" in knowgrad("copy", "mortar", "--name", "mortar", code=4)
    assert data("copy", "mortar", "--name", "mortar", "--to", "other.db")["copied"] == 4
    assert data("status", "--storage", "other.db")["best"]["value"] == 0.1 + 0.2
