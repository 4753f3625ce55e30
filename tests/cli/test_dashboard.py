"""The dashboard from the shell."""

import re
import signal
import subprocess
import sys

import pytest

import knowgrad as kg
from knowgrad.storage import studies
from knowgrad.web.client import Client
from knowgrad.web.serve import Service
from tests.cli.console import knowgrad


@pytest.fixture
def storage(tmp_path):
    kg.Study({"x": (0.0, 1.0)}, storage=tmp_path / "a.db", name="s", seed=0)
    return tmp_path / "a.db"


def test_it_prints_its_address_serves_and_ends_with_ctrl_c(storage):
    command = [sys.executable, "-W", "error", "-m", "knowgrad.cli", "dashboard", storage, "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            said = [server.stdout.readline() for _ in range(3)]
            address, token = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", said[0]).groups()
            assert f"Bearer {token}" in said[1]
            assert "Read-only" in said[2]
            client = Client(address, token)
            assert client.studies()[0]["name"] == "s"  # waits in the socket until the server answers
        finally:
            server.send_signal(signal.SIGINT)
            _, trouble = server.communicate(timeout=30)
    assert server.returncode in (0, 130)
    assert "Traceback" not in trouble


def test_an_unsafe_address_is_refused(storage):
    assert "expected a loopback address" in knowgrad("dashboard", storage, "--host", "0.0.0.0", code=1)
    assert "at least 16 characters" in knowgrad("dashboard", storage, "--token", "short", code=1)


def test_a_file_that_is_not_there_is_refused_unless_one_is_to_be_begun(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(Service, "run", lambda self, **_: started.append(self))
    missing = tmp_path / "typo.db"
    assert "which does not exist; check the path" in knowgrad("dashboard", missing, "--port", 0, code=5)
    assert "--allow-edit --create" in knowgrad("dashboard", missing, "--port", 0, "--allow-edit", code=5)
    assert "expected --allow-edit beside it" in knowgrad("dashboard", missing, "--port", 0, "--create", code=2)
    other = tmp_path / "notes.txt"
    other.write_text("not a database")
    knowgrad("dashboard", other, "--port", 0, code=5)
    assert started == []
    assert not missing.exists()
    knowgrad("dashboard", missing, "--port", 0, "--no-open", "--allow-edit", "--create")
    assert len(started) == 1
    started[0].socket.close()
    assert studies(missing) == []
