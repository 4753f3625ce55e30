"""The page for a person at a bench, by keyboard: past results, corrections, notes, new studies, the table of trials."""

import csv

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import knowgrad as kg
from knowgrad.storage import studies
from tests.web.serving import serving

pytestmark = pytest.mark.usefixtures("usual")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
SPACE = {"temperature": (20.0, 90.0), "stirs": kg.Int(1, 9), "catalyst": ["A", "B"]}
VALUES = [41.0, 44.5, 47.0, 4.88, 43.0, 46.0]


@pytest.fixture
def storage(tmp_path):
    study = kg.Study(SPACE, storage=tmp_path / "lab.db", name="yield", direction="maximize", seed=3)
    for trial, value in zip(study.ask(6), VALUES, strict=True):
        study.tell(trial, value, check=False)
    study.fail(study.ask(1)[0], "=cmd(1) spilled")
    return tmp_path / "lab.db"


@pytest.fixture
def service(storage):
    with serving(storage) as service:
        yield service


@pytest.fixture
def page(browser, service):
    browser.open(f"{service.address}/study/yield?token={service.token}")
    browser.wait("return document.body.dataset.version")
    return browser


def violations(page):
    found = Axe().run(page.driver, options=RULES)["violations"]
    return [(each["id"], [node["html"][:100] for node in each["nodes"]]) for each in found]


def focus(page, selector):
    page.run("document.querySelector(arguments[0]).focus()", selector)
    return page.driver.switch_to.active_element


def press(page, selector):
    """With the keyboard, whatever has the focus: tables are drawn anew now and then, and keep it."""
    focus(page, selector)
    ActionChains(page.driver).send_keys(Keys.ENTER).perform()


def fill(page, selector, text):
    field = focus(page, selector)
    field.clear()
    field.send_keys(text)


def said(page, words, where="trial-said"):
    page.wait("return document.getElementById(arguments[0]).textContent.includes(arguments[1])", where, words)


def numbers(page):
    return page.run("return [...document.querySelectorAll('#trials tbody tr')].map(row => Number(row.dataset.trial))")


def test_a_wrong_value_is_corrected_after_a_confirmation(page, storage):
    press(page, "[data-trial='3'] button")
    assert page.find("#trial").is_displayed()
    assert "recorded: 4.88" in page.text("#trial-history")
    assert violations(page) == []
    press(page, "#correct button")
    said(page, "expected a number")
    fill(page, "#correct [name=value]", "48,8")
    press(page, "#correct button")
    said(page, "write 48.8")
    fill(page, "#correct [name=value]", "48.8")
    press(page, "#correct button")
    said(page, "say what was wrong")
    fill(page, "#correct [name=reason]", "a slip of the decimal point")
    fill(page, "#by", "lab")
    press(page, "#correct button")
    assert "reads 4.88. Replace that by 48.8?" in page.text("#question")
    assert page.run("return document.activeElement.id") == "confirm-yes"
    assert violations(page) == []
    press(page, "#confirm-no")
    said(page, "Nothing was changed")
    study = kg.Study.load(storage)
    assert study.trials[3].value == 4.88
    press(page, "#correct button")
    press(page, "#confirm-yes")
    said(page, "Corrected")
    trial = study.trials[3]
    assert trial.value == 48.8
    assert [(change.kind, change.by, change.reason) for change in trial.history] == [
        ("corrected", "lab", "a slip of the decimal point")
    ]
    assert "corrected by lab from 4.88 to 48.8: a slip of the decimal point" in page.text("#trial-history")
    page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert not page.find("#trial").is_displayed()
    page.wait("return document.querySelector('[data-trial=\"3\"]').textContent.includes('48.8')")


def test_a_trial_is_discarded_restored_and_annotated(page, storage):
    study = kg.Study.load(storage)
    press(page, "[data-trial='2'] button")
    press(page, "#discard button")
    said(page, "say why it is not to count")
    fill(page, "#discard [name=reason]", "the same twice")
    press(page, "#discard button")
    press(page, "#confirm-yes")
    said(page, "Discarded")
    assert study.trials[2].state == "discarded"
    assert page.find("#restore").is_displayed()
    assert not page.find("#correct").is_displayed()
    fill(page, "#note [name=text]", "<b>new</b> flask")
    press(page, "#note button")
    said(page, "Noted")
    press(page, "#restore button")
    said(page, "Restored")
    trial = study.trials[2]
    assert (trial.state, trial.value) == ("complete", 47.0)
    assert trial.notes == ("<b>new</b> flask",)
    assert [change.kind for change in trial.history] == ["discarded", "noted", "restored"]
    assert "noted: <b>new</b> flask" in page.text("#trial-history")
    press(page, "#trial-close")
    page.wait("return document.querySelector('[data-trial=\"2\"]').textContent.includes('<b>new</b> flask')")


def test_a_trial_fits_a_phone(browser, service):
    browser.screen(360, 740, phone=True)
    browser.open(f"{service.address}/study/yield?token={service.token}")
    browser.wait("return document.querySelector('[data-trial=\"3\"]')")
    press(browser, "[data-trial='3'] button")
    box = browser.wait("return document.getElementById('trial').getBoundingClientRect().toJSON()")
    assert box["left"] >= 0
    assert box["right"] <= 360
    browser.picture("trial-phone")


