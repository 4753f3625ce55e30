"""The HTTP API through a real socket, with the package's own client."""

import json
import socket
import threading
import time
from typing import get_args
from urllib.parse import quote

import pytest

import knowgrad as kg
from benchmarks.service.hostile import redirecting, shown_elsewhere
from knowgrad.advisor.options import DIRECTIONS, FITS
from knowgrad.errors import (
    ArgumentError,
    ConflictError,
    MismatchError,
    NoDataError,
    ServiceError,
    SpaceError,
    UnknownStudyError,
    UnknownTrialError,
)
from knowgrad.plots import THEMES
from knowgrad.storage.naming import rename_study
from knowgrad.web import queries, requests, turns
from knowgrad.web.client import Client
from knowgrad.web.operations import OPERATIONS
from tests.web.serving import authorized, client, raw, serving

X = {"x": {"type": "float", "low": 0.0, "high": 1.0}, "c": {"type": "choice", "options": ["a", "b"]}}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


@pytest.fixture
def study(service, request):
    return client(service).create(request.node.name, X, seed=0, method="sobol")


def tell(study, trials):
    for trial in trials:
        study.complete(trial["number"], trial["params"]["x"] ** 2)


def test_a_study_from_beginning_to_end(service):
    made = client(service).create("whole", X, direction="maximize", seed=3, noise=0.1)
    for _ in range(2):
        tell(made, made.suggest(4, client_id="one"))
    found = made.recommend()
    here = kg.Study.load(service.storage, "whole")
    assert found["params"] == here.recommend().params
    assert found["mean"] == here.recommend().mean
    gain = made.gain(2)
    assert gain["value"] == here.gain(2).value
    assert gain["answer"] in ("yes", "maybe", "no")
    assert made.summary()["counts"] == {
        "queued": 0,
        "pending": 0,
        "complete": 8,
        "failed": 0,
        "expired": 0,
        "discarded": 0,
    }
    assert [each["name"] for each in client(service).studies() if each["uid"] == made.uid] == ["whole"]


def test_creating_again_opens_and_another_space_is_refused(service, study, request):
    again = client(service).create(request.node.name, X, seed=0)
    assert again.uid == study.uid
    assert client(service).study(request.node.name).uid == study.uid
    with pytest.raises(MismatchError, match="x: recorded"):
        client(service).create(request.node.name, {"y": X["x"]})


def test_a_client_gets_its_active_trials_first(study):
    first = study.suggest(2, client_id="one")
    assert study.suggest(2, client_id="one") == first
    more = study.suggest(3, client_id="one")
    assert more[:2] == first
    assert len(more) == 3
    other = study.suggest(2, client_id="two")
    assert not {trial["number"] for trial in other} & {trial["number"] for trial in more}
    assert {trial["worker"] for trial in other} == {"two"}


def test_a_key_gets_the_same_answer_again_even_after_the_result(study):
    first = study.suggest(2, client_id="one", key="k1")
    tell(study, first)
    again = study.suggest(2, client_id="one", key="k1")
    assert [trial["number"] for trial in again] == [trial["number"] for trial in first]
    assert {trial["state"] for trial in again} == {"complete"}
    assert study.suggest(2, client_id="one", key="k2") != again


def test_a_key_stands_for_one_request(study):
    first = study.suggest(2, client_id="one", key="k", lease=100)
    for other in ({"count": 3, "lease": 100}, {"count": 2}, {"count": 2, "lease": 50}):
        with pytest.raises(ConflictError, match="take another key"):
            study.suggest(client_id="one", key="k", **other)
    assert study.suggest(2, client_id="one", key="k", lease=100) == first
    assert study.suggest(1, client_id="two", key="k") != first[:1]


def test_a_key_is_free_again_when_nothing_came_of_it(service):
    made = client(service).create("bell", X, method="sobol")
    with pytest.raises(ArgumentError, match="worker: expected a printable text"):
        made.suggest(1, client_id="\x07", key="k")
    with pytest.raises(ArgumentError, match="worker: expected a printable text"):
        made.suggest(2, client_id="\x07", key="k")


