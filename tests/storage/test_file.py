"""SQLite files that are moved, copied, read-only, full, or of the version before."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings
from pathlib import Path

import pytest

import knowgrad as kg
from knowgrad.errors import CorruptStorageError, StorageError, StorageFullError, StorageMovedError, StorageWarning
from knowgrad.log.doctor import examine
from knowgrad.storage import open_storage, sqlite, studies
from knowgrad.storage.backup import backup
from knowgrad.storage.mounts import network_type
from tests.faults.people import CONTEXT, start

SPACE = {"x": (0.0, 1.0)}
OLD = Path(__file__).parent / "files" / "version1.db"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "studies.db"


@pytest.fixture
def study(path):
    """Open, with three results."""
    study = kg.Study(SPACE, storage=path, name="mine", seed=0)
    for i in range(3):
        study.add({"x": i / 4}, float(i))
    return study


def log_of(path):
    return path.with_name(f"{path.name}-wal")


def is_marked(path):
    return path.read_bytes()[18:20] == b"\2\2"


# Moved, deleted, replaced


@pytest.mark.parametrize("harm", ["deleted", "moved", "replaced", "folder moved", "log deleted", "log replaced"])
@pytest.mark.parametrize("pause", [0.0, 0.15])  # the second is long enough for a folder to be told by its time
def test_a_file_that_is_no_longer_there_is_noticed_at_the_next_commit(tmp_path, harm, pause):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "studies.db"
    study = kg.Study(SPACE, storage=path, name="mine", seed=0)
    study.enqueue({"x": 0.5})
    time.sleep(pause)
    study.enqueue({"x": 0.25})
    (trial,) = study.ask()
    if harm == "deleted":
        path.unlink()
    elif harm == "moved":
        path.rename(tmp_path / "moved.db")
    elif harm == "folder moved":
        folder.rename(tmp_path / "elsewhere")
    elif harm == "log deleted":
        log_of(path).unlink()
    elif harm == "log replaced":
        shutil.copy(log_of(path), folder / "other")
        (folder / "other").replace(log_of(path))
    else:
        other = folder / "other.db"
        kg.Study(SPACE, storage=other, name="mine", seed=1)
        other.replace(path)
    with pytest.raises(StorageMovedError, match="put it back"):
        study.tell(trial, 1.0)
    if harm == "replaced":
        with pytest.raises(StorageMovedError, match="another file"):
            _ = study.trials
    else:
        assert study.trials[0].state == "pending"  # what is gone can still be looked at


def test_a_file_that_is_put_back_is_gone_on_with(tmp_path, path, study):
    path.rename(tmp_path / "moved.db")
    with pytest.raises(StorageMovedError):
        study.add({"x": 0.5}, 5.0)
    (tmp_path / "moved.db").rename(path)
    assert study.add({"x": 0.5}, 5.0).number == 3
    assert kg.Study.load(path).trials == study.trials


def test_an_older_copy_in_the_place_of_a_file_is_not_taken_for_it(tmp_path):
    """The same study with other events: their number fits, the chain of digests does not."""
    path, log = tmp_path / "studies.db", None
    kg.Study(SPACE, storage=path, name="mine", seed=0).add({"x": 0.5}, 1.0)
    shutil.copy(path, tmp_path / "old.db")
    for place, value in ((path, 2.0), (tmp_path / "old.db", 3.0)):
        kg.Study(SPACE, storage=place, name="mine").add({"x": 0.25}, value)
    log = sqlite.SQLite(path, "mine")
    first = log.read()
    log._connection.close()
    shutil.copy(tmp_path / "old.db", path)  # the same inode: only the content tells
    with pytest.raises(CorruptStorageError, match="are not those that it had"):
        log.read(len(first))


# Copied, backed up


def test_a_file_that_nobody_has_open_is_complete_in_itself(path, study):
    assert is_marked(path)
    before = study.trials
    study._log.storage._connection.close()
    assert not is_marked(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    shutil.copy(path, path.with_name("copy.db"))
    assert kg.Study.load(path.with_name("copy.db")).trials == before
    assert examine(path.with_name("copy.db")).is_sound


def test_the_last_to_close_a_file_completes_it(path, study):
    second = kg.Study.load(path)
    second.add({"x": 0.9}, 9.0)
    study._log.storage._connection.close()
    assert is_marked(path)
    second._log.storage._connection.close()
    assert not is_marked(path)


def test_a_copy_of_a_file_in_use_is_not_taken_for_the_whole(path, study, tmp_path):
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    report = examine(copy)
    assert not report.is_sound
    assert "copied while in use" in report.missing
    for _ in range(2):  # a look does not make it forgotten
        with pytest.warns(StorageWarning, match=r"latest results may be missing.*knowgrad backup"):
            studies(copy)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        kg.Study(SPACE, storage=copy, name="mine", seed=0).add({"x": 0.5}, 1.0)  # whoever goes on has been told
    assert {each.category for each in said} == {StorageWarning}
    assert examine(copy).is_sound


def test_a_file_that_was_killed_in_use_has_its_log(path):
    code = f"""
        import os, knowgrad as kg
        study = kg.Study({SPACE!r}, storage={str(path)!r}, name="mine", seed=0)
        study.add({{"x": 0.5}}, 1.0)
        os._exit(0)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=60)
    assert is_marked(path)
    assert log_of(path).exists()
    assert examine(path).is_sound
    assert kg.Study.load(path).trials[0].value == 1.0
    assert not log_of(path).exists()


