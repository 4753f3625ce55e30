"""`knowgrad run`: functions and programs, from a shell."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import knowgrad as kg
from knowgrad.cli import main
from tests.cli.console import SPACE, data, knowgrad

PROGRAM = """
import sys
x, act = float(sys.argv[1]), sys.argv[2]
if x > 0.8:
    sys.exit("x is too large")
print("loss:", (x - 0.3) ** 2)
"""
MODULE = """
import os, time

def loss(params):
    return (params["x"] - 0.3) ** 2, 0.01

def slow(params):
    open(f"{os.getpid()}.pid", "w").close()
    time.sleep(60)

def late(params):
    time.sleep(60 if os.path.exists("3") else 0)
    open("3" if os.path.exists("2") else "2" if os.path.exists("1") else "1", "w").close()
    return params["x"]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNOWGRAD_STORAGE", "studies.db")
    (tmp_path / "square.toml").write_text(SPACE)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "a_module.py").write_text(MODULE)
    return tmp_path


def test_a_program_is_run_to_the_end(folder):
    command = ("run", "square.toml", "--trials", 8, "--workers", 2)
    found = data(*command, "--json", "--", sys.executable, "program.py", "{x}", "{act}")
    assert found["stopped"] == "n_trials"
    assert found["name"] == "square"
    trials = kg.Study.load("studies.db", "square").trials
    assert len(trials) == 8
    for trial in trials:
        if trial.params["x"] > 0.8:
            assert trial.reason == "exit code 1: x is too large"
        else:
            assert trial.value == (trial.params["x"] - 0.3) ** 2
    assert {trial.state for trial in trials} == {"complete", "failed"}


def test_a_function_is_run_and_the_same_command_goes_on(folder):
    words = ("run", "square.toml", "a_module:loss", "--name", "f", "--trials")
    assert "after 3 results" in knowgrad(*words, 3)
    assert data(*words, 5)["n_observed"] == 5
    assert data(*words, 5)["n_observed"] == 5  # the job is done
    study = kg.Study.load("studies.db", "f")
    assert {trial.sem for trial in study.trials} == {0.01}
    assert len(study.trials) == 5


def test_the_command_line_overrides_the_file(folder):
    knowgrad("run", "square.toml", "a_module:loss", "--trials", 1, "--direction", "maximize", "--seed", 7, "--noise", 1)
    study = kg.Study.load("studies.db")
    assert (study.direction, study.seed) == ("maximize", 7)
    assert "direction: recorded 'maximize'" in knowgrad("run", "square.toml", "a_module:loss", "--trials", 1, code=4)


def test_without_an_end_there_is_no_beginning(folder):
    assert "expected --trials" in knowgrad("run", "square.toml", "a_module:loss", code=2)
    assert not (folder / "studies.db").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no_module:loss"], "no_module"),
        (["a_module:gain"], "gain"),
        (["no-such-program", "{x}", "{act}"], "no-such-program"),
        ([sys.executable, "{x}"], "{act}"),
        ([sys.executable, "{x}", "{act}", "{y}"], "{y}"),
    ],
)
def test_what_cannot_be_run_is_refused_before_a_study_is_made(folder, words, said):
    assert said in knowgrad("run", "square.toml", "--trials", 1, "--", *words, code=2)
    assert not (folder / "studies.db").exists()


def test_of_a_list_some_columns_are_enough(folder):
    (folder / "shelf.csv").write_text("name,x\n" + "".join(f"m{i},{i * i}\n" for i in range(6)))
    (folder / "list.toml").write_text('candidates = "shelf.csv"\n[space]\nby = {options = ["a", "b"], target = "b"}')
    command = (
        "run",
        "list.toml",
        "--trials",
        2,
        "--json",
        "--",
        sys.executable,
        "-c",
        "import sys; print(len(sys.argv[1]))",
    )
    assert "a placeholder {by}" in knowgrad(*command, "{name}", code=2)
    assert "some of {name}, {x}, in the command, got none; add one" in knowgrad(*command, "{by}", code=2)
    assert data(*command, "{name}", "{by}")["n_observed"] == 2


def test_when_everything_fails_it_says_why(folder):
    command = ("run", "square.toml", "--trials", 2, "--", sys.executable, "-c", "import {act}{x}", "{x}")
    assert "2 evaluations of this run failed, the last with: exit code 1: File" in knowgrad(*command, code=1)


