"""The tests of `document.py`, in a process of their own: all have one name, and pytest-xdist goes by names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_the_api_keeps_the_promises_of_its_document():
    pytest.importorskip("schemathesis")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "schemathesis"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [*command, str(HERE / "document.py")],
        cwd=HERE.parent.parent,
        env=alone,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "skipped" not in done.stdout