def test_a_backup_of_studies_in_use_is_complete(database, tmp_path):
    study = kg.Study(SPACE, storage=database, name="one", seed=0)
    kg.Study(SPACE, storage=database, name="two", seed=1).add({"x": 0.5}, 1.0)
    for trial in study.ask(3, lease=60.0):
        study.renew(trial, lease=60.0)
    study.tell(0, 2.0)
    target = tmp_path / "backup.db"
    assert [found.name for found in backup(database, target)] == ["one", "two"]
    assert not is_marked(target)
    assert examine(target).is_sound
    copied = kg.Study.load(target, "one").trials
    assert [(t.id, t.params, t.value) for t in copied] == [(t.id, t.params, t.value) for t in study.trials]
    with pytest.raises(kg.errors.ArgumentError, match="which exists"):
        backup(database, target)
    assert [found.name for found in backup(database, tmp_path / "one.db", "one")] == ["one"]
    with pytest.raises(kg.errors.UnknownStudyError, match="'one', 'two'"):
        backup(database, tmp_path / "three.db", "three")
    assert sorted(each.name for each in tmp_path.glob("*.db")) == ["backup.db", "one.db", *_sqlite_name(database)]


def _sqlite_name(database):
    return ["studies.db"] if database.startswith("sqlite") else []


def test_a_backup_goes_to_a_database_too(path, study, postgres_server):
    url = postgres_server.new_database()
    backup(path, url)
    assert kg.Study.load(url).trials == study.trials
    assert examine(url).is_sound
    with pytest.raises(kg.errors.ArgumentError, match="without study 'mine'"):
        backup(path, url)


def test_the_doctor_takes_postgresql(postgres_server, tmp_path):
    import psycopg

    from knowgrad.log.doctor import rescue

    url = postgres_server.new_database()
    study = kg.Study(SPACE, storage=url, name="mine", seed=0)
    for i in range(4):
        study.add({"x": i / 4}, float(i))
    with psycopg.connect(url) as db:
        db.execute("UPDATE knowgrad_events SET data = replace(data, '2.0', '7.0') WHERE kind = 'told' AND number = 6")
    report = examine(url)
    assert (report.is_sound, [(each.events, each.lost) for each in report.studies]) == (False, [(8, (6,))])
    rescue(url, tmp_path / "rescued.db")
    assert [trial.value for trial in kg.Study.load(tmp_path / "rescued.db").trials] == [0.0, 1.0, None, 3.0]


# Full, limited, read-only


def limited(path, code):
    """What a process of its own prints that may not make files larger than 64 KiB."""
    head = f"""
        import resource, sys, knowgrad as kg
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        path, space = {str(path)!r}, {SPACE!r}
    """
    script = textwrap.dedent(head) + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limits here")
def test_a_limit_on_the_size_of_files_is_no_damage(path):
    said = limited(
        path,
        """
        study = kg.Study(space, storage=path, name="mine", seed=0)
        told = 0
        try:
            for i in range(1000):
                study.enqueue({"x": i / 1000})
                told += 1
        except kg.errors.StorageFullError as error:
            print(told, "what was written before is intact" in str(error))
        """,
    )
    told, hint = said.split()
    assert hint == "True"
    assert len(kg.Study.load(path).trials) == int(told) > 0


