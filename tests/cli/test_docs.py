"""The walk-throughs of `docs/cli.md` are run as they stand, and its table of exit codes is the one in the code."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from knowgrad.cli import group
from tests.cli.console import knowgrad

TEXT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
PROGRAM = "import sys\nprint((float(sys.argv[2]) - 0.01) ** 2 + (sys.argv[4] == 'relu'))\n"
MODULE = "def loss(params):\n    return (params['lr'] - 0.01) ** 2\n"
LEARNING = "[space]\nlr = {low = 1e-4, high = 1e-1, log = true}\nact = ['relu', 'gelu']\n"


def commands(section):
    """What follows `$ knowgrad` in a section, as words; short, for a test."""
    (part,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^\$ knowgrad (.*)$", part, re.MULTILINE)
    return [shlex.split(line.replace("--trials 40", "--trials 3").replace("python", sys.executable)) for line in lines]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KNOWGRAD_STORAGE", raising=False)
    (mortar,) = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "mortar.toml").write_text(mortar)
    (tmp_path / "space.toml").write_text(LEARNING)
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path


def test_by_hand(folder):
    said = [knowgrad(*words) for words in commands("By hand")]
    assert said[0] == "mortar: maximize, 0 trials\n"
    assert said[1].count("pending") == 2
    assert "2 more results are expected" in said[-1]


def test_programs_and_functions(folder):
    program, function = commands("Programs")
    assert "after 3 results" in knowgrad(*program)
    (folder / "train.py").write_text(MODULE)
    assert "after 3 results" in knowgrad(*function, "--name", "other")


def test_the_exit_codes_of_the_page_are_those_of_the_code():
    def rows(text):
        return dict(re.findall(r"^\| (\d+) \| ([^;|]*)", text, re.MULTILINE))

    there = rows(group.__doc__)
    assert {code: words.strip() for code, words in rows(TEXT).items()}.keys() == there.keys()
    assert {str(code) for code in group.EXIT_CODES} <= there.keys()