def test_a_timeout_ends_what_is_running(folder):
    began = time.monotonic()
    assert data("run", "square.toml", "a_module:late", "--trials", 9, "--timeout", 6)["stopped"] == "timeout"
    assert time.monotonic() - began < 60
    study = kg.Study.load("studies.db")
    assert not study.pending
    *before, ended, again = [trial.state for trial in study.trials]
    assert (ended, again) == ("expired", "queued")
    assert before == ["complete"] * len(before)  # three, or as many as a busy machine has time for
    assert len(before) <= 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_gives_the_point_back(folder, number):
    command = [sys.executable, "-m", "knowgrad.cli", "run", "square.toml", "a_module:slow", "--trials", "4"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while not list(folder.glob("*.pid")):
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    study = kg.Study.load("studies.db")
    assert [trial.state for trial in study.trials] == ["expired", "queued"]
    assert study.trials[0].params == study.trials[1].params
    (pid,) = (int(path.stem) for path in folder.glob("*.pid"))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_command_itself(folder):
    done = subprocess.run([sys.executable, "-m", "knowgrad.cli", "studies", "--storage", "none.db"], check=False)
    assert done.returncode == 5
    json.loads(knowgrad("run", "square.toml", "a_module:loss", "--trials", 1, "--json"))


def test_a_broken_command_does_no_harm_to_a_good_study(folder):
    good = ("run", "square.toml", "a_module:loss", "--name", "f", "--trials")
    knowgrad(*good, 5)
    before = [trial.value for trial in kg.Study.load("studies.db", "f").trials]
    use = data("recommend", "--name", "f")
    broken = ("run", "square.toml", "--name", "f", "--workers", 2, "--trials", 12)
    words = ("--", sys.executable, "nofile.py", "{x}", "{act}")
    said = knowgrad(*broken, *words, code=1)
    assert "evaluations of this run all failed, the last with: exit code 2" in said
    assert "can't open file" in said.splitlines()[-1]  # the program's last lines
    assert "--keep-going" in said
    after = kg.Study.load("studies.db", "f")
    assert [trial.value for trial in after.trials if trial.state == "complete"] == before
    assert not [trial for trial in after.trials if trial.state in ("failed", "pending")]
    assert data("recommend", "--name", "f")["params"] == pytest.approx(use["params"], abs=1e-6)
    assert "exit code 2" in knowgrad("worker", "--name", "f", "--trials", 12, *words, code=1)
    knowgrad(*broken, "--keep-going", *words)
    failed = [trial for trial in kg.Study.load("studies.db", "f").trials if trial.state == "failed"]
    assert len(failed) == 12 - 5
    assert all("can't open file" in trial.traceback for trial in failed)


@pytest.mark.filterwarnings("default::knowgrad.errors.ObjectiveWarning")
def test_the_result_is_where_the_pattern_says(folder):
    (folder / "chatty.py").write_text(
        "import sys\nprint('loss:', sys.argv[1])\nprint('Done in 0.5 s, see log v1.2.3')\n"
    )
    words = ("--", sys.executable, "chatty.py", "{x}", "{act}")
    done = CliRunner().invoke(main, ["run", "square.toml", "--trials", "4", *words])
    assert "the first 4 results of this run are all 0.5" in done.stderr
    knowgrad("run", "square.toml", "--name", "told", "--result", "loss: {value}", "--trials", 4, *words)
    trials = kg.Study.load("studies.db", "told").trials
    assert [trial.value for trial in trials] == [trial.params["x"] for trial in trials]
    refused = knowgrad("run", "square.toml", "a_module:loss", "--result", "{value}", "--trials", 1, code=2)
    assert "whose result is what it returns" in refused


def test_a_run_whose_evaluations_are_done_says_so(folder):
    words = ["run", "square.toml", "a_module:loss", "--trials", "2"]
    knowgrad(*words)
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, "the study has the 2 evaluations asked for already" in done.stderr) == (0, True)


def test_a_program_that_hangs_is_a_failed_trial(folder):
    (folder / "hangs.py").write_text(
        "import sys, time\ntime.sleep(60 * (float(sys.argv[1]) > 0.5))\nprint(sys.argv[1])\n"
    )
    words = ("--", sys.executable, "hangs.py", "{x}", "{act}")
    knowgrad("run", "square.toml", "--trials", 4, "--trial-timeout", 3, "--keep-going", *words)
    for trial in kg.Study.load("studies.db").trials:
        assert trial.reason == ("took longer than 3 s (trial_timeout)" if trial.params["x"] > 0.5 else None)
