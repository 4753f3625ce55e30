"""Asking and telling by hand, from a shell."""

import csv
import io
import json
import math
import subprocess
import sys

import pytest

import knowgrad as kg
from tests.cli.console import SPACE, data, knowgrad


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A folder with a space file and a study made of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    (tmp_path / "mortar.toml").write_text(SPACE)
    assert knowgrad("create", "mortar.toml") == "mortar: minimize, 0 trials\n"
    return tmp_path


def test_a_day_in_the_lab(lab):
    first, second, third = data("ask", 3)
    assert [trial["state"] for trial in (first, second, third)] == ["pending"] * 3
    assert data("tell", first["number"], -0.5)["value"] == -0.5
    assert data("tell", second["id"], 1, "--sem", 0.25)["sem"] == 0.25
    assert data("fail", third["number"], "spilled")["reason"] == "spilled"
    assert data("add", -1.5, "x=0.25", "act=gelu")["params"] == {"x": 0.25, "act": "gelu"}
    status = data("status")
    assert status["states"] == {"complete": 3, "failed": 1}
    assert status["best"]["value"] == -1.5
    assert status["pending"] == []
    assert status["failed"][0]["reason"] == "spilled"
    found = data("recommend", "--gain", 2)
    assert found["n_observed"] == 3
    assert found["gain"]["q"] == 2
    assert set(found["params"]) == {"x", "act"}


def test_words_for_people(lab):
    line = knowgrad("ask")
    assert line.startswith("trial 0 (pending): x = 0.")
    assert "act = " in line
    assert knowgrad("tell", 0, 2.5, "--sem", 0.5).endswith(": 2.5 ± 0.5\n")
    knowgrad("ask", "--worker", "Ada")
    knowgrad("ask")
    knowgrad("fail", 2, "no power")
    said = knowgrad("status")
    assert said.startswith("mortar: minimize, 3 trials: 1 complete, 1 pending, 1 failed\nbest: trial 0 (complete)")
    assert "worker: Ada" in said
    assert "no power" in said
    assert "± " in knowgrad("recommend")
    assert "2 more results are expected to improve it by" in knowgrad("recommend", "--gain", 2)
    assert knowgrad("studies").startswith("mortar  20")
    assert data("studies")[0]["name"] == "mortar"


def test_creating_again_leaves_the_study_as_it_is(lab):
    knowgrad("ask", 2)
    assert data("create", "mortar.toml") == {"name": "mortar", "direction": "minimize", "trials": 2}
    assert "printable text" in knowgrad("create", "mortar.toml", "--name", "", code=1)


def test_exit_codes_are_a_contract(lab):
    knowgrad("ask")
    knowgrad("tell", 0, 1.0)
    assert knowgrad("tell", 0, 1.0)
    assert "the first stands" in knowgrad("tell", 0, 2.0, code=4)
    assert "expected a trial of this study" in knowgrad("tell", 99, 1.0, code=3)
    assert "expected a trial of this study" in knowgrad("fail", "abc-1", "why", code=3)
    assert "'nothing'" in knowgrad("status", "--name", "nothing", code=3)
    assert "no such option" in knowgrad("status", "--nmae", "x", code=2).lower()
    knowgrad("tell", 0, "much", code=2)
    assert "does not exist" in knowgrad("create", "missing.toml", code=2)
    assert "got no value for ['act']" in knowgrad("add", 1.0, "x=0.5", code=1)
    assert "NAME=VALUE" in knowgrad("add", 1.0, "x", code=2)
    assert "expected one of" in knowgrad("add", 1.0, "x=0.5", "act=tanh", code=1)
    (lab / "mortar.toml").write_text(SPACE.replace("1.0", "2.0"))
    assert "x: recorded" in knowgrad("create", "mortar.toml", code=4)
    (lab / "broken.db").write_bytes(b"not a database" * 100)
    for command in ("status", "ask", "studies", "recommend"):
        knowgrad(command, "--storage", "broken.db", code=5)
    knowgrad("create", "mortar.toml", "--name", "fresh")
    assert "expected at least one result" in knowgrad("recommend", "--name", "fresh", code=3)
    assert "'fresh', 'mortar'" in knowgrad("status", code=3)


def test_a_value_that_is_no_result_fails_the_trial(lab):
    knowgrad("ask")
    assert data("tell", 0, "nan")["state"] == "failed"
    assert "finite" in knowgrad("tell", 0, "-inf", code=1)


def test_the_environment_names_the_storage(lab, monkeypatch):
    monkeypatch.setenv("KNOWGRAD_STORAGE", "other.db")
    knowgrad("create", "mortar.toml")
    knowgrad("ask", 4)
    assert data("status")["trials"] == 4
    assert data("status", "--storage", "knowgrad.db")["trials"] == 0


def test_a_lease_lets_others_have_the_point(lab):
    (lost,) = data("ask", "--lease", 0)
    (again,) = data("ask", "--lease", 60)
    assert again["retry_of"] == lost["number"]
    assert again["params"] == lost["params"]


@pytest.fixture
def told(lab):
    for trial, value in zip(data("ask", 3), (1.0, 0.1 + 0.2, math.nan), strict=True):
        knowgrad("tell", trial["number"], value)
    return kg.Study.load("knowgrad.db").trials


def test_export_to_csv(told):
    table = list(csv.DictReader(io.StringIO(knowgrad("export"))))
    assert [row["state"] for row in table] == ["complete", "complete", "failed"]
    assert [float(row["params_x"]) for row in table] == [trial.params["x"] for trial in told]
    assert float(table[1]["value"]) == 0.1 + 0.2
    assert table[2]["value"] == ""
    assert knowgrad("export", "out.csv") == "out.csv\n"
    with open("out.csv", newline="") as file:
        assert list(csv.DictReader(file)) == table


def test_export_to_json(told):
    whole = json.loads(knowgrad("export", "--json"))
    assert kg.Space.from_dict(whole["space"]) == kg.Study.load("knowgrad.db").space
    assert [trial["value"] for trial in whole["trials"]] == [1.0, 0.1 + 0.2, None]
    knowgrad("export", "out.json")
    with open("out.json") as file:
        assert json.load(file) == whole


def test_export_to_parquet(told):
    parquet = pytest.importorskip("pyarrow.parquet")
    knowgrad("export", "out.parquet")
    table = parquet.read_table("out.parquet").to_pydict()
    assert table["value"] == [1.0, 0.1 + 0.2, None]
    assert table["params_act"] == [trial.params["act"] for trial in told]


def test_parquet_needs_a_package_and_says_which(told, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install pyarrow" in knowgrad("export", "out.parquet", code=1)


def test_an_empty_study_can_be_exported(lab):
    assert json.loads(knowgrad("export", "--json"))["trials"] == []
    assert knowgrad("export").startswith("number,id,state,value,sem,params_x,params_act,reason,")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell):
    assert "_KNOWGRAD_COMPLETE" in knowgrad("completion", shell)


def test_names_of_studies_are_completed(lab, monkeypatch):
    knowgrad("create", "mortar.toml", "--name", "other")
    monkeypatch.setenv("_KNOWGRAD_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "knowgrad status --name mo")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert complete() == ["plain,mortar"]
    monkeypatch.setenv("COMP_WORDS", "knowgrad status --storage missing.db --name mo")
    monkeypatch.setenv("COMP_CWORD", "5")
    assert complete() == []


def complete():
    done = subprocess.run(
        [sys.executable, "-c", "from knowgrad.cli import main; main(prog_name='knowgrad')"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split()
