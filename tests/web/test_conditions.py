"""Parameters that exist only sometimes, over HTTP and on the page."""

import pytest

import knowgrad as kg
from knowgrad.errors import SpaceError
from tests.web.serving import client, serving
from tests.web.test_bench import fill, focus, press, said

PARAMETERS = {
    "mixer": {"type": "choice", "options": ["hand", "disc"]},
    "speed": {"type": "float", "low": 1.0, "high": 9.0, "when": {"mixer": ["disc"]}},
    "coats": {"type": "int", "low": 1, "high": 3},
    "wait": {"type": "float", "low": 1.0, "high": 9.0, "when": "coats >= 2"},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


def test_over_http(service):
    made = client(service).create("http", PARAMETERS, seed=0, method="sobol")
    assert made.summary()["space"]["parameters"]["speed"]["when"] == {"mixer": ["disc"]}
    for trial in made.suggest(8, client_id="one"):
        assert ("speed" in trial["params"]) == (trial["params"]["mixer"] == "disc")
        assert ("wait" in trial["params"]) == (trial["params"]["coats"] >= 2)
        made.complete(trial["number"], 1.0)
    for params, words in (
        ({"mixer": "hand", "coats": 1, "wait": 2.0}, "leave it out"),
        ({"mixer": "disc", "coats": 1}, "add it"),
    ):
        with pytest.raises(SpaceError, match=words):
            made.add(params, 1.0)
    wrong = {**PARAMETERS, "speed": {**PARAMETERS["speed"], "when": "mixer > 1"}}
    with pytest.raises(SpaceError, match="which has no order"):
        client(service).create("wrong", wrong)
    assert len(kg.Study.load(service.storage, "http").trials) == 8


@pytest.mark.usefixtures("usual")
def test_on_the_page(browser, service):
    browser.open(service.entrance)
    browser.wait("return !document.getElementById('create').hidden")
    press(browser, "#create summary")
    fill(browser, "#new [name=name]", "paint")
    fields = "#parameters fieldset:nth-child({}) [name={}]".format
    fill(browser, fields(1, "param"), "mixer")
    focus(browser, fields(1, "kind")).send_keys("choice")
    fill(browser, fields(1, "options"), "hand\ndisc\n")
    press(browser, "#more")
    for name, text in (("param", "speed"), ("low", "1"), ("high", "9"), ("when", "mixer: vane")):
        fill(browser, fields(2, name), text)
    press(browser, "#new button:not([type])")
    said(browser, "expected one of", "said")
    fill(browser, fields(2, "when"), "mixer: disc")
    press(browser, "#new button:not([type])")
    browser.wait("return document.querySelector('#name')?.textContent === 'paint'")
    study = kg.Study.load(service.storage, "paint")
    assert study.space == kg.Space({"mixer": ["hand", "disc"], "speed": kg.Float(1, 9, when={"mixer": "disc"})})
    browser.wait("return document.getElementById('settings').textContent.includes('where mixer is disc')")
    hidden = "return document.querySelector('#add [data-param=speed]')?.closest('label').hidden"
    browser.wait(hidden)
    fill(browser, "#add [name=value]", "2.5")
    press(browser, "#add button")
    said(browser, "Trial 0: added", "said")
    focus(browser, "#add [data-param=mixer]").send_keys("disc")
    assert not browser.run(hidden)
    fill(browser, "#add [data-param=speed]", "4")
    fill(browser, "#add [name=value]", "2.25")
    press(browser, "#add button")
    said(browser, "Trial 1: added", "said")
    assert [dict(trial.params) for trial in study.trials] == [{"mixer": "hand"}, {"mixer": "disc", "speed": 4.0}]
    row = "return document.querySelector('[data-trial=\"0\"]')?.textContent"
    assert "undefined" not in browser.wait(row)
