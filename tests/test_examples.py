"""The scripts in `examples/` run as they stand, warnings being errors, and leave nothing behind but what they say."""

import csv
import importlib.util
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import knowgrad as kg

EXAMPLES = Path(__file__).parent.parent / "examples"
SEEDED = Path(__file__).parent / "seeded"
NEEDS = {"pytorch_training": "torch"}


def run(command, folder):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"KNOWGRAD_STORAGE": str(folder / "tuning.db"), "HOME": str(folder), "PYTHONPATH": str(SEEDED)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


APART = ("first_version",)  # those that have a test of their own below


@pytest.mark.parametrize(
    "script", sorted(p for p in EXAMPLES.glob("*.py") if p.stem not in APART), ids=lambda path: path.stem
)
def test_the_script_runs(script, tmp_path):
    need = NEEDS.get(script.stem)
    if need and importlib.util.find_spec(need) is None:
        pytest.skip(f"{script.name} needs {need}, which the development environment does without: several hundred MB")
    assert run([sys.executable, "-W", "error", script], tmp_path)


def test_a_program_is_tuned_from_the_shell(tmp_path):
    said = run([EXAMPLES / "shell" / "tune.sh"], tmp_path)
    assert "kind = gated" in said


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_simulator_that_crashes_hangs_and_is_interrupted(tmp_path):
    said = run([EXAMPLES / "simulator" / "tune.sh"], tmp_path)
    assert "exit code 1: nothing was recorded" in said
    assert "exit code 130: interrupted" in said
    trials = kg.Study.load(tmp_path / "tuning.db").trials
    reasons = {trial.number: trial.reason for trial in trials if trial.state == "failed"}
    for trial in trials:
        flow, angle = trial.params["flow"], trial.params["angle"]
        if trial.state == "complete":
            assert trial.value == (flow - 3) ** 2 + (angle - 25) ** 2 / 100
        elif trial.state == "failed" and flow > 8:
            assert reasons[trial.number] == f"exit code 1: solver diverged: residual 1e+17 at flow {flow}"
        elif trial.state == "failed":
            assert (reasons[trial.number], angle > 70) == ("took longer than 4 s (trial_timeout)", True)
    assert sum(trial.state in ("complete", "failed") for trial in trials) == 16
    assert reasons
    assert not left_behind(tmp_path)


def left_behind(folder):
    """The processes whose home is this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            found += [path.parent.name] if f"HOME={folder}\0".encode() in path.read_bytes() else []
    return found


def test_a_bug_in_the_first_version_costs_nothing(tmp_path):
    said = run([sys.executable, "-W", "error", EXAMPLES / "first_version.py"], tmp_path)
    assert "the first 3 evaluations of this run all failed, the last with: KeyError: 'c'" in said
    assert "[] no failure was recorded" in said
    assert "C = 0.01, scaled: True" in said.splitlines()[2]  # what was enqueued is still the first
    assert "after 13 results" in said


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
