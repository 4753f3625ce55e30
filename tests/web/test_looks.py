"""Costs, learning curves and paused runs on the page, in a real browser."""

import pytest

import knowgrad as kg
from tests.web.serving import serving

pytestmark = pytest.mark.usefixtures("usual")
LAST = 20


def value(x, epochs):
    return (x - 0.3) ** 2 + 0.5 / epochs


@pytest.fixture(scope="module")
def storage(tmp_path_factory):
    path = tmp_path_factory.mktemp("looks") / "studies.db"
    space = {"x": (0.0, 1.0), "epochs": kg.Fidelity(1, LAST), "by": kg.Source(["desk", "rig"], target="rig")}
    study = kg.Study(space, storage=path, name="net", seed=0, noise=0, cost="learned")
    for i, x in enumerate((0.0, 0.2, 0.45, 0.7, 0.9)):
        for epochs in (1, LAST)[: 1 + i % 2]:
            study.add({"x": x, "epochs": epochs, "by": "rig"}, value(x, epochs), check=False)
    for x, end in ((0.3, study.pause), (0.95, study.stop)):
        study.enqueue({"x": x, "epochs": LAST, "by": "rig"})
        trial = study.ask()[0]
        for at in (2, 5, 8):
            study.report(trial, at=at, value=value(x, at))
        end(trial, cost=8.0, reason="its rest is worth less than another point")
    study.enqueue({"x": 0.25, "epochs": LAST, "by": "rig"})
    study.ask(worker="gpu-1")
    study.report(len(study.trials) - 1, at=3, value=value(0.25, 3))
    study.report(len(study.trials) - 1, at=6, value=value(0.25, 6))
    return path


@pytest.fixture(scope="module")
def service(storage):
    with serving(storage) as service:
        yield service


@pytest.fixture
def page(browser, service):
    browser.open(f"{service.address}/study/net?token={service.token}")
    browser.wait("return document.body.dataset.version")
    return browser


def test_the_page_shows_costs_curves_and_why_runs_ended(page, storage):
    page.drawn()
    study = kg.Study.load(storage)
    page.picture("looks")
    page.run("document.getElementById('chart-curves').scrollIntoView()")
    page.picture("looks-curves")
    assert page.text("#spent") == "16"
    price = page.text("#price")
    assert "its price" in price
    assert "gain per cost" in price
    assert "reported" in page.text("#running")
    assert "gpu-1" in page.text("#running")
    heads = page.text("#continuing")
    assert "Best alternative, per cost" in heads
    assert "continue" in heads  # what a user queued is never ended
    of = "document.querySelector('#chart-curves .chart').data"
    traces = page.run(f"return {of}.map(each => each.hovertext || each.mode)")
    assert sum("its rest is worth less" in each for each in traces) == 2
    assert page.run(f"return {of}.filter(each => each.fill).length") == 1
    assert page.run("return document.querySelector('#chart-fidelity .chart').data.length") == 2
    assert "its rest is worth less" in page.text("#trials")
    paused = next(trial for trial in study.trials if trial.paused)
    page.run("document.querySelector(`[data-trial='${arguments[0]}'] button`).click()", paused.number)
    facts = page.text("#trial-facts")
    assert "Why it ended" in facts
    assert "it can be continued" in facts
    assert page.run("return window.hacked") is None


def test_a_run_is_reported_paused_and_continued_by_hand(page, storage):
    study = kg.Study.load(storage)
    running = study.pending[0]
    form = "document.getElementById('tell').elements"
    page.wait("return !document.querySelector('[value=report]').hidden")
    page.run(f"{form}.trial.value = arguments[0]; {form}.value.value = '0.05'; {form}.at.value = '12'", running.number)
    page.run("document.querySelector('[value=report]').click()")
    page.until(lambda: kg.Study.load(storage).trials[running.number].curve[-1] == (12, 0.05))
    page.wait("return document.getElementById('said').textContent.includes('recorded')")
    page.run(f"{form}.trial.value = arguments[0]; document.querySelector('[value=pause]').click()", running.number)
    page.until(lambda: kg.Study.load(storage).trials[running.number].paused)
    row = f"document.querySelector(`[data-trial='{running.number}']`)"
    page.wait(f"return {row}?.className === 'complete'")
    page.run(f"{row}.querySelector('button').click()")
    page.wait("return !document.getElementById('resume').hidden")
    page.run("document.getElementById('resume').elements.at.value = '15'")
    page.run("document.querySelector('#resume button').click()")
    page.until(lambda: kg.Study.load(storage).trials[-1].continues == running.number)
    queued = kg.Study.load(storage).trials[-1]
    assert (queued.state, queued.params["epochs"]) == ("queued", 15)