def test_repeated_requests_at_once_are_one(study):
    answers = []

    def ask():
        answers.append(study.suggest(2, client_id="one", key="same"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers)
    assert study.summary()["counts"]["pending"] == 2


def test_complete_fail_renew_stop_add_and_enqueue(study):
    a, b, c = study.suggest(3, client_id="one", lease=100)
    assert study.complete(a["number"], 0.5, 0.1)["sem"] == 0.1
    assert study.complete(a["number"], 0.5, 0.1)["state"] == "complete"
    with pytest.raises(ConflictError, match="the first stands"):
        study.complete(a["number"], 0.6)
    assert study.fail(b["number"], "spilled")["reason"] == "spilled"
    renewed = study.renew(c["number"], 1_000)
    assert renewed["deadline"] > c["deadline"] + 500
    assert study.stop(c["number"])["state"] == "expired"
    assert study.add({"x": 0.25, "c": "a"}, 2.0)["source"] == "added"
    assert study.enqueue({"x": 0.75, "c": "b"})["state"] == "queued"
    assert study.suggest(1, client_id="two")[0]["params"] == {"x": 0.75, "c": "b"}


@pytest.mark.parametrize("name", ["a/b", "a/b/trials", "50%", "%2F", "ü ß?&#", "a b", "..x", "/"])
def test_any_name_can_be_asked_for(service, name):
    made = client(service).create(name, X, seed=0)
    found = client(service).study(name)
    assert found.uid == made.uid
    assert found.summary()["name"] == name
    status, _, page = raw(service, "GET", f"/study/{quote(name, safe='')}", headers=authorized(service))
    assert status == 200
    assert b"<h1 id=" in page


def test_a_name_that_is_the_uid_of_another_study_never_leads_to_the_wrong_one(service):
    first = client(service).create("first", X, seed=0)
    with pytest.raises(ArgumentError, match="not the uid of a study"):
        client(service).create(first.uid, {"y": X["x"]}, seed=0)
    other = kg.Study({"y": (0.0, 1.0)}, storage=service.storage, name=first.uid, seed=0)  # Python takes any name
    assert first.summary()["name"] == "first"  # in an address the uid wins
    named = client(service).study(first.uid)  # the client is asked for a name
    assert named.summary()["name"] == first.uid
    assert list(named.summary()["space"]["parameters"]) == ["y"] == list(other.space.to_dict()["parameters"])


@pytest.mark.parametrize("kind", [[], {}, None, 1, ["float"], {"float": 1}])
def test_an_odd_type_of_a_parameter_is_refused(service, kind):
    with pytest.raises(SpaceError, match="expected a table with type"):
        client(service).create("odd", {"x": {**X["x"], "type": kind}})


def test_the_choices_of_requests_are_those_of_studies():
    assert get_args(requests.Direction) == DIRECTIONS
    assert get_args(requests.Fit) == FITS
    assert get_args(queries.Theme) == THEMES


def test_trials_come_in_pages(study):
    for i in range(12):
        study.add({"x": i / 12, "c": "a"}, float(i))
    pages, after = [], None
    while True:
        query = "?limit=5" + ("" if after is None else f"&after={after}")
        page = study.client.call("GET", f"/api/studies/{study.uid}/trials{query}")
        pages.append([trial["number"] for trial in page["trials"]])
        after = page["next"]
        if after is None:
            break
    assert pages == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]
    assert len(list(study.trials())) == 12
    assert list(study.trials("failed")) == []


def test_charts_and_diagnostics_are_served(study):
    tell(study, study.suggest(6, client_id="one"))
    drawn = study.client.call("GET", f"/api/studies/{study.uid}/charts/importance?theme=dark")
    assert drawn["data"]
    assert drawn["layout"]["xaxis"]
    words = study.client.call("GET", f"/api/studies/{study.uid}/diagnostics")
    assert "noise sd" in words["text"]
    with pytest.raises(ArgumentError, match="expected no options but none, got q"):
        study.client.call("GET", f"/api/studies/{study.uid}/charts/importance?q=2")


def test_answers_are_kept_until_the_study_changes(service, study):
    tell(study, study.suggest(4, client_id="one"))
    assert study.recommend() == study.recommend()
    before = study.recommend()["n_observed"]
    study.add({"x": 0.1, "c": "b"}, -5.0)
    assert study.recommend()["n_observed"] == before + 1


def test_results_of_another_process_are_seen(service, study, request):
    there = kg.Study.load(service.storage, request.node.name)
    there.add({"x": 0.5, "c": "a"}, 1.0)
    assert study.summary()["counts"]["complete"] == 1


