"""What is PostgreSQL's own: a client that stops with the lock in its hands, and errors that are the server's."""

import os
import re
import signal
import socket
import sys
import threading

import psycopg
import pytest

import knowgrad as kg
from knowgrad.errors import StorageError, StorageUnreachableError
from knowgrad.storage import open_storage, outages, postgres, tables
from knowgrad.testing import event, together
from tests.faults.people import CONTEXT, start


@pytest.fixture
def url(postgres_server):
    return postgres_server.new_database()


def stop_while_deciding(url, pipe):
    """Append an event, and fall asleep the first time before it is written."""
    postgres.SESSION["idle_in_transaction_session_timeout"], decisions = "1s", []

    def decide(news, now):
        decisions.append(len(news))
        if len(decisions) == 1:
            pipe.send("stopping")
            os.kill(os.getpid(), signal.SIGSTOP)
        return [event(sum(decisions))]

    open_storage(url, "mine").amend(0, decide)
    pipe.send(decisions)


def test_a_process_that_is_stopped_with_the_lock_loses_it_and_tries_again(url):
    log = open_storage(url, "mine")
    log.append([event(0)])
    ours, theirs = CONTEXT.Pipe()
    process = start(stop_while_deciding, url, theirs)
    assert ours.recv() == "stopping"
    assert log.append([event(1)]) == 2
    os.kill(process.pid, signal.SIGCONT)
    assert ours.recv() == [1, 1]
    process.join()
    assert log.read() == [event(0), event(1), event(2)]


def test_whoever_waits_for_the_lock_too_long_is_told(url, monkeypatch):
    monkeypatch.setenv("KNOWGRAD_PATIENCE", "0.2")
    monkeypatch.setitem(postgres.SESSION, "lock_timeout", "100ms")
    log, other = open_storage(url, "mine"), open_storage(url, "mine")

    def meanwhile(news, now):
        with pytest.raises(StorageUnreachableError, match="lock timeout"):
            other.append([event(0)])
        return [event(1)]

    log.amend(0, meanwhile)
    assert other.read() == [event(1)]


def test_studies_do_not_wait_for_each_other(url):
    one, two = open_storage(url, "one"), open_storage(url, "two")

    def meanwhile(news, now):
        two.append([event(2)])
        return [event(1)]

    one.amend(0, meanwhile)
    assert (one.read(), two.read()) == ([event(1)], [event(2)])


def test_a_change_is_two_messages_and_a_look_is_one(url, monkeypatch):
    study, sent = kg.Study({"x": (0.0, 1.0)}, storage=url, name="mine", seed=0), []

    def counted(kind, execute):
        def counting(self, *args, **options):
            sent.append(kind)
            return execute(self, *args, **options)

        return counting

    monkeypatch.setattr(psycopg.Connection, "execute", counted("look", psycopg.Connection.execute))
    monkeypatch.setattr(psycopg.ClientCursor, "execute", counted("change", psycopg.ClientCursor.execute))
    for call, messages in (
        (lambda: study.enqueue({"x": 0.5}), ["change"] * 2),
        (lambda: study.ask(1), ["change"] * 2),
        (lambda: study.ask(1), ["look"] + ["change"] * 2),  # nothing is queued
        (lambda: study.tell(0, 1.0), ["change"] * 2),
        (lambda: study.trials, ["look"]),
    ):
        sent.clear()
        call()
        assert sent == messages


@pytest.mark.parametrize("point", ["before", "after"])
def test_a_connection_that_breaks_around_the_commit_writes_once(url, point, monkeypatch):
    commit, broken = postgres._Transaction.commit, []

    def breaking(transaction):
        if point == "after":
            commit(transaction)
        if not broken:
            broken.append(transaction)
            raise psycopg.OperationalError("the connection was lost")
        if point == "before":
            commit(transaction)

    study = kg.Study({"x": (0.0, 1.0)}, storage=url, name="mine", seed=0)
    monkeypatch.setattr(postgres._Transaction, "commit", breaking)
    assert study.add({"x": 0.5}, 1.0).number == 0
    assert study.add({"x": 0.25}, 2.0).number == 1
    assert broken
    assert kg.Study.load(url).trials == study.trials
    assert len(study.trials) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="the names of these options are Linux's")
def test_a_silent_server_is_probed(url):
    options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_USER_TIMEOUT)

    def probed(db):
        with socket.socket(fileno=os.dup(db.fileno())) as probe:
            return [probe.getsockopt(socket.IPPROTO_TCP, option) for option in options]

    assert open_storage(url, "mine")._connection.run(probed) == [10, 5, 30_000]


