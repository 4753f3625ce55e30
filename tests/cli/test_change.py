"""A space changed, and a budget planned, from a shell."""

import json

import pytest

import knowgrad as kg
from tests.cli.console import data, knowgrad


@pytest.fixture
def lab(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    study = kg.Study({"t": (20.0, 100.0), "kind": ["a", "b"]}, storage="knowgrad.db", name="lab", seed=0)
    for number in range(8):
        study.add({"t": 30.0 + 7 * number, "kind": "ab"[number % 2]}, (number - 3.3) ** 2)
    return study


def test_bounds_options_and_parameters(lab):
    told = knowgrad("change", "t=20:120", 'kind=["a", "b", "c"]', "--by", "ann", "--reason", "at the edge")
    assert "lab: t: Float(20.0, 100.0) → Float(20.0, 120.0)\nkind: Choice(['a', 'b'])" in told
    assert data("change", "p={low = 1.0, high = 5.0}", "--earlier", "p=1")["lines"] == [
        "p: new, Float(1.0, 5.0); earlier trials have 1"
    ]
    assert data("change", "n=1:8", "--earlier", "n=2", "--drop", "kind")["trials"] == 8
    assert lab.space.names == ("t", "p", "n")
    assert lab.trials[0].params == {"t": 30.0, "p": 1, "n": 2, "kind": "a"}
    assert "changed after 8 trials by ann: t: Float(20.0, 100.0)" in knowgrad("status")
    assert knowgrad("trials").splitlines()[0].split() == ["trial", "state", "value", "t", "p", "n", "kind"]
    assert "nothing changed" in knowgrad("change", "t=20:120")
    assert "params_kind" in knowgrad("export").splitlines()[0]


def test_a_file_that_was_edited_says_what_to_do_and_is_taken(lab, tmp_path):
    (tmp_path / "space.toml").write_text('seed = 0\n[space]\nt = {low = 20.0, high = 120.0}\nkind = ["a", "b"]\n')
    run = ("run", "space.toml", "--name", "lab", "--trials", 2, "--", "echo", "{kind}", "{t}")
    assert "knowgrad change --space FILE" in knowgrad(*run, code=4)
    assert data("change", "--space", "space.toml")["lines"] == ["t: Float(20.0, 100.0) → Float(20.0, 120.0)"]
    assert "after 10 results" in knowgrad(*run)


def test_a_command_that_does_not_take_a_new_parameter_is_refused(lab, tmp_path):
    (tmp_path / "space.toml").write_text('seed = 0\n[space]\nt = {low = 20.0, high = 100.0}\nkind = ["a", "b"]\n')
    knowgrad("change", "p=1.0:5.0", "--earlier", "p=1.0")
    run = ("run", "space.toml", "--name", "lab", "--trials", 2, "--", "echo", "{kind}", "{t}")
    assert "expected a placeholder {p}" in knowgrad(*run, code=2)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "expected NAME=FORM, --drop or --space"),
        (("t",), 2, "expected NAME="),
        (("t=wide",), 2, "expected LOW:HIGH"),
        (("t=120:20",), 1, "swap them"),
        (("p=1.0:5.0",), 1, "expected the value that earlier trials had"),
        (("--drop", "q"), 1, "expected a parameter to drop"),
    ],
)
def test_mistakes_are_refused(lab, words, code, message):
    before = lab.version
    assert message in knowgrad("change", *words, code=code)
    assert lab.version == before


def test_a_plan(lab):
    text = knowgrad("plan", 20, "--setup", 4, "--size", 1, "--size", 4)
    assert text.startswith("Ask for ")
    found = data("plan", 20, "--setup", 4, "--size", 1, "--size", 4)
    assert [option["q"] for option in found["options"]] == [1, 4]
    assert found["words"] in text
    assert json.dumps(found)
    assert "budget: expected a finite number of at least" in knowgrad("plan", 2, "--setup", 4, code=1)