def test_refusals_arrive_as_the_errors_they_are(service, study):
    with pytest.raises(NoDataError, match="at least one result"):
        study.recommend()
    with pytest.raises(UnknownStudyError):
        client(service).study("nothing")
    with pytest.raises(UnknownTrialError):
        study.complete(999, 1.0)
    with pytest.raises(SpaceError, match="got no value for"):
        study.add({"x": 0.5}, 1.0)
    with pytest.raises(SpaceError, match="expected a table with type"):
        client(service).create("bad", {"x": {"type": "pickle"}})
    with pytest.raises(ServiceError, match="HTTP 401"):
        Client(service.address, "wrong").studies()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"[]", 422),
        (b'{"value": NaN}', 422),
        (b'{"value": Infinity}', 422),
        (b'{"value": "1.5"}', 422),
        (b'{"value": true}', 422),
        (b'{"value": 1e999}', 422),
        (b'{"value": 1, "other": 2}', 422),
        (b'{"value": 1, "sem": -1}', 422),
        (b'{"value": 1', 422),
        (b"\xff\xfe", 422),
        (b'{"value": ' + b"1" * 5_000 + b"}", 422),
    ],
)
def test_bad_bodies_are_refused_and_change_nothing(service, study, body, status):
    (trial,) = study.suggest(1, client_id="one")
    path = f"/api/studies/{study.uid}/trials/{trial['number']}/complete"
    got, _, answer = raw(service, "POST", path, body, authorized(service))
    assert got == status
    assert json.loads(answer)["error"]["message"]
    assert study.summary()["counts"]["pending"] == 1


def test_the_token_follows_no_redirect():
    assert shown_elsewhere(2) == []


def test_a_redirect_is_an_error_that_names_the_place():
    with redirecting("http://elsewhere.example/api") as address, pytest.raises(ServiceError, match="pass its address"):
        Client(address, "token").studies()


def test_no_code_is_taken_as_a_feasible_function(service):
    body = {"name": "f", "space": {"parameters": X, "constraints": [], "feasible": True}}
    with pytest.raises(ServiceError, match="no code is taken"):
        client(service).call("POST", "/api/studies", body)


def test_the_document_names_every_operation(service):
    told = client(service).call("GET", "/api/openapi.json")
    assert sum(len(methods) for methods in told["paths"].values()) == len(OPERATIONS)
    names = [each["operationId"] for methods in told["paths"].values() for each in methods.values()]
    assert len(set(names)) == len(names)


def test_quick_answers_do_not_wait_for_slow_ones(service):
    """While models are being fitted, the version of another study is told."""
    slow = client(service).create("slow", X, seed=0)
    for i in range(300):
        slow.add({"x": i / 300, "c": "ab"[i % 2]}, float(i % 7))
    done = threading.Event()

    def fit():
        slow.client.call("GET", f"/api/studies/{slow.uid}/charts/gain?q=4&checkpoints=6")
        done.set()

    thread = threading.Thread(target=fit)
    thread.start()
    answers = 0
    while not done.is_set():
        slow.client.call("GET", f"/api/studies/{slow.uid}/version")
        answers += 1
    thread.join()
    assert answers >= 10


def test_a_question_is_dropped_when_its_client_hangs_up(service, monkeypatch):
    """Where one question may wait in all, the next one is refused until nobody waits for the first any more."""
    monkeypatch.setattr(turns, "WAITING", 1)
    monkeypatch.setattr(turns, "GRACE", 0.01)
    slow, quick = (client(service).create(name, X, seed=0) for name in ("hung up", "next"))
    for i in range(200):
        slow.add({"x": i / 200, "c": "ab"[i % 2]}, float(i % 7))
    quick.add({"x": 0.5, "c": "a"}, 1.0)
    lines = [f"GET /api/studies/{slow.uid}/charts/gain?q=16&checkpoints=24 HTTP/1.1"]
    lines += [f"Host: 127.0.0.1:{service.port}", f"Authorization: Bearer {service.token}", "", ""]
    with socket.create_connection(("127.0.0.1", service.port), timeout=0.5) as wire:
        wire.sendall("\r\n".join(lines).encode())
        with pytest.raises(TimeoutError):  # it is being computed
            wire.recv(1)
        with pytest.raises(ServiceError, match="ask again later"):
            quick.recommend()
    assert answered(quick)["n_observed"] == 1


def answered(study):
    """What is recommended, once there is room for the question."""
    for _ in range(400):
        try:
            return study.recommend()
        except ServiceError:
            time.sleep(0.05)
    raise AssertionError("nobody waits for the first question, and the second is still refused")


HALF = kg.Space({"x": (0.0, 1.0)}, feasible=lambda params: params["x"] < 0.5)