@pytest.mark.parametrize("number", ["ENOSPC", "EDQUOT", "EFBIG"])
def test_no_room_at_opening_is_called_by_its_name(path, number, monkeypatch):
    import errno
    import sqlite3

    from knowgrad.storage import room

    class Full:
        def __enter__(self):
            raise OSError(getattr(errno, number), "no room")

        def __exit__(self, *error):
            return False

    monkeypatch.setattr(room.tempfile, "TemporaryFile", lambda **options: Full())
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    monkeypatch.setattr(sqlite, "open_file", lambda path: (_ for _ in ()).throw(error))
    with pytest.raises(StorageFullError, match="make room"):
        sqlite.SQLite(path, "mine", open=sqlite.open_file).read()


def read_only(folder, how):
    """Make a folder and what is in it read-only for `looked_at`; returns what undoes it, or skips."""
    if how == "mount":
        mount = ["mount", "-o", "remount,ro", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("nothing can be mounted here")
    for each in folder.iterdir() if how == "rights" else ():
        each.chmod(0o444)
    folder.chmod(0o555) if how == "rights" else None


def looked_at(pipe, path, name, how):
    """What somebody sees who may not write."""
    from click.testing import CliRunner

    from knowgrad.cli import main

    warm = kg.Study(SPACE, seed=0)  # what is loaded late has to be loaded while it may be read
    warm.add({"x": 0.5}, 1.0)
    warm.recommend()
    if how == "rights":
        os.setgid(65534)
        os.setuid(65534)
    study = kg.Study.load(path, name)
    values = [trial.value for trial in study.trials]
    commands = [[word, "--storage", str(path), "--name", name] for word in ("status", "recommend", "export")]
    done = [CliRunner().invoke(main, words).exit_code for words in [*commands, ["doctor", str(path)]]]
    try:
        study.add({"x": 0.5}, 1.0)
        refused = "not at all"
    except StorageError as error:
        refused = f"{type(error).__name__}: {error}"
    pipe.send((values, study.recommend().n_observed, done, refused))


@pytest.fixture
def folder(request):
    """A small disk of its own, which others may look into."""
    folder = Path(tempfile.mkdtemp(prefix="knowgrad-read-only-"))
    folder.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]
    mounted = not subprocess.run(mount, capture_output=True, check=False).returncode
    yield folder
    if mounted:
        subprocess.run(["umount", "-l", folder], check=True)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def prepare(path, state):
    """A file in this state; returns the name of a study in it, and what keeps the file in use."""
    if state == "version 1":
        shutil.copy(OLD, path)
        return "other", None
    study = kg.Study(SPACE, storage=path, name="mine", seed=0)
    study.add({"x": 0.25}, 2.0)
    if state == "closed":
        study._log.storage._connection.close()
    if state == "killed":
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{path}{ending}.copy")
        study._log.storage._connection.close()
        for ending in ("", "-wal"):
            Path(f"{path}{ending}.copy").rename(f"{path}{ending}")
    return "mine", study


@pytest.mark.skipif(not hasattr(os, "setuid") or os.geteuid() != 0, reason="only root can give up its rights")
@pytest.mark.parametrize("state", ["closed", "in use", "killed", "version 1"])
@pytest.mark.parametrize("how", ["rights", "mount"])
def test_a_file_that_may_only_be_read_is_read(folder, how, state):
    path = folder / "studies.db"
    name, keeper = prepare(path, state)
    if how == "mount" and state == "in use":
        keeper._log.storage._connection.close()  # who has it open to write keeps a disk from becoming read-only
    read_only(folder, how)
    ours, theirs = CONTEXT.Pipe()
    process = start(looked_at, theirs, path, name, how)
    assert ours.poll(60)
    values, observed, codes, refused = ours.recv()
    process.join()
    assert (values, observed, codes) == ([2.0], 1, [0, 0, 0, 0])
    assert refused.startswith("StorageError: ")
    assert "it can be read as it is" in refused


# The version before


