"""Mistakes put right from a shell."""

import getpass
import json

import pytest
from click.testing import CliRunner

import knowgrad as kg
from knowgrad.cli import main
from tests.cli.console import data, knowgrad


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """Eight results between 40 and 50, and a failure."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    study = kg.Study({"x": (0.0, 1.0)}, storage="knowgrad.db", name="lab", direction="maximize", seed=0)
    for number in range(8):
        study.add({"x": number / 8}, 41.0 + number)
    study.fail(study.ask()[0], "spilled")
    return study


def said(*words):
    """On standard error."""
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False).stderr


def test_a_suspicious_result_comes_with_the_command_that_puts_it_right(lab):
    (trial,) = data("ask")
    hint = said("tell", trial["number"], 4.88)
    assert hint.startswith("knowgrad: trial 9: 4.88 is far from the 8 other results (most are between 41.7 and 47.3); ")
    command = hint.strip().rpartition("if it is a mistake: knowgrad ")[2]
    assert command == "correct 9 VALUE --storage knowgrad.db --name lab"
    assert data(*command.replace("VALUE", "48.8").split())["value"] == 48.8
    assert "correct 10 VALUE" in said("add", 4.5, "x=0.5")
    assert said("add", 45.5, "x=0.5") == ""


def test_correct_discard_restore_and_note(lab):
    assert knowgrad("correct", 0, -48.8, "--reason", "sign", "--by", "lab").endswith(": -48.8 (corrected by lab)\n")
    assert data("correct", 0, 48.8, "--sem", 0.5)["sem"] == 0.5
    assert data("correct", 0, 48.9)["sem"] == 0.5
    assert data("correct", 0, 48.9, "--no-sem")["sem"] is None
    assert data("correct", 8, 47.0)["state"] == "complete"
    assert data("correct", 8, "--failed", "spilled after all")["reason"] == "spilled after all"
    assert data("discard", 8, "never done", "--by", "rig")["state"] == "discarded"
    assert "never done (discarded by rig)" in knowgrad("discard", 8, "never done", "--by", "rig")
    assert data("restore", lab.trials[8].id)["state"] == "failed"
    noted = data("note", 0, "new batch of sand")
    assert noted["notes"] == ["new batch of sand"]
    assert [change["kind"] for change in noted["history"]] == ["corrected"] * 4 + ["noted"]
    assert noted["history"][-1]["by"] == getpass.getuser()
    assert data("status")["states"] == {"complete": 8, "failed": 1}


def test_mistakes_in_commands_are_refused(lab):
    assert "expected a value, or failed=" in knowgrad("correct", 0, code=1)
    assert "exclude each other" in knowgrad("correct", 0, 1.0, "--sem", 1, "--no-sem", code=2)
    assert "expected one that is discarded" in knowgrad("restore", 0, code=4)
    assert "expected a trial of this study" in knowgrad("discard", 99, "no", code=3)
    assert "expected a text" in knowgrad("note", 0, " ", code=1)
    assert "correct() it if it was recorded wrongly" in knowgrad("fail", 0, "spilled", code=4)


def test_exports_carry_the_state_and_the_notes(lab):
    knowgrad("note", 0, "new batch of sand")
    knowgrad("note", 0, "and another")
    knowgrad("discard", 1, "entered twice")
    rows = knowgrad("export").splitlines()
    assert rows[0].endswith(",notes")
    assert rows[1].endswith(",new batch of sand; and another")
    assert ",discarded,42.0," in rows[2]
    assert ",entered twice," in rows[2]
    trial = json.loads(knowgrad("export", "--json"))["trials"][1]
    assert trial["history"][0]["old"]["state"] == "complete"


def test_diagnostics_survive_an_export_to_optuna(lab, tmp_path):
    optuna = pytest.importorskip("optuna")
    knowgrad("discard", 1, "entered twice")
    url = f"sqlite:///{tmp_path / 'optuna.db'}"
    knowgrad("export", "--optuna", url)
    trials = optuna.load_study(study_name="lab", storage=url).trials
    assert len(trials) == 8  # seven results and a failure
    assert 42.0 not in [trial.value for trial in trials]


def test_rename_and_delete(lab):
    assert knowgrad("rename", "lab", "kiln 2") == "kiln 2: was lab\n"
    assert data("status")["name"] == "kiln 2"
    assert "expected study 'lab'" in knowgrad("rename", "lab", "other", code=3)
    asked = CliRunner().invoke(main, ["delete", "kiln 2"], input="n\n")
    assert asked.exit_code == 1
    assert "Delete study 'kiln 2' with 9 trials, for good?" in asked.stderr
    assert data("status")["trials"] == 9
    assert data("delete", "kiln 2", "--yes") == {"name": "kiln 2", "trials": 9}
    assert data("studies") == []
    knowgrad("delete", "kiln 2", "--yes", code=3)
