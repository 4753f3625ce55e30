"""The scripts in `examples/` run as they stand, warnings being errors, and leave nothing behind but what they say."""

import csv
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NEEDS = {"pytorch_training": "torch"}


def run(command, folder):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"KNOWGRAD_STORAGE": str(folder / "tuning.db"), "HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_the_script_runs(script, tmp_path):
    need = NEEDS.get(script.stem)
    if need and importlib.util.find_spec(need) is None:
        pytest.skip(f"{script.name} needs {need}, which the development environment does without: several hundred MB")
    assert run([sys.executable, "-W", "error", script], tmp_path)


def test_a_program_is_tuned_from_the_shell(tmp_path):
    said = run([EXAMPLES / "shell" / "tune.sh"], tmp_path)
    assert "kind = gated" in said


def test_the_lab_table_grows_as_results_are_filled_in(tmp_path):
    command, table = [sys.executable, EXAMPLES / "lab_table.py"], tmp_path / "lab.csv"

    def rows():
        return list(csv.DictReader(table.read_text().splitlines()))

    assert run(command, tmp_path) == "4 new rows in lab.csv\n"
    assert "still to be done" in run(command, tmp_path)
    filled = rows()
    for row, result in zip(filled, ["61.5", "failed", "58", ""], strict=True):
        row["yield"] = result
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, filled[0])
        writer.writeheader()
        writer.writerows(filled)
    said = run(command, tmp_path)
    assert "so far, use temperature" in said
    assert "after 2 results" in said
    assert [row["yield"] for row in rows()] == ["61.5", "failed", "58", "", "", "", ""]
