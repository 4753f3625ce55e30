"""An interrupt at any moment: the next look is right, nothing is overwritten, nothing stays locked."""

import os
import signal
import sqlite3
import threading
import time

import pytest

import knowgrad as kg
from knowgrad.errors import ConflictError
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.storage import Memory, open_storage
from knowgrad.storage.connection import Connection
from knowgrad.storage.file import File, connect

SPACE = {"x": (0.0, 1.0)}


class Stop(BaseException):
    """An interrupt."""


def interrupted(function, step):
    """`function`, stopped when it is called for the `step`th time, as Ctrl-C does between two bytecodes."""
    calls = 0

    def stopping(*args, **options):
        nonlocal calls
        calls += 1
        if calls == step:
            raise Stop
        return function(*args, **options)

    return stopping


@pytest.mark.parametrize("step", [1, 2, 5, 9])
@pytest.mark.parametrize("name", ["_happened", "_keep"])
def test_a_look_that_was_interrupted_leaves_no_trace(monkeypatch, name, step):
    storage = Memory()
    writer = kg.Study(SPACE, storage=storage, seed=0)
    reader = kg.Study(SPACE, storage=storage)
    for trial in writer.ask(5):
        writer.tell(trial, float(trial.number))
    with monkeypatch.context() as patch:
        patch.setattr(Ledger, name, interrupted(getattr(Ledger, name), step))
        with pytest.raises(Stop):
            _ = reader.trials
    with pytest.raises(ConflictError):
        reader.tell(4, -999.0)
    assert reader.trials == writer.trials
    assert (reader.version, reader.pending) == (writer.version, ())


def test_a_commit_that_was_interrupted_after_it_was_written_is_seen(monkeypatch, database):
    study = kg.Study(SPACE, storage=database, seed=0)
    (trial,) = study.ask()
    with monkeypatch.context() as patch:
        patch.setattr(Log, "_take_in", interrupted(Log._take_in, 2))  # what came before, then what was written
        with pytest.raises(Stop):
            study.tell(trial, 1.0)
    assert study.trials[0].value == 1.0
    assert study.trials == kg.Study.load(database).trials


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "INSERT", "UPDATE", "COMMIT", "ROLLBACK"])
def test_an_interrupt_right_after_any_statement_leaves_the_file_open_to_all(monkeypatch, tmp_path, statement):
    path = tmp_path / "studies.db"
    study = kg.Study(SPACE, storage=path, seed=0)
    trials = study.ask(2)
    execute, done = File.execute, []

    def stopping(self, sql, *args):
        found = execute(self, sql, *args)
        if sql.startswith(statement) and not done:
            done.append(sql)
            raise Stop
        return found

    monkeypatch.setattr(File, "execute", stopping)
    if statement == "ROLLBACK":
        study.tell(trials[0], 1.0)
    with pytest.raises(Stop):
        study.tell(trials[0], 2.0 if statement == "ROLLBACK" else 1.0)  # 2.0 is refused: the transaction is taken back
    assert done
    db = sqlite3.connect(path, timeout=0, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")  # raises if anybody has the lock
    db.execute("ROLLBACK")
    db.close()
    study.tell(trials[0], 1.0)
    study.tell(trials[1], 2.0)
    assert study.trials == kg.Study.load(path).trials


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_waiting_for_the_lock_of_a_file(tmp_path, number):
    path = tmp_path / "studies.db"
    study = kg.Study(SPACE, storage=path, seed=0)
    (trial,) = study.ask()
    other = connect(path, "rw")
    other.execute("BEGIN IMMEDIATE")

    def handler(*_):
        raise Stop

    before = signal.signal(number, handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), number))
    release = threading.Timer(0.6, other.execute, ("ROLLBACK",))
    try:
        timer.start()
        release.start()
        with pytest.raises(Stop):
            study.tell(trial, 1.0)
    finally:
        signal.signal(number, before)
        release.join()
        timer.join()
        other.close()
    again = kg.Study.load(path)
    again.tell(trial.number, 1.0)
    assert study.tell(trial, 1.0).value == 1.0


def test_an_interrupt_of_postgresql_leaves_no_transaction_behind(postgres_server):
    url = postgres_server.new_database()
    log, other = open_storage(url, "mine"), open_storage(url, "mine")
    study = kg.Study(SPACE, storage=log, seed=0)

    def stop(news, now):
        raise Stop

    with pytest.raises(Stop):
        log.amend(1, stop)
    began = time.monotonic()
    other.amend(1, lambda news, now: [])
    assert time.monotonic() - began < 5  # it would wait ten seconds for a lock that is held
    assert study.add({"x": 0.5}, 1.0).number == 0


class Raw:
    def __init__(self):
        self.is_idle, self.is_open = True, True

    def close(self):
        self.is_open = False


def test_a_connection_that_was_left_in_the_middle_is_opened_anew():
    opened = []
    connection = Connection(lambda: opened.append(Raw()) or opened[-1], lambda raw: raw.is_idle)

    def leave(raw, error):
        raw.is_idle = False
        raise error

    for error in (ValueError(), Stop()):
        with pytest.raises(type(error)):
            connection.run(lambda raw, error=error: leave(raw, error))
    connection.run(lambda raw: None)
    with pytest.raises(ValueError, match="of no account"):  # an error between transactions costs nothing
        connection.run(lambda raw: leave(raw, ValueError("of no account")) if False else _raise("of no account"))
    connection.run(lambda raw: None)
    assert [raw.is_open for raw in opened] == [False, False, True]


def _raise(text):
    raise ValueError(text)
