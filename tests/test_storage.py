"""The contract every storage keeps."""

import threading

import pytest

from knowgrad.errors import ArgumentError
from knowgrad.storage import Memory, OutOfDate, Storage, open_storage
from knowgrad.trial import Event


@pytest.fixture(params=[Memory])
def storage(request):
    return request.param()


def event(i):
    return Event("told", {"number": i, "value": float(i), "sem": None})


def test_it_is_a_storage(storage):
    assert isinstance(storage, Storage)


def test_what_is_appended_is_read_in_order(storage):
    assert storage.read() == []
    assert storage.append([event(0), event(1)]) == 2
    assert storage.append([event(2)]) == 3
    assert storage.read() == [event(0), event(1), event(2)]
    assert storage.read(after=2) == [event(2)]
    assert storage.read(after=3) == []


def test_a_checked_append_is_refused_when_the_log_has_grown(storage):
    storage.append([event(0)], expected=0)
    with pytest.raises(OutOfDate):
        storage.append([event(1)], expected=0)
    assert storage.read() == [event(0)]


def test_what_was_read_is_not_the_log(storage):
    storage.append([event(0)])
    storage.read().clear()
    assert storage.read() == [event(0)]


def test_of_racing_checked_appends_exactly_one_wins(storage):
    wins, start = [], threading.Barrier(8)

    def race(i):
        start.wait()
        for turn in range(100):
            try:
                storage.append([event(i)], expected=turn)
            except OutOfDate:
                continue
            wins.append(turn)

    threads = [threading.Thread(target=race, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wins) == len(set(wins)) == len(storage.read())


@pytest.mark.parametrize("storage", ["file.db", "postgresql://host/db", 3, {}])
def test_files_and_servers_are_refused_for_now(storage):
    with pytest.raises(ArgumentError, match="leave storage=None"):
        open_storage(storage)
