"""What a newcomer types first: `make demo` and `make test`, and what they install."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]


def test_the_extra_all_is_every_other_one():
    (everything,) = EXTRAS["all"]
    assert set(re.findall(r"\w+", everything)[1:]) == set(EXTRAS) - {"all"}


def planned(target, tmp_path):
    """What make would do where nothing is installed yet."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    places = [f"{name}={tmp_path / name.lower()}" for name in ("VENV", "DEMO", "DOCS")]
    command = ["make", "--dry-run", "--no-print-directory", "--directory", str(ROOT), target, *places]
    alone = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=alone).stdout


def test_the_demo_installs_the_core_alone(tmp_path):
    said = planned("demo", tmp_path)
    assert re.search(r"pip install .*--editable \.$", said, re.MULTILINE)
    assert "--group" not in said
    assert "[" not in said


def test_the_documentation_installs_its_own_few_tools(tmp_path):
    said = planned("docs", tmp_path)
    assert "--group docs" in said
    assert "--editable" not in said
    assert len(PROJECT["dependency-groups"]["docs"]) <= 4


def test_they_stand_in_the_readme():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line.split("#")[0].strip() for line in lines if line.startswith("make")] == ["make demo", "make test"]


def test_the_gate_is_make_test():
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make")] == ["make test"]
