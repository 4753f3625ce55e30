"""Contexts, averages, tolerances and shared settings over HTTP and on the page."""

import pytest

from knowgrad.errors import ArgumentError, ServiceError
from tests.web.serving import client, serving

SPACE = {
    "t": {"type": "float", "low": 20.0, "high": 90.0},
    "x": {"type": "float", "low": 0.0, "high": 1.0},
    "reactor": {"type": "choice", "options": ["A", "B"]},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


def told(study, trials):
    for trial in trials:
        params = trial["params"]
        study.complete(trial["number"], (params["t"] / 70 - 0.5) ** 2 + params["x"] + 0.3 * (params["reactor"] == "A"))


def test_given_and_shared(service):
    study = client(service).create("oven", SPACE, seed=0)
    trials = study.suggest(4, client_id="a", given={"reactor": "B"}, shared={"t": 2})
    assert {trial["params"]["reactor"] for trial in trials} == {"B"}
    assert len({trial["params"]["t"] for trial in trials}) <= 2
    again = study.suggest(6, client_id="a", shared=["t"])
    assert [trial["number"] for trial in again] == [trial["number"] for trial in trials]
    told(study, trials)
    found = study.recommend(given={"reactor": "A"}, tolerance={"t": 3})
    assert found["params"]["reactor"] == "A"
    assert study.gain(2, given={"reactor": "A"})["q"] == 2
    assert study.recommend()["params"]["reactor"] in "AB"


def test_an_average(service):
    study = client(service).create("recipe", SPACE, seed=0, over={"reactor": {"A": 2, "B": 1}})
    assert study.summary()["over"] == {"reactor": [["A", 2 / 3], ["B", 1 / 3]]}
    told(study, study.suggest(3, client_id="a"))
    assert set(study.recommend()["params"]) == {"t", "x"}
    pairs = client(service).create("windy", SPACE, over={"t": [[30.0, 1], [60.0, 1]]})
    assert {trial["params"]["t"] for trial in pairs.suggest(4, client_id="a")} <= {30.0, 60.0}


def test_what_makes_no_sense_is_refused(service):
    study = client(service).create("bad", SPACE, seed=0)
    before = study.summary()["version"]
    for how in ({"given": {"boiler": 1}}, {"given": {"reactor": "C"}}, {"shared": ["boiler"]}):
        with pytest.raises(ArgumentError):
            study.suggest(2, client_id="a", **how)
    with pytest.raises(ServiceError, match="422"):
        study.suggest(2, client_id="a", shared={"t": 0})
    with pytest.raises(ArgumentError, match="over"):
        client(service).create("worse", SPACE, over={"reactor": {"C": 1}})
    with pytest.raises(ServiceError, match="422"):
        study._get("recommend", given="[1]")
    assert study.summary()["version"] == before


@pytest.mark.usefixtures("usual")
def test_the_page(browser, service):
    study = client(service).create("paged", SPACE, seed=0)
    told(study, study.suggest(6, client_id="a"))
    browser.open(f"{service.address}/study/{study.uid}?token={service.token}")
    browser.wait("return document.querySelectorAll('#ask-params [data-given]').length === 3")
    browser.run("""
        document.querySelectorAll('details').forEach(each => { each.open = true; });
        document.querySelector('#ask-params [data-given=reactor]').value = '1';
        document.querySelector('#ask-params [data-beside=t]').value = '1';
        document.getElementById('ask').elements.count.value = 3;
        document.getElementById('ask').requestSubmit();
        document.querySelector('#use-params [data-given=reactor]').value = '0';
        document.querySelector('#use-params [data-beside=t]').value = '5';
        document.getElementById('use').requestSubmit();
    """)
    browser.wait("return document.getElementById('said').textContent.startsWith('To try')")
    browser.wait("return document.getElementById('used').textContent.includes('reactor = A')")
    new = [trial["params"] for trial in study.trials("pending")]
    assert len(new) == 3
    assert {params["reactor"] for params in new} == {"B"}
    assert len({params["t"] for params in new}) == 1
