"""Objectives that fork, with children that come back out of them in every way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import knowgrad as kg
from tests.faults.scenario import CannotRun, Place, scenario

SCRIPT = """
import os, random, sys, time
import knowgrad as kg
from knowgrad.runner import work

def objective(params):
    way = int(params["x"] * 1e6) % 5
    child = os.fork()
    if child:
        if way < 3:
            os.waitpid(child, 0)
        return params["x"]  # else the child comes back while this process has another point
    if way == 1:
        raise ValueError("of a child")
    if way == 2:
        sys.exit(0)
    if way == 3:
        time.sleep(0.02)
    if way == 4:
        os.fork()
    return -1.0

workers, place, name, n = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
study = kg.Study({"x": (0.0, 1.0)}, storage=place, name=name)
for _ in range(n):  # to choose points takes longer than anything here
    study.enqueue({"x": random.random()})
work(study, objective, n_trials=n, workers=workers, lease=60.0)
"""


@scenario("26", "objectives that fork, and children that come back out of them", quick=10, full=500)
def returning_children(place: Place, n: int) -> str:
    """With one worker and with two: no result but that of the process that was asked."""
    if not hasattr(os, "fork"):
        raise CannotRun("this system has no fork")
    script = place.folder / "forking.py"
    script.write_text(SCRIPT)
    seen = Counter()
    for workers in (1, 2):
        name = f"{workers} workers"
        command = [sys.executable, str(script), str(workers), place.url, name, str(n)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr[-1000:]
        trials = kg.Study.load(place.url, name).trials
        assert len(trials) == n
        seen["wrong"] += sum(trial.value != trial.params["x"] for trial in trials)
        seen["ended"] += done.stderr.count("came back out of the objective and ends here")
    assert seen["wrong"] == 0
    assert seen["ended"] >= 2 * n
    return f"{2 * n} forks, {seen['ended']} children came back and were ended, 0 results of another process"
