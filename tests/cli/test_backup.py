"""`knowgrad backup`: a copy of studies in use."""

import warnings

from click.testing import CliRunner

import knowgrad as kg
from knowgrad.cli import main
from tests.cli.console import data, knowgrad

SPACE = {"x": (0.0, 1.0)}


def test_all_studies_or_one(tmp_path):
    path, copy, one = tmp_path / "lab.db", tmp_path / "copy.db", tmp_path / "one.db"
    study = kg.Study(SPACE, storage=path, name="a", seed=0)
    study.add({"x": 0.5}, 1.0)
    kg.Study(SPACE, storage=path, name="b", seed=0)
    assert knowgrad("backup", copy, "--storage", path) == "a: 3 events\nb: 1 events\n"
    assert [each["name"] for each in data("backup", one, "--storage", path, "--name", "a")] == ["a"]
    assert kg.Study.load(one).trials == kg.Study.load(copy, "a").trials == study.trials
    assert knowgrad("doctor", copy) == f"{copy}: sound\nstudy a: 3 events whole\nstudy b: 1 events whole\n"


def test_nothing_is_overwritten_and_nothing_is_left_behind(tmp_path):
    path, there = tmp_path / "lab.db", tmp_path / "there.db"
    kg.Study(SPACE, storage=path, name="a", seed=0)
    there.write_text("something of mine")
    assert "which exists" in knowgrad("backup", there, "--storage", path, code=1)
    assert "'a'" in knowgrad("backup", tmp_path / "new.db", "--storage", path, "--name", "c", code=3)
    assert there.read_text() == "something of mine"
    assert sorted(each.name for each in tmp_path.glob("*.db*") if "-" not in each.name) == ["lab.db", "there.db"]


def test_a_copy_of_a_file_in_use_is_not_called_sound(tmp_path):
    path, copy = tmp_path / "lab.db", tmp_path / "copy.db"
    study = kg.Study(SPACE, storage=path, name="a", seed=0)
    study.add({"x": 0.5}, 1.0)
    copy.write_bytes(path.read_bytes())
    done = CliRunner().invoke(main, ["doctor", str(copy)], catch_exceptions=False)
    assert done.exit_code == 5
    assert done.stdout.startswith(f"{copy}: whole, but perhaps not complete\n")
    assert "`knowgrad backup`" in done.stdout


def test_a_warning_is_one_line(tmp_path, capfd):
    path, copy = tmp_path / "lab.db", tmp_path / "copy.db"
    study = kg.Study(SPACE, storage=path, name="a", seed=0)
    study.add({"x": 0.5}, 1.0)
    copy.write_bytes(path.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        main(["studies", "--storage", str(copy)], standalone_mode=False)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"knowgrad: storage '{copy}': expected its log 'copy.db-wal' beside it, got none")
