"""Damaged files: noticed when opened, reported, and what is whole is saved."""

import random
import shutil
import sqlite3

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, CorruptStorageError, StorageError
from knowgrad.log.doctor import examine, rescue
from knowgrad.storage import open_storage, studies

LONG = {f"parameter number {i:03}": (0.0, 1.0) for i in range(150)}  # its events need more than one page


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "studies.db"
    for name, space in (("short", {"x": (0.0, 1.0)}), ("long", LONG)):
        study = kg.Study(space, storage=path, name=name, seed=0, method="sobol")
        for trial in study.ask(30):
            study.tell(trial, sum(trial.params.values()))
    return path


def overwrite(path, offset, content):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(content)


def find(path, text):
    return path.read_bytes().index(text)


def trials(path, name):
    return kg.Study.load(path, name).trials


def test_a_sound_file(path, tmp_path):
    report = examine(path)
    assert report.is_sound
    assert [(study.name, study.events) for study in report.studies] == [("long", 61), ("short", 61)]
    assert rescue(path, tmp_path / "copy.db").is_sound
    for name in ("short", "long"):
        assert trials(tmp_path / "copy.db", name) == trials(path, name)


def test_what_is_still_in_the_write_ahead_log_is_saved(path, tmp_path):
    study = kg.Study.load(path, "short")
    study.add({"x": 0.125}, 7.0)
    assert path.with_name(f"{path.name}-wal").stat().st_size
    rescue(path, tmp_path / "copy.db")
    assert trials(tmp_path / "copy.db", "short")[-1].value == 7.0


def test_one_changed_digit_is_noticed_and_the_rest_is_saved(path, tmp_path):
    before = trials(path, "short")
    value = before[7].value
    overwrite(path, find(path, f'"value": {value}'.encode()) + 12, b"9")
    with pytest.raises(CorruptStorageError, match="knowgrad doctor"):
        kg.Study.load(path, "short")
    report = rescue(path, tmp_path / "saved.db")
    assert not report.is_sound
    short = next(study for study in report.studies if study.name == "short")
    assert (short.events, len(short.lost), short.dropped) == (60, 1, ())
    after = trials(tmp_path / "saved.db", "short")
    assert after[7].state == "pending"
    assert after[:7] + after[8:] == before[:7] + before[8:]


def test_results_without_a_point_are_dropped_and_trials_numbered_anew(path, tmp_path):
    before = trials(path, "short")
    overwrite(path, find(path, f'"params": {{"x": {before[3].params["x"]}'.encode()) + 8, b"?")
    report = rescue(path, tmp_path / "saved.db")
    short = next(study for study in report.studies if study.name == "short")
    assert (len(short.lost), len(short.dropped)) == (1, 1)
    after = trials(tmp_path / "saved.db", "short")
    assert [trial.number for trial in after] == list(range(29))
    assert [(t.params, t.value) for t in after] == [(t.params, t.value) for t in before[:3] + before[4:]]


def test_nothing_is_saved_of_a_study_that_has_lost_its_beginning(path, tmp_path):
    overwrite(path, find(path, b'"format": 1'), b'"farmot": 1')
    report = rescue(path, tmp_path / "saved.db")
    assert [study.name for study in studies(tmp_path / "saved.db")] == ["long"]
    short = next(study for study in report.studies if study.name == "short")
    assert (short.lost, len(short.dropped)) == ((0,), 60)


@pytest.mark.parametrize("what", ["schema", "studies"])
def test_the_events_survive_the_loss_of_everything_around_them(path, tmp_path, what):
    before = trials(path, "long")
    if what == "schema":
        overwrite(path, 0, bytes(4096))
    else:
        overwrite(path, 4096, random.Random(0).randbytes(4096))
    with pytest.raises(StorageError):
        kg.Study(LONG, storage=path, name="long", seed=0)
    rescue(path, tmp_path / "saved.db")
    assert trials(tmp_path / "saved.db", "long") == before


def test_damage_that_cannot_be_put_into_words_is_damage(path, tmp_path):
    """The name of a table is no text any more, and neither is what SQLite says about it."""
    before = trials(path, "short")
    overwrite(path, find(path, b"TABLE knowgrad_events (") + 6, b"\xda\xff \xc0")
    for call in (studies, lambda path: kg.Study.load(path, "short")):
        with pytest.raises(CorruptStorageError, match="knowgrad doctor"):
            call(path)
    assert not rescue(path, tmp_path / "saved.db").is_sound
    assert trials(tmp_path / "saved.db", "short") == before


def test_a_missing_row_is_noticed(path):
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM knowgrad_events WHERE study = 'short' AND number = 60")
    db.close()
    with pytest.raises(CorruptStorageError, match="60 events, and its own row says 61"):
        kg.Study.load(path, "short")
    assert not examine(path).is_sound


def test_a_lost_study_is_not_taken_for_a_new_one(path):
    with sqlite3.connect(path) as db:
        db.execute("UPDATE knowgrad_studies SET name = 'shirt' WHERE name = 'short'")
    db.close()
    with pytest.raises(CorruptStorageError):
        kg.Study({"x": (0.0, 1.0)}, storage=path, name="short")
    with pytest.raises(CorruptStorageError):
        studies(path)


def test_a_rescue_needs_a_file_and_a_new_path(path, tmp_path):
    with pytest.raises(ArgumentError, match="pass another"):
        rescue(path, path)
    with pytest.raises(StorageError, match="expected a file"):
        examine(tmp_path / "none.db")


def test_files_of_others_and_of_the_future_are_left_alone(tmp_path):
    other, newer = tmp_path / "other.db", tmp_path / "newer.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE t (x)")
    db.close()
    open_storage(newer, "a").append([])
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    text = tmp_path / "text.db"
    text.write_text("not a database at all\n" * 100)
    for path, message in ((other, "of something else"), (newer, "newer"), (text, "not a database")):
        shutil.copy(path, tmp_path / "before")
        for call in (lambda path=path: kg.Study({"x": (0.0, 1.0)}, storage=path), lambda path=path: studies(path)):
            with pytest.raises(StorageError, match=message):
                call()
        assert path.read_bytes() == (tmp_path / "before").read_bytes()
