"""The walk-through of docs/http.md, run as it stands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import knowgrad as kg
from tests.web.serving import serving

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def run(service, command, script):
    surroundings = {**os.environ, "KG": service.address, "TOKEN": service.token, "NO_PROXY": "*"}
    done = subprocess.run(
        [*command, script], capture_output=True, text=True, env=surroundings, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_the_curl_walk_through(tmp_path):
    (script,) = blocks("sh")
    with serving(tmp_path / "lab.db") as service:
        said = run(service, ["sh", "-e", "-c"], script)
    assert '"n_observed":3' in said
    assert '"answer":' in said
    trials = kg.Study.load(tmp_path / "lab.db", "mortar").trials
    assert [trial.state for trial in trials] == ["complete", "complete", "failed", "pending", "pending", "complete"]
    assert trials[1].sem == 0.3
    assert trials[4].lease == 7200


def test_the_python_client(tmp_path):
    (script,) = blocks("py")
    with serving(tmp_path / "lab.db") as service:
        said = run(service, [sys.executable, "-W", "error", "-c"], script)
    assert "expected to improve the recommendation" in said
