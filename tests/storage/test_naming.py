"""Studies renamed and deleted, in a file and in a database."""

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, UnknownStudyError
from knowgrad.log.doctor import examine, rescue
from knowgrad.storage import Memory, studies
from knowgrad.storage.naming import delete_study, rename_study

SPACE = {"x": (0.0, 1.0)}


def made(database, name="lab"):
    """With a result, a correction, a note and a renewed lease."""
    study = kg.Study(SPACE, storage=database, name=name, seed=0)
    first, second = study.ask(2, lease=1000.0)
    study.renew(second, lease=5000.0)
    study.tell(first, 4.88)
    study.correct(first, 48.8, by="lab")
    study.note(second, "in the oven")
    return study


def test_a_renamed_study_is_the_same_under_another_name(database):
    other = made(database, "other").trials
    before = made(database)
    trials, ids = before.trials, [trial.id for trial in before.trials]
    rename_study(database, "lab", "kiln 2")
    assert [each.name for each in studies(database)] == ["kiln 2", "other"]
    after = kg.Study.load(database, "kiln 2")
    assert after.name == "kiln 2"
    assert after.trials == trials
    assert [trial.id for trial in after.trials] == ids
    assert after.trials[1].deadline == trials[1].deadline
    assert after.tell(1, 47.0).value == 47.0
    assert kg.Study.load(database, "other").trials == other
    assert examine(database).is_sound


def test_whoever_has_it_open_is_refused_and_writes_nothing(database):
    study = made(database)
    rename_study(database, "lab", "kiln 2")
    for use in (lambda: study.trials, lambda: study.tell(1, 47.0), lambda: study.ask(), lambda: study.note(0, "no")):
        with pytest.raises(UnknownStudyError, match="renamed or deleted while it was open"):
            use()
    assert [(each.name, each.events) for each in studies(database)] == [("kiln 2", len_of(database, "kiln 2"))]


def len_of(database, name):
    return kg.Study.load(database, name).version


def test_a_deleted_study_is_gone_for_good(database, tmp_path):
    study, other = made(database), made(database, "other").trials
    delete_study(database, "lab")
    assert [each.name for each in studies(database)] == ["other"]
    with pytest.raises(UnknownStudyError):
        kg.Study.load(database, "lab")
    with pytest.raises(UnknownStudyError, match="renamed or deleted"):
        study.tell(1, 47.0)
    again = kg.Study(SPACE, storage=database, name="lab", seed=1)
    assert not again.trials
    assert kg.Study.load(database, "other").trials == other
    rescue(database, tmp_path / "rescued.db")
    assert {each.name: each.events for each in studies(tmp_path / "rescued.db")}["lab"] == 1


@pytest.mark.parametrize("more", [0, 3, 20])
def test_a_study_made_anew_under_its_name_is_not_called_damaged(database, more):
    """Be it shorter, as long or longer than the one that somebody still has open."""
    read, written = made(database), kg.Study(SPACE, storage=database, name="short", seed=0)
    kg.Study.load(database, "lab").trials  # noqa: B018
    for name in ("lab", "short"):
        delete_study(database, name)
        again = kg.Study(SPACE, storage=database, name=name, seed=1)
        for _ in range(more):
            again.enqueue({name: (low + high) / 2 for name, (low, high) in SPACE.items()})
    kept = again.trials
    for study in (read, written):
        for use in (lambda study=study: study.trials, lambda study=study: study.fail(0, "no")):
            with pytest.raises(UnknownStudyError, match="deleted while it was open, and created again; open it again"):
                use()
    assert kg.Study.load(database, "short").trials == kept
    assert examine(database).is_sound


def test_names_that_cannot_be_are_refused_and_nothing_changes(database):
    made(database)
    made(database, "other")
    before = studies(database)
    for to in ("other", "", "a\nb", "x" * 201, None):
        with pytest.raises(ArgumentError, match="name: expected"):
            rename_study(database, "lab", to)
    for act in (lambda: rename_study(database, "none", "new"), lambda: delete_study(database, "none")):
        with pytest.raises(UnknownStudyError, match="'lab', 'other'"):
            act()
    rename_study(database, "lab", "lab")
    assert studies(database) == before


def test_only_files_and_databases_have_names():
    with pytest.raises(ArgumentError, match="expected a file or a database"):
        delete_study(Memory(), "lab")
