"""The walk-through of docs/http.md with curl, run as it stands."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import knowgrad as kg
from tests.web.serving import serving

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
def test_the_curl_walk_through(tmp_path):
    (script,) = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    with serving(tmp_path / "lab.db") as service:
        env = {**os.environ, "KG": service.address, "TOKEN": service.token, "NO_PROXY": "*"}
        command = ["sh", "-e", "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"n_observed":3' in done.stdout
    assert '"answer":' in done.stdout
    trials = kg.Study.load(tmp_path / "lab.db", "mortar").trials
    assert [trial.state for trial in trials] == ["complete", "complete", "failed", "pending", "pending", "complete"]
    assert trials[1].sem == 0.3
    assert trials[4].lease == 7200
