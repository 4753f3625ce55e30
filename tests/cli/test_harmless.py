"""A study that holds terminal escapes, broken Unicode and formulas is shown and exported harmlessly.

What is recorded today is clean; studies of earlier versions, or of other writers, may not be.
"""

import csv
import io
import json
import sys

import pytest

import knowgrad as kg
from knowgrad.cli.program.command import Command
from knowgrad.storage import open_storage
from knowgrad.trial import Event
from tests.cli.console import data, knowgrad
from tests.test_text import CLEAN, NASTY

FORMULA = '=HYPERLINK("http://evil","x")'


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNOWGRAD_STORAGE", "studies.db")
    made = kg.Study({"flag": ["-O2", "-cmd|' /C calc'!A0", NASTY]}, storage="studies.db", method="random", seed=0)
    made.enqueue({"flag": NASTY})
    made.enqueue({"flag": "-cmd|' /C calc'!A0"})
    made.enqueue({"flag": "-O2"})
    made.ask(3)
    log = open_storage("studies.db", "study")
    log.append([Event("failed", {"number": 0, "reason": NASTY})], len(log.read()))
    made.fail(1, FORMULA)
    return kg.Study.load("studies.db")


def is_harmless(text):
    return not any((ord(c) < 32 and c not in "\n\r\t") or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2028" for c in text)


def test_the_study_has_it_in_it(study):
    assert study.trials[0].reason == NASTY


def test_status_shows_it_harmlessly(study):
    said = knowgrad("status")
    assert is_harmless(said)
    assert r"\x1b]0;title\x07" in said
    assert data("status")["failed"][0]["reason"] == CLEAN


def test_errors_show_it_harmlessly(study):
    assert is_harmless(knowgrad("tell", 0, 1.5, code=4))


def test_csv_is_text_that_runs_nowhere(study):
    rows = list(csv.DictReader(io.StringIO(knowgrad("export"))))
    assert rows[0]["reason"] == rows[0]["params_flag"] == CLEAN
    assert rows[1]["reason"] == "'" + FORMULA
    assert rows[1]["params_flag"] == "'-cmd|' /C calc'!A0"
    assert rows[2]["params_flag"] == "-O2"  # no formula that does anything: left as it is


def test_json_is_exact_in_params_and_clean_in_reasons(study):
    content = knowgrad("export", "--json")
    assert content.isascii()
    trials = json.loads(content)["trials"]
    assert trials[0]["params"] == {"flag": NASTY}
    assert [trial["reason"] for trial in trials] == [CLEAN, FORMULA, None]


def test_parquet_can_be_written(study, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    knowgrad("export", "all.parquet")
    table = parquet.read_table(tmp_path / "all.parquet").to_pydict()
    assert table["reason"] == [CLEAN, FORMULA, None]


def test_what_a_command_prints_on_stderr_is_cleaned():
    script = "import sys; sys.stderr.write('\\x1b[31mred\\x07\\n'); sys.exit(1)"
    assert Command((sys.executable, "-c", script), ())({}).reason == r"exit code 1: \x1b[31mred\x07"