def test_a_file_of_the_version_before_is_gone_on_with(tmp_path):
    path = tmp_path / "old.db"
    shutil.copy(OLD, path)
    assert examine(path).is_sound
    assert path.read_bytes() == OLD.read_bytes()
    study = kg.Study.load(path, "old")
    states = ["complete"] * 4 + ["pending", "complete", "failed"]
    assert [trial.state for trial in study.trials] == states
    assert study.pending[0].lease == 3e9  # the last of the renewals that are part of its log
    said = study.predict({"x": 0.09274774949655096, "act": "a"})  # what it recommended
    assert said.mean[0] == pytest.approx(0.06331919009784417, rel=1e-6)
    assert study.gain(2).value == pytest.approx(0.024189123375254477, rel=1e-3)
    study.renew(4, lease=4e9)
    study.tell(4, 0.5)
    again = kg.Study.load(path, "old")
    assert (again.trials, again.version) == (study.trials, study.version)
    assert kg.Study.load(path, "other").direction == "maximize"
    assert examine(path).is_sound


def test_damage_in_a_file_of_the_version_before_is_not_sealed(tmp_path):
    path = tmp_path / "old.db"
    content = OLD.read_bytes()
    at = content.index(b'"value": 2.0')
    path.write_bytes(content[: at + 9] + b"9" + content[at + 10 :])
    for name in ("old", "other"):  # looking at the one that is whole does not make the other one so
        try:
            kg.Study.load(path, name)
        except CorruptStorageError:
            assert name == "other"
    with pytest.raises(CorruptStorageError):
        kg.Study.load(path, "other")


# Networks


def test_a_network_file_system_is_noticed(tmp_path):
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
        f"40 22 0:35 / {tmp_path}/my\\040share rw shared:1 - nfs4 server:/x rw\n"
        f"41 40 0:36 / {tmp_path}/my\\040share/local rw - tmpfs tmpfs rw\n"
    )
    assert network_type(tmp_path / "my share" / "a.db", mounts) == "nfs4"
    assert network_type(tmp_path / "my share" / "local" / "a.db", mounts) is None
    assert network_type(tmp_path / "a.db", mounts) is None
    assert network_type(tmp_path / "a.db", tmp_path / "none") is None


def test_a_file_on_a_network_is_warned_of(path, monkeypatch):
    from knowgrad.storage import place

    monkeypatch.setattr(place, "network_type", lambda path: "nfs4")
    with pytest.warns(StorageWarning, match=r"nfs4.*locks.*postgresql"):
        kg.Study(SPACE, storage=path, name="mine")


def test_only_damage_is_called_damage(path, study):
    with pytest.raises(StorageError) as error:
        study._log.storage._do(lambda db: db.execute("BEGIN; nonsense"))
    assert not isinstance(error.value, CorruptStorageError)


# Leases


def test_renewed_leases_do_not_pile_up(database):
    study = kg.Study(SPACE, storage=database, name="mine", seed=0)
    trials = study.ask(3, lease=60.0)
    before = studies(database)[0].events
    for _ in range(50):
        study.renew(*trials, lease=120.0)
    assert studies(database)[0].events == before
    again = kg.Study.load(database)
    assert [trial.lease for trial in again.pending] == [120.0] * 3
    assert again.trials == study.trials
    study.tell(trials[0], 1.0)
    study.fail(trials[1], "so")
    study.expire(trials[2])
    assert open_storage(database, "mine").read().leases == []


def test_a_renewed_lease_keeps_a_point_from_being_lost(database):
    study, other = (kg.Study(SPACE, storage=database, name="mine", seed=0) for _ in range(2))
    (trial,) = study.ask(lease=0.0)
    study.renew(trial, lease=60.0)
    other.reclaim()
    assert [each.number for each in other.pending] == [trial.number]
    study.renew(trial, lease=0.0)
    other.reclaim()
    assert [each.retry_of for each in other.trials] == [None, trial.number]


def test_points_that_are_given_back_have_not_lost_their_workers(database):
    study = kg.Study(SPACE, storage=database, name="mine", seed=0)
    for _ in range(5):
        (trial,) = study.ask(lease=60.0)
        study.renew(trial, lease=0.0)
    assert {each.state for each in study.trials[:-1]} == {"expired"}
    assert not [each for each in kg.Study.load(database).trials if each.state == "failed"]
    for _ in range(3):
        study.ask(lease=0.0)
    study.reclaim()
    assert study.trials[-1].reason == "3 workers were lost with this point"
