"""`knowgrad doctor`: reports, and rescues into a new file."""

import json

import pytest
from click.testing import CliRunner

import knowgrad as kg
from knowgrad.cli import main
from tests.cli.console import data, knowgrad

SPACE = {"x": (0.0, 1.0)}


@pytest.fixture
def file(tmp_path):
    """A file of one study with 40 results."""
    path = tmp_path / "studies.db"
    study = kg.Study(SPACE, storage=path, name="one", method="random", seed=0)
    for trial in study.ask(40):
        study.tell(trial, trial.params["x"])
    return path


def damage(path):
    """Overwrite one result in the file."""
    whole = path.read_bytes() if not (wal := path.with_name(path.name + "-wal")).exists() else wal.read_bytes()
    where = path if not wal.exists() else wal
    at = whole.rindex(b'"value"')
    where.write_bytes(whole[: at + 9] + b"9" + whole[at + 10 :])


def doctor(*words):
    done = CliRunner().invoke(main, ["doctor", *map(str, words), "--json"], catch_exceptions=False)
    return done.exit_code, json.loads(done.stdout)


def test_a_sound_file(file):
    assert knowgrad("doctor", file) == f"{file}: sound\nstudy one: 81 events whole\n"
    assert data("doctor", file)["is_sound"] is True


def test_a_damaged_file_is_reported_and_rescued(file, tmp_path):
    damage(file)
    code, report = doctor(file)
    assert code == 5
    assert report["problems"]
    new = tmp_path / "new.db"
    code, report = doctor(file, "--rescue", new)
    assert (code, report["rescued"]) == (5, str(new))
    trials = kg.Study.load(new).trials
    assert len(trials) >= 39
    assert all(trial.value in (None, trial.params["x"]) for trial in trials)
    assert knowgrad("doctor", new).startswith(f"{new}: sound")


def test_where_nothing_is_whole_nothing_is_made(tmp_path):
    damaged, new = tmp_path / "damaged.db", tmp_path / "new.db"
    damaged.write_text("not a database")
    done = CliRunner().invoke(main, ["doctor", str(damaged), "--rescue", str(new)], catch_exceptions=False)
    assert done.stdout.endswith(f"nothing was saved: there is no {new}\n")
    code, report = doctor(damaged, "--rescue", new)
    assert (code, report["rescued"]) == (5, None)
    assert not new.exists()


def test_nothing_is_overwritten(file):
    assert "which exists" in knowgrad("doctor", file, "--rescue", file, code=1)
    assert "expected a file" in knowgrad("doctor", "missing.db", code=5)