@pytest.mark.parametrize(
    ("space", "noise", "missing"), [(HALF, 0.1, "feasible"), ({"x": (0.0, 1.0)}, lambda params: 0.1, "noise")]
)
def test_a_study_with_a_function_in_it_can_be_looked_at(tmp_path, space, noise, missing):
    study = kg.Study(space, storage=tmp_path / "f.db", name="f", seed=0, noise=noise)
    study.add({"x": 0.25}, 1.0)
    with serving(tmp_path / "f.db") as service:
        there = client(service).study("f")
        assert there.summary()["counts"]["complete"] == 1
        assert missing in there.summary()["limited"]
        assert there.client.call("GET", f"/api/studies/{there.uid}/charts/parallel")["data"]
        refused = (
            there.recommend,
            there.gain,
            lambda: there.suggest(1, client_id="one"),
            lambda: there.add({"x": 0.75}, 1),
        )
        for request in refused:
            with pytest.raises(ArgumentError, match="only its trials are shown"):
                request()


def test_a_damaged_file_is_said_to_be_one(tmp_path):
    (tmp_path / "bad.db").write_bytes(b"no database at all" * 1_000)
    with serving(tmp_path / "bad.db") as service:
        status, _, answer = raw(service, "GET", "/api/studies", headers=authorized(service))
        assert status == 503
        assert json.loads(answer)["error"]["type"] == "CorruptStorageError"


def test_correct_discard_restore_and_note(study):
    a, b = study.suggest(2, client_id="one")
    study.complete(a["number"], 4.88, 0.3)
    study.fail(b["number"], "spilled")
    corrected = study.correct(a["number"], 48.8, reason="decimal point", by="lab", key="k")
    assert (corrected["value"], corrected["sem"]) == (48.8, 0.3)
    assert study.correct(a["number"], 48.8, sem=None)["sem"] is None
    assert study.correct(a["number"], 48.8, reason="decimal point", by="lab", key="k")["sem"] is None
    assert study.correct(b["number"], 47.0)["state"] == "complete"
    assert study.correct(b["number"], failed="spilled after all")["reason"] == "spilled after all"
    assert study.discard(b["number"], "never done", by="rig", key="d")["state"] == "discarded"
    assert study.summary()["counts"]["discarded"] == 1
    assert study.restore(b["number"], by="lab")["state"] == "failed"
    noted = study.note(a["number"], "new batch of sand", by="Cy")
    assert noted["notes"] == ["new batch of sand"]
    first = noted["history"][0]
    assert (first["kind"], first["by"], first["reason"]) == ("corrected", "lab", "decimal point")
    assert (first["old"]["value"], first["new"]["value"]) == (4.88, 48.8)
    with pytest.raises(ConflictError, match="corrected: that stands"):
        study.complete(a["number"], 4.88, 0.3)
    with pytest.raises(ConflictError, match="take another key"):
        study.correct(a["number"], 48.9, key="k")
    with pytest.raises(ArgumentError, match="expected a value, or failed="):
        study.correct(a["number"])
    with pytest.raises(UnknownTrialError):
        study.discard(99, "no such trial")


def test_a_correction_is_in_the_next_answer(study):
    for trial in study.suggest(8, client_id="one"):
        study.complete(trial["number"], trial["params"]["x"])
    first = study.recommend()
    study.correct(3, -0.5)
    assert study.recommend()["mean"] != first["mean"]
    study.discard(3, "nonsense")
    assert study.recommend()["n_observed"] == 7


def test_a_study_is_renamed_and_deleted(service):
    made, other = (client(service).create(name, X, seed=0, method="sobol") for name in ("to rename", "to stay"))
    tell(made, made.suggest(4, client_id="one"))
    assert made.rename("renamed")["name"] == "renamed"
    assert made.summary()["counts"]["complete"] == 4
    assert made.recommend()["n_observed"] == 4
    with pytest.raises(ArgumentError, match="name: expected one that no study"):
        made.rename("to stay")
    with pytest.raises(ArgumentError, match="not the uid of a study"):
        made.rename(other.uid)
    with pytest.raises(ServiceError, match="HTTP 409: name: expected 'renamed'"):
        made.delete("to stay")
    assert made.delete("renamed") == {"name": "renamed", "uid": made.uid}
    with pytest.raises(UnknownStudyError):
        made.summary()
    assert other.summary()["name"] == "to stay"


def test_a_study_that_was_renamed_elsewhere_is_found_by_its_uid(service):
    made = client(service).create("here", X, seed=0, method="sobol")
    tell(made, made.suggest(4, client_id="one"))
    assert made.recommend()["n_observed"] == 4
    rename_study(service.storage, "here", "there")
    assert made.summary()["name"] == "there"
    assert made.recommend()["n_observed"] == 4
    assert client(service).study("there").uid == made.uid
