"""Mixtures, candidates and descriptors over HTTP."""

import pytest

from knowgrad.errors import SpaceError, UnknownTrialError
from tests.web.serving import client, serving

FIDELITY = {"type": "fidelity", "low": 1, "high": 9}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


def test_a_mixture(service):
    mixture = {"type": "mixture", "names": ["sand", "lime", "water"], "total": 1.0, "at_most": 2, "step": 0.05}
    study = client(service).create("mixture", {"t": {"type": "float", "low": 0, "high": 1}}, constraints=[mixture])
    for trial in study.suggest(3, client_id="lab"):
        amounts = [trial["params"][name] for name in mixture["names"]]
        assert sum(amounts) == pytest.approx(1.0)
        assert sum(amount > 0 for amount in amounts) <= 2
    assert study.summary()["space"]["constraints"] == [mixture]
    with pytest.raises(SpaceError, match="remove what is wrong"):
        client(service).create("wrong", {}, constraints=[{**mixture, "least": 3}])


def test_candidates(service):
    rows = {"names": ["name", "x"], "features": ["x"], "rows": [[f"m{i}", i * i] for i in range(9)]}
    made = client(service).call("POST", "/api/studies", {"name": "list", "space": {"candidates": rows}})
    assert made["space"]["candidates"] == {"n": 9}
    assert made["space"]["parameters"] == {"name": {"type": "label"}, "x": {"type": "feature"}}
    for wrong, said in (("/etc/passwd", "write for example"), ({**rows, "beside": [1]}, "beside: expected a table")):
        with pytest.raises(SpaceError, match=said):
            client(service).call("POST", "/api/studies", {"name": "no", "space": {"candidates": wrong}})


def test_only_a_trial_that_is_there_may_be_worth_continuing(service):
    made = client(service).create("curves", {"x": {"type": "float", "low": 0, "high": 1}, "e": FIDELITY})
    (trial,) = made.suggest(1, client_id="lab")
    path = "/api/studies/curves/trials/{}/continue"
    assert client(service).call("GET", path.format(trial["number"]))["worth_continuing"] is True
    with pytest.raises(UnknownTrialError, match=r"\(there are 1\), got 1; take it from trials"):
        client(service).call("GET", path.format(1))


def test_descriptors(service):
    choice = {"type": "choice", "options": ["a", "b", "c"], "features": [[1.0], [2.0], [4.0]]}
    made = client(service).create("described", {"c": choice})
    assert made.summary()["space"]["parameters"]["c"]["features"] == 1
    with pytest.raises(SpaceError, match="no file is read"):
        client(service).create("file", {"c": {**choice, "features": "/etc/passwd"}})
