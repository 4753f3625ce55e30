"""Figures and reports from the shell."""

import pytest

import knowgrad as kg
from tests.cli.console import knowgrad
from tests.views.studies import SPACE, loss


@pytest.fixture
def storage(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = kg.Study(SPACE, seed=0, noise=0.05, storage="tuning.db", name="net")
    for trial in study.ask(8):
        study.tell(trial, loss(trial.params))
    return "tuning.db"


def test_a_figure_becomes_a_file(storage, tmp_path):
    assert knowgrad("plot", "--storage", storage) == "history.html\n"
    assert "How the study went" in (tmp_path / "history.html").read_text(encoding="utf-8")
    said = knowgrad("plot", "net", "--storage", storage, "--kind", "plane", "-x", "lr", "-y", "act", "--out", "p.html")
    assert said == "p.html\n"


def test_the_report_is_one_page(storage, tmp_path):
    assert knowgrad("plot", "--storage", storage, "--report", "--threshold", 0.1) == "knowgrad-report.html\n"
    text = (tmp_path / "knowgrad-report.html").read_text(encoding="utf-8")
    assert "<h1>net</h1>" in text
    assert "the threshold of 0.1" in text


def test_what_makes_no_sense_is_refused(storage):
    def refused(*words, code):
        return knowgrad("plot", "--storage", storage, *words, code=code)

    assert "'pie'" in refused("--kind", "pie", code=2)
    assert "expected no options but none" in refused("--kind", "parallel", "--q", 2, code=1)
    assert "ending in .html" in refused("--out", "a.gif", code=1)
    assert "ends in .html" in refused("--report", "--out", "a.png", code=2)
    assert "expected it once" in refused("net", "--name", "other", code=2)
    assert "'other'" in refused("other", code=3)