def test_names_are_the_same_in_any_encoding_of_the_client(url):
    for place in (url, f"{url}&client_encoding=latin1"):
        kg.Study({"x": (0.0, 1.0)}, storage=place, name="Größe", seed=0).add({"x": 0.5}, 1.0)
    assert [(study.name, study.events) for study in postgres.studies(url)] == [("Größe", 5)]


def test_a_refusal_is_an_error_at_once(url):
    with pytest.raises(StorageUnreachableError, match="does not exist"):
        open_storage(url.replace("/postgres?", "/nowhere?"), "mine").read()


def test_what_the_server_does_not_allow_is_an_error_of_ours(url):
    open_storage(url, "mine").append([event(0)])
    with pytest.raises(StorageError, match="check its rights"):
        open_storage(f"{url}%20-cdefault_transaction_read_only%3Don", "mine").append([event(1)])
    assert open_storage(url, "mine").read() == [event(0)]


@pytest.mark.parametrize("level", ["serializable", "repeatable read"])
def test_any_isolation_that_a_server_has_by_default_will_do(url, level):
    strict = f"{url}%20-cdefault_transaction_isolation%3D{level.replace(' ', '%5C%20')}"
    studies = [kg.Study({"x": (0.0, 1.0)}, storage=strict, name="mine", seed=0) for _ in range(4)]

    def work(i):
        for k in range(10):
            studies[i].add({"x": k / 10}, k / 10)  # the same from all: nothing to doubt

    together(work, 4)
    assert len(kg.Study.load(strict).trials) == 40


def test_a_server_without_a_free_connection_is_waited_for(postgres_server, url, capfd, monkeypatch):
    monkeypatch.setattr(outages, "QUIET", 0.2)
    name = f"worker_{os.getpid()}"
    with psycopg.connect(postgres_server.url, autocommit=True) as db:
        db.execute(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT 1")
        schema = url.rpartition("%3D")[2]
        db.execute(f"GRANT ALL ON SCHEMA {schema} TO {name}")
        theirs = url.replace("knowgrad@", f"{name}@")
        keeper = psycopg.connect(theirs)
        timer = threading.Timer(1.0, keeper.close)
        timer.start()
        assert open_storage(theirs, "mine").append([event(0)]) == 1
        timer.join()
    assert re.search(
        r"knowgrad: waiting for the database, for 60 s at most \(.*too many connections", capfd.readouterr().err
    )


@pytest.mark.parametrize(
    "said", ["too many clients already", "remaining connection slots are reserved for roles with SUPERUSER"]
)
def test_used_up_slots_are_no_refusal(said):
    assert not outages.is_refusal(f"FATAL:  sorry, {said}")


@pytest.mark.parametrize("host", ["127.0.0.1", "dbhots.invalid"])
def test_a_server_that_never_answered_is_not_waited_for(host, monkeypatch):
    monkeypatch.setattr(outages.time, "sleep", lambda seconds: pytest.fail("it waits"))
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        with pytest.raises(StorageUnreachableError, match=r"(?s)PostgreSQL server at this address.*check the host"):
            kg.Study.load(f"postgresql://x@{host}:{port}/y")


def test_the_patience_of_a_call_is_what_the_environment_says(monkeypatch):
    monkeypatch.setenv("KNOWGRAD_PATIENCE", "0.3")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        address = f"postgresql://x@127.0.0.1:{port}/y"
        outages.has_answered(address)
        with pytest.raises(StorageUnreachableError, match="within 0 s"):
            open_storage(address, "mine").read()
    monkeypatch.setenv("KNOWGRAD_PATIENCE", "soon")
    with pytest.raises(kg.errors.ArgumentError, match="KNOWGRAD_PATIENCE: expected a number of seconds"):
        open_storage("postgresql://x@127.0.0.1:1/y", "mine").read()


def test_tables_of_the_version_before_are_brought_up_to_date(url, postgres_server):
    study = kg.Study({"x": (0.0, 1.0)}, storage=url, name="mine", seed=0)
    (trial,) = study.ask(lease=60.0)
    study.add({"x": 0.5}, 1.0)
    with psycopg.connect(url, autocommit=True) as db:  # as version 1 left them
        db.execute("DROP TABLE knowgrad_leases")
        db.execute("UPDATE knowgrad_schema SET version = 1")
        db.execute("UPDATE knowgrad_studies SET digest = %s", [tables.start("mine")])
    again = kg.Study.load(url)
    assert again.trials == study.trials
    again.renew(trial, lease=120.0)
    assert again.add({"x": 0.25}, 2.0).number == 2
    assert kg.Study.load(url).trials == again.trials
    assert again.pending[0].lease == 120.0