def test_past_results_are_added(page, storage):
    fill(page, "#add [data-param=temperature]", "55,5")
    fill(page, "#add [data-param=stirs]", "4")
    page.run("document.querySelector('#add [data-param=catalyst]').value = 1")
    fill(page, "#add [name=value]", "50.25")
    fill(page, "#add [name=sem]", "0.5")
    press(page, "#add button")
    said(page, "write 55.5", "said")
    fill(page, "#add [data-param=temperature]", "95")
    press(page, "#add button")
    said(page, "temperature", "said")
    study = kg.Study.load(storage)
    assert len(study.trials) == 7
    fill(page, "#add [data-param=temperature]", "55.5")
    press(page, "#add button")
    said(page, "Trial 7: added", "said")
    trial = study.trials[7]
    assert dict(trial.params) == {"temperature": 55.5, "stirs": 4, "catalyst": "B"}
    assert (trial.value, trial.sem, trial.source) == (50.25, 0.5, "added")
    page.wait("return document.querySelector('[data-trial=\"7\"]')")
    fill(page, "#add [data-param=temperature]", "56")
    fill(page, "#add [data-param=stirs]", "4")
    fill(page, "#add [name=value]", "5025")
    press(page, "#add button")
    said(page, "open trial 8 below and correct it", "said")


def test_the_table_sorts_and_filters(page):
    assert numbers(page) == [6, 5, 4, 3, 2, 1, 0]
    press(page, "[data-focus='sort Value']")
    assert numbers(page) == [3, 0, 4, 1, 5, 2, 6]  # what has no value comes last
    assert page.run("return document.activeElement.dataset.focus") == "sort Value"
    assert page.run("return document.activeElement.parentElement.ariaSort") == "ascending"
    press(page, "[data-focus='sort Value']")
    assert numbers(page) == [2, 5, 1, 4, 0, 3, 6]
    fill(page, "#filter-text", "spilled")
    assert numbers(page) == [6]
    assert page.text("#trials-count") == "1 of 7 trials"
    focus(page, "#filter-text").clear()
    focus(page, "#filter-state").send_keys("results")
    assert sorted(numbers(page)) == [0, 1, 2, 3, 4, 5]
    fill(page, "#filter-text", "nothing like it")
    assert "No trial matches" in page.text("#trials")


def test_the_table_is_downloaded_as_it_is_exported(page, storage, tmp_path):
    page.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path / "down")}
    )
    press(page, "[data-focus='sort Trial']")
    assert numbers(page) == [0, 1, 2, 3, 4, 5, 6]
    press(page, "#download")
    file = tmp_path / "down" / "yield.csv"
    page.until(file.exists)
    study = kg.Study.load(storage)
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    frame = study.to_dataframe()
    assert list(rows[0]) == list(frame.columns)
    assert [float(row["value"]) for row in rows[:6]] == VALUES
    assert [float(row["params_temperature"]) for row in rows] == frame["params_temperature"].tolist()
    assert rows[6]["reason"] == "'=cmd(1) spilled"  # no spreadsheet runs it
    report = kg.Study(SPACE, direction="maximize", seed=0).add_many(file)
    assert (len(report.added), report.refused) == (7, ())


def test_a_study_is_created_by_hand(browser, storage):
    with serving(storage) as service:
        browser.open(service.entrance)
        browser.wait("return document.querySelector('#studies a')")
        cells = browser.run("return [...document.querySelectorAll('#studies tr > *')].map(cell => cell.textContent)")
        assert cells[:5] == ["yield", "7", "6", "0", "1"]
        assert cells[5] == "47 (more is better)"
        assert str(browser.run("return new Date().getFullYear()")) in cells[6]
        press(browser, "#create summary")
        assert violations(browser) == []
        press(browser, "#new button:not([type])")
        said(browser, "Parameter 1: expected a few words", "said")
        first, second = "#parameters fieldset:nth-child(1)", "#parameters fieldset:nth-child(2)"
        fill(browser, f"{first} [name=param]", "sand")
        fill(browser, f"{first} [name=low]", "0,1")
        fill(browser, f"{first} [name=high]", "0.9")
        press(browser, "#more")
        fill(browser, f"{second} [name=param]", "cure")
        focus(browser, f"{second} [name=kind]").send_keys("choice")
        fill(browser, f"{second} [name=options]", "air\nwater\n")
        fill(browser, "#new [name=name]", "mortar")
        focus(browser, "#new [name=direction]").send_keys("larger")
        fill(browser, "#new [name=constraints]", "sand <= 0.8")
        press(browser, "#new button:not([type])")
        said(browser, "write 0.1", "said")
        assert [each.name for each in studies(storage)] == ["yield"]
        fill(browser, f"{first} [name=low]", "0.1")
        press(browser, "#new button:not([type])")
        browser.wait("return document.querySelector('#name')?.textContent === 'mortar'")
    study = kg.Study.load(storage, "mortar")
    assert study.direction == "maximize"
    assert study.space == kg.Space({"sand": (0.1, 0.9), "cure": ["air", "water"]}, constraints=["sand <= 0.8"])


def test_without_leave_to_edit_a_trial_is_only_shown(browser, storage):
    with serving(storage, allow_edit=False) as service:
        browser.open(f"{service.address}/study/yield?token={service.token}")
        browser.wait("return document.querySelector('[data-trial=\"3\"]')")
        press(browser, "[data-trial='3'] button")
        assert "4.88" in browser.text("#trial-history")
        assert not browser.find("#trial-edit").is_displayed()
        browser.open(service.address)
        browser.wait("return document.querySelector('#studies a')")
        assert not browser.find("#create").is_displayed()
        assert browser.errors() == []
