"""Named outcomes over HTTP: created, told one by one, recommended, the front."""

import pytest

from knowgrad.errors import ArgumentError, ConflictError, ServiceError
from tests.web.serving import client, serving

SPACE = {"x": {"type": "float", "low": 0.0, "high": 1.0}, "y": {"type": "float", "low": 0.0, "high": 1.0}}
GOALS = {"objectives": {"yield": "maximize", "price": "minimize"}, "limits": ["impurity <= 0.6"]}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


@pytest.fixture(scope="module")
def study(service):
    return client(service).create("oven", SPACE, seed=0, costs={"impurity": 3}, **GOALS)


def test_outcomes_are_told_one_by_one_and_answered(study):
    for trial in study.suggest(8, client_id="a"):
        x, y = trial["params"]["x"], trial["params"]["y"]
        assert study.complete(trial["number"], {"yield": -((x - 0.6) ** 2)})["state"] == "pending"
        told = study.complete(trial["number"], {"price": [x + y, 0.01], "impurity": {"value": x * y, "sem": None}})
        assert told["state"] == "complete"
        assert told["outcomes"]["price"] == {"value": x + y, "sem": 0.01}
    with pytest.raises(ConflictError):
        study.complete(0, {"price": 77})
    with pytest.raises(ArgumentError, match="got \\['mass'\\]"):
        study.add({"x": 0.1, "y": 0.1}, {"mass": 1})
    about = study.summary()
    assert about["limits"] == GOALS["limits"]
    assert about["goals"] == "maximize yield, minimize price, impurity <= 0.6"
    found = study.recommend(chance=0.9, weights={"yield": 1, "price": 0.1})
    assert found["outcomes"].keys() == {"yield", "price", "impurity"}
    assert found["chances"].keys() == set(GOALS["limits"])
    front = study.front()
    assert front["points"]
    assert all(point["chance"] >= 0.95 for point in front["points"])
    name, value = next(iter(front["points"][0]["params"].items()))
    assert {point["params"][name] for point in study.front(given={name: value})["points"]} == {value}
    assert study.recommend(at={"price": "<= 0.5"})["outcomes"]["price"]["mean"] <= 0.51
    assert study.predict([{"x": 0.2, "y": 0.3}])["outcomes"]["price"]["mean"][0] == pytest.approx(0.5, abs=0.05)
    assert "hypervolume" in study.gain(2)["why"]
    chart = study.client.call("GET", f"/api/studies/{study.uid}/charts/front")
    assert chart["data"]
    chart = study.client.call("GET", f'/api/studies/{study.uid}/charts/front?given={{"x":0.25}}&chance=0.5')
    assert chart["layout"]["title"]["text"].startswith("Pareto front with x = 0.25: ")
    for given in ('{"boiler":1}', "[1]", "half"):
        with pytest.raises((ArgumentError, ServiceError), match="given"):
            study.client.call("GET", f"/api/studies/{study.uid}/charts/front?given={given}")


def test_what_is_measured_may_be_said(study):
    asked = study.suggest(1, client_id="b", measure=["yield"])[0]
    assert asked["measure"] == ["yield"]
    assert study.complete(asked["number"], {"yield": 0.1})["state"] == "complete"
    fixed = study.correct(asked["number"], {"yield": 0.2})
    assert fixed["history"][0]["old"]["outcomes"] == {"yield": {"value": 0.1, "sem": None}}
    with pytest.raises((ArgumentError, ServiceError)):
        study.recommend(chance=2)


@pytest.mark.usefixtures("usual")
def test_the_page_takes_outcomes_and_shows_the_chance_of_each_limit(browser, service, study):
    browser.open(f"{service.address}/study/{study.uid}?token={service.token}")
    browser.wait("return document.querySelectorAll('#expected dt').length === 4")
    assert "impurity <= 0.6" in browser.run("return document.getElementById('expected').textContent")
    assert browser.run("return document.getElementById('about').textContent").endswith("impurity <= 0.6")
    browser.run("""
        document.querySelector('#ask [name=measure]').value = '=price';
        document.querySelector('#ask button:not([type=button])').click();
    """)
    browser.wait("return document.getElementById('said').textContent.includes('measure price')")
    browser.wait("return document.querySelectorAll('#tell [name=trial] option').length === 1")
    browser.run("""
        document.querySelector('#tell [data-outcome=price]').value = '0.75';
        document.querySelector('#tell [data-sem=price]').value = '0.01';
        document.querySelector('#tell button[value=complete]').click();
    """)
    browser.wait("return document.getElementById('said').textContent.includes('recorded')")
    assert list(study.trials())[-1]["outcomes"] == {"price": {"value": 0.75, "sem": 0.01}}
    browser.wait("return document.querySelector('#chart-front .js-plotly-plot') !== null", seconds=60)
    browser.wait("return document.body.dataset.drawn === document.body.dataset.version", seconds=60)
    heads = browser.run("return [...document.querySelectorAll('#trials th')].map(head => head.textContent)")
    browser.run("""
        document.querySelector('#use [data-given=x]').value = '0.25';
        document.querySelector('#use button').click();
    """)
    browser.wait("return document.getElementById('used').textContent.includes('x = 0.25')", seconds=60)
    caption = "document.querySelector('#chart-front figcaption').textContent"
    browser.wait(f"return {caption}.endsWith('where x = 0.25')", seconds=60)
    assert heads[:7] == ["Trial", "State", "x", "y", "yield", "price", "impurity"]
    assert not [entry for entry in browser.log() if entry]
