"""A table of past results, from a shell."""

import pytest

import knowgrad as kg
from tests.cli.console import SPACE, data, knowgrad


@pytest.fixture
def lab(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    (tmp_path / "mortar.toml").write_text(SPACE)
    knowgrad("create", "mortar.toml")
    return tmp_path


def test_a_table_of_past_results(lab):
    (lab / "past.csv").write_text(
        "when,x,act,strength\nMon,0.5,relu,48.8\nTue,1.5,relu,3\nWed,0.25,gelu,\nThu,1,gelu,7\n"
    )
    said = knowgrad("import", "csv", "past.csv", "--value", "strength").splitlines()
    assert said == [
        "2 added (trials 0 to 1), 2 refused; columns ignored: when",
        "row 3: parameter 'x': expected a value between 0.0 and 1.0, got 1.5",
        "row 4: expected a result, got an empty cell; fill it in, or give a reason in a column reason",
    ]
    assert [trial.value for trial in kg.Study.load("knowgrad.db").trials] == [48.8, 7.0]
    again = data("import", "csv", "past.csv", "--value", "strength")
    assert again["added"] == []
    assert [row["where"] for row in again["known"]] == ["row 2", "row 5"]
    assert len(data("import", "csv", "past.csv", "--value", "strength", "--repeats")["added"]) == 2


def test_nothing_good_is_an_error_and_changes_nothing(lab):
    (lab / "past.csv").write_text("x;act;value\n0,5;relu;48,8\n")
    assert "write 0.5" in knowgrad("import", "csv", "past.csv", code=1)
    assert data("status")["trials"] == 0
    assert len(data("import", "csv", "past.csv", "--decimal", ",")["added"]) == 1
    assert "does not exist" in knowgrad("import", "csv", "none.csv", code=2)
    (lab / "other.csv").write_text("y,value\n1,2\n")
    assert "expected a column for each of ['x', 'act']" in knowgrad("import", "csv", "other.csv", code=1)


def test_an_export_is_imported_into_another_study(lab):
    for trial in data("ask", 2):
        knowgrad("tell", trial["number"], 1.5)
    knowgrad("fail", data("ask")[0]["number"], "=spilled(1)")
    knowgrad("ask")
    knowgrad("export", "all.csv")
    knowgrad("create", "mortar.toml", "--name", "second")
    report = data("import", "csv", "all.csv", "--name", "second")
    assert [trial["state"] for trial in report["added"]] == ["complete", "complete", "failed"]
    assert report["added"][2]["reason"] == "=spilled(1)"
    assert "pending" in report["refused"][0]["reason"]
