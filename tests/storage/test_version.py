"""A file that nobody has written to since is not read again, and whatever was written is seen at once."""

import numpy as np
import pytest

from knowgrad.storage.naming import delete_study
from knowgrad.storage.sqlite import SQLite
from knowgrad.testing import event
from knowgrad.trial import Event


def renewal(number, deadline):
    return Event("renewed", {"numbers": [number], "lease": 1.0, "deadline": deadline})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "studies.db"


def seen(log, after):
    page = log.read(after)
    return list(page), sorted(page.leases)


@pytest.mark.parametrize("seed", range(3))
def test_whoever_writes_by_whichever_way_all_see_the_same(path, seed):
    """Two that have the study open, one with another study of the file, and one who looks for the first time."""
    rng = np.random.default_rng(seed)
    ours, theirs, other = SQLite(path, "one"), SQLite(path, "one"), SQLite(path, "two")
    length, deadline = ours.append([event(0)]), 0.0
    for step in range(120):
        log = (ours, theirs)[rng.integers(2)]
        match rng.integers(6):
            case 0:
                length = log.append([event(step), event(-step)], expected=length)
            case 1:
                log.amend(length, lambda news, now, step=step: [event(step)])
                length += 1
            case 2:
                deadline += 1.0
                log.amend(length, lambda news, now, d=deadline: [renewal(int(rng.integers(3)), d)])
            case 3:
                log.amend(length, lambda news, now: [Event("told", {"number": int(rng.integers(3))})])
                length += 1
            case 4:
                with pytest.raises(ZeroDivisionError):
                    log.amend(length, lambda news, now: 1 / 0)
            case 5:
                other.append([event(step)])
        fresh = SQLite(path, "one")
        for after in (length, max(length - 3, 0)):
            assert seen(ours, after) == seen(theirs, after) == seen(fresh, after)
        assert len(fresh.read()) == length


def test_a_commit_that_failed_is_not_taken_for_one(path):
    log, other = SQLite(path, "one"), SQLite(path, "one")
    log.append([event(0)])
    log.read(1)

    def moving(news, now):
        path.rename(path.with_suffix(".away"))
        return [event(1)]

    with pytest.raises(Exception, match="moved"):
        log.amend(1, moving)
    path.with_suffix(".away").rename(path)
    assert seen(log, 1) == seen(log, 1) == ([], [])
    other.append([event(2)])
    assert list(log.read(1)) == [event(2)]
    log.amend(2, lambda news, now: [event(3)])
    assert list(other.read()) == [event(0), event(2), event(3)]


def test_a_file_that_nobody_wrote_to_is_not_read(path):
    log = SQLite(path, "one")
    log.append([event(0)])
    log.amend(1, lambda news, now: [event(1)])
    statements = []
    log._connection.run(lambda db: db.set_trace_callback(statements.append))
    assert log.read(2) == []
    log.amend(2, lambda news, now: [event(2)])
    assert log.read(3) == []
    assert not [text for text in statements if text.startswith("SELECT")]
    SQLite(path, "two").append([event(0)])
    assert log.read(3) == []
    assert len([text for text in statements if text.startswith("SELECT")]) == 1


def test_a_study_that_was_deleted_begins_anew(path):
    log = SQLite(path, "one")
    log.append([Event("created", {"uid": "first", "time": 0.0}), event(1)])
    delete_study(path, "one")
    assert log.read() == []
    log.amend(0, lambda news, now: [event(2)])
    assert SQLite(path, "one").read() == [event(2)]
