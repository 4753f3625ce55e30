"""Runs that are paused and continued, on the command line and in programs."""

import sys

import knowgrad as kg
from tests.cli.console import data, knowgrad

SPACE = """
noise = 0
seed = 1
[space]
x = {low = 0.0, high = 1.0}
epochs = {type = "fidelity", low = 1, high = 20}
"""
PROGRAM = """
import json, os, pathlib, sys

x, epochs = float(sys.argv[1]), int(sys.argv[2])
number, before = os.environ["KNOWGRAD_TRIAL"], os.environ["KNOWGRAD_CONTINUES"]
start = int(pathlib.Path(f"{before}.epoch").read_text()) if before else 0
for epoch in range(start + 1, epochs + 1):
    pathlib.Path(f"{number}.epoch").write_text(str(epoch))
    print(json.dumps({"at": epoch, "value": x + 1 / epoch}), flush=True)
"""


def test_by_hand(tmp_path):
    (tmp_path / "net.toml").write_text(SPACE)
    storage = ("--storage", tmp_path / "a.db")
    knowgrad("create", tmp_path / "net.toml", *storage)
    knowgrad("enqueue", "x=0.25", "epochs=20", *storage)
    knowgrad("ask", *storage)
    assert "report" in knowgrad("pause", 0, *storage, code=1)
    knowgrad("report", 0, 3, 0.5, *storage)
    paused = data("pause", 0, "--cost", 3, "--reason", "later", *storage)
    assert (paused["paused"], paused["cost"], paused["reason"], paused["params"]["epochs"]) == (True, 3.0, "later", 3)
    queued = data("resume", 0, "--at", 9, *storage)
    assert (queued["continues"], queued["params"]["epochs"], queued["state"]) == (0, 9, "queued")
    assert "nobody continues" in knowgrad("resume", 0, *storage, code=4)
    assert kg.Study.load(tmp_path / "a.db").ask()[0].continues == 0


def test_a_program_goes_on_from_its_checkpoint(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.toml").write_text(SPACE)
    (tmp_path / "train.py").write_text(PROGRAM)
    words = ("run", "net.toml", "--storage", "a.db", "--resumable", "--trials")
    command = ("--", sys.executable, "train.py", "{x}", "{epochs}")
    knowgrad("create", "net.toml", "--storage", "a.db")
    study = kg.Study.load("a.db")
    study.enqueue({"x": 0.25, "epochs": 4})
    knowgrad(*words, 1, *command)
    first = study.trials[0]
    assert (first.paused, first.params["epochs"], len(first.curve)) == (True, 4, 4)
    study.resume(first, at=7)
    knowgrad(*words, 2, *command)
    again = study.trials[1]
    assert (again.continues, again.params["epochs"]) == (0, 7)
    assert [at for at, _ in again.curve] == [5, 6, 7]
