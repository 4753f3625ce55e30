"""A space that changes, and plans, over HTTP and on the page."""

import pytest

from knowgrad.errors import ArgumentError, ConflictError, SpaceError
from tests.web.serving import client, serving

SPACE = {"t": {"type": "float", "low": 20.0, "high": 90.0}, "kind": {"type": "choice", "options": ["a", "b"]}}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("web") / "studies.db") as service:
        yield service


def made(service, name):
    study = client(service).create(name, SPACE, seed=0)
    for trial in study.suggest(6, client_id="a"):
        study.complete(trial["number"], (trial["params"]["t"] / 70 - 1.0) ** 2)
    return study


def test_a_changed_space_is_in_every_answer(service):
    study = made(service, "oven")
    first = study.recommend()
    done = study.change({"t": {"low": 20, "high": 120}, "kind": {"options": ["a", "b", "c"]}}, by="ann", key="k")
    assert done["lines"][0] == "t: Float(20.0, 90.0) → Float(20.0, 120.0)"
    assert study.change({"t": {"low": 20, "high": 120}}, by="ann", key="k") == done
    study.change({"p": {"type": "float", "low": 1, "high": 5}, "kind": None}, earlier={"p": 1.0})
    shown = study.summary()
    assert list(shown["space"]["parameters"]) == ["t", "p"]
    assert [len(change["lines"]) for change in shown["changes"]] == [2, 2]
    assert next(study.trials())["params"]["p"] == 1.0
    (trial,) = study.suggest(1, client_id="b")
    assert set(trial["params"]) == {"t", "p"}
    assert set(study.recommend()["params"]) == {"t", "p"} != set(first["params"])
    assert len(study.predict([{"t": 119.0, "p": 2.0}])["mean"]) == 1


def test_what_makes_no_sense_is_refused(service):
    study = made(service, "bad")
    before = study.summary()["version"]
    with pytest.raises(SpaceError, match="swap them"):
        study.change({"t": {"low": 9, "high": 1}})
    with pytest.raises(SpaceError, match="keep the options"):
        study.change({"kind": {"options": ["c"]}})
    with pytest.raises(SpaceError, match="no file is read here"):
        study.change({"kind": {"options": ["a", "b"], "features": "/etc/passwd"}})
    assert study.summary()["version"] == before
    study.change({"t": {"high": 95}}, key="k")
    with pytest.raises(ConflictError):
        study.change({"t": {"high": 95}}, key="k", by="bob")


def test_a_plan(service):
    study = made(service, "money")
    found = study.plan(12, setup=3)
    assert found["q"] in [option["q"] for option in found["options"]]
    assert found["words"].startswith("Ask for")
    figure = study.client.call("GET", f"/api/studies/{study.uid}/charts/plan?budget=12&setup=3")
    assert len(figure["data"]) == len(found["options"])
    with pytest.raises(ArgumentError, match="budget"):
        study.plan(1, setup=3)


@pytest.mark.usefixtures("usual")
def test_the_page_takes_up_the_new_space_and_changes_it(browser, service):
    study = made(service, "paged")
    browser.open(f"{service.address}/study/{study.uid}?token={service.token}")
    browser.wait("return document.querySelectorAll('#add-params [data-param]').length === 2")
    study.change({"p": {"type": "float", "low": 1, "high": 5}}, earlier={"p": 1.0}, by="ann")
    browser.wait("return document.querySelectorAll('#add-params [data-param]').length === 3")
    browser.wait("return document.getElementById('settings').textContent.includes('p: new, Float(1.0, 5.0)')")
    browser.run("""
        document.querySelectorAll('details').forEach(each => { each.open = true; });
        const form = document.getElementById('change');
        form.elements.which.value = 't';
        form.elements.which.dispatchEvent(new Event('change'));
        form.elements.high.value = '130';
        form.requestSubmit();
    """)
    browser.wait("return document.getElementById('changed').textContent.includes('Float(20.0, 130.0)')")
    browser.wait("return document.getElementById('settings').textContent.includes('20 to 130')")
    browser.run("""
        const plan = document.getElementById('plan');
        plan.elements.budget.value = '6';
        plan.elements.setup.value = '2';
        plan.requestSubmit();
    """)
    browser.wait("return document.getElementById('planned').textContent.startsWith('Ask for')")
    browser.wait("return document.querySelectorAll('#plan-table tbody tr').length >= 3")
