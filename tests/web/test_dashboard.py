"""The dashboard in a real browser; reliability test 24 among others."""

import math
import subprocess
import sys

import pytest
from axe_core_python.selenium import Axe
from selenium.webdriver.common.keys import Keys

import knowgrad as kg
from knowgrad.plots import KINDS
from knowgrad.plots.style import THEMES
from tests.web.serving import serving

pytestmark = pytest.mark.usefixtures("usual")

SPACE = {"lr": kg.Float(1e-4, 1e-1, log=True), "layers": kg.Int(1, 5), "act": ["relu", "gelu"]}
EVIL = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>\"'><a href=javascript:window.hacked=1>{0}"
MARKS = ".mlayer :is(path, image)"  # what traces are made of


def loss(params):
    return (math.log10(params["lr"]) + 2) ** 2 + 0.5 * (params["act"] == "relu") + 0.05 * params["layers"]


@pytest.fixture(scope="module")
def storage(tmp_path_factory):
    path = tmp_path_factory.mktemp("dashboard") / "studies.db"
    study = kg.Study(SPACE, storage=path, name="network", seed=0)
    for trial in study.ask(16):
        if trial.number == 9:
            study.fail(trial, "out of memory")
        else:
            study.tell(trial, loss(trial.params))
    study.ask(2, lease=600, worker="gpu-1")
    study.ask(1, worker="Ada")
    return path


@pytest.fixture(scope="module")
def service(storage):
    with serving(storage) as service:
        yield service


def refused(page, words):
    """The last form said so."""
    page.wait("return document.getElementById('said').textContent.includes(arguments[0])", words)


@pytest.fixture
def page(browser, service, storage):
    """The study's page, entered with the token; its charts are still being drawn."""
    browser.open(f"{service.address}/study/network?token={service.token}")
    browser.wait("return document.body.dataset.version")
    return browser


def test_without_the_token_there_is_nothing_to_see(browser, service):
    browser.driver.delete_all_cookies()
    for path in ("/", "/study/network", "/api/studies", "/?token=wrong"):
        browser.open(service.address + path)
        assert "expected the server's token" in browser.text("body")
        assert "network" not in browser.text("body")


def test_the_token_lets_in_and_leaves_the_address(browser, service):
    browser.open(service.entrance)
    browser.wait("return document.querySelector('#studies a')")
    assert browser.driver.current_url == f"{service.address}/"
    assert browser.text("#studies a") == "network"
    browser.open(service.address)
    browser.wait("return document.querySelector('#studies a')")
    assert browser.run("return document.cookie") == ""  # scripts cannot read it


def test_the_page_says_what_to_use_what_runs_and_what_failed(page, storage):
    page.drawn()
    found = kg.Study.load(storage).recommend()
    assert f"{found.params['act']}" in page.text("#recommendation")
    assert f"after {found.n_observed} results" in page.text("#recommendation")
    assert page.text("#worth .answer") in ("Yes", "Perhaps", "No")
    assert "expected to improve the recommendation by" in page.text("#worth")
    running = page.text("#running")
    assert "gpu-1" in running
    assert "s left" in running
    assert "no time limit" in running
    assert "Running for" in running
    assert "out of memory" in page.text("#trials")
    assert "noise sd" in page.text("#diagnostics")
    page.picture("study-light")


def test_every_chart_is_drawn(page):
    page.drawn()
    for kind in KINDS:
        marks = page.run("return document.querySelectorAll(arguments[0]).length", f"[data-kind={kind}] {MARKS}")
        assert marks >= 2, kind
        box = page.run("return document.querySelector(`[data-kind=${arguments[0]}]`).getBoundingClientRect()", kind)
        assert box["width"] > 250
        assert box["height"] > 200
    assert page.errors() == []  # nothing was refused by the policy, and nothing else went wrong


def test_results_of_another_process_appear_without_reloading(page, storage):
    page.run("window.stayed = true")
    before = int(page.text("[data-state=complete]"))
    (trial, *_) = kg.Study.load(storage).pending
    command = [sys.executable, "-m", "knowgrad.cli", "tell", "--storage", storage, str(trial.number), "0.75"]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    page.wait("return document.querySelector('[data-state=complete]').textContent === arguments[0]", str(before + 1))
    page.wait("return document.getElementById('live').textContent.includes(arguments[0])", f"{before + 1} results")
    page.drawn()
    drawn = (
        "return document.querySelector('[data-kind=history]').calcdata.find(c => c[0].trace.name === 'result').length"
    )
    assert page.run(drawn) == before + 1
    assert f"after {before + 1} results" in page.text("#recommendation")
    assert page.run("return window.stayed")


def test_asking_telling_failing_and_stopping_by_hand(page, storage):
    study = kg.Study.load(storage)
    page.run("document.querySelector('#ask [name=count]').value = 3")
    page.find("#ask button").click()
    page.wait("return document.getElementById('said').textContent.startsWith('To try: trial')")
    mine = [trial for trial in study.pending if trial.worker == "bench"]
    assert len(mine) == 3
    for trial, button, field, entry in (
        (mine[0], "complete", "value", "1.25"),
        (mine[1], "fail", "reason", "spilled"),
        (mine[2], "stop", None, None),
    ):
        page.wait("return document.querySelector(`#tell option[value='${arguments[0]}']`)", trial.number)
        page.run("document.querySelector('#tell [name=trial]').value = arguments[0]", str(trial.number))
        if field:
            page.find(f"#tell [name={field}]").send_keys(entry)
        page.find(f"#tell [value={button}]").click()
        page.wait(
            "return document.getElementById('said').textContent === arguments[0]", f"Trial {trial.number}: recorded."
        )
    told, failed, stopped = (study.trials[trial.number] for trial in mine)
    assert told.value == 1.25
    assert failed.reason == "spilled"
    assert stopped.state == "expired"


def test_what_makes_no_sense_is_refused_in_words(page, storage):
    version = kg.Study.load(storage).version
    for entry, words in (("much", "expected a number"), ("1,25", "write 1.25"), ("1,250.5", "expected a number")):
        page.find("#tell [name=value]").send_keys(entry)
        page.find("#tell [value=complete]").click()
        refused(page, words)
        page.find("#tell [name=value]").clear()
    page.find("#tell [value=fail]").click()
    refused(page, "say why it failed")
    assert kg.Study.load(storage).version == version


def test_without_leave_to_edit_there_are_no_forms(browser, storage):
    with serving(storage, allow_edit=False) as service:
        browser.open(service.entrance)
        browser.wait("return document.querySelector('#studies a')").click()
        browser.wait("return document.querySelector('[data-state=complete]')")
        assert not browser.find("#edit").is_displayed()


def test_injected_scripts_never_run(browser, tmp_path):
    evil = [EVIL.replace("{0}", str(i)) for i in range(4)]
    study = kg.Study({evil[0]: (0.0, 1.0), "c": [evil[1], "b"]}, storage=tmp_path / "evil.db", name=evil[2], seed=0)
    for i, trial in enumerate(study.ask(8)):
        if i < 2:
            study.fail(trial, evil[3])
        else:
            study.tell(trial, trial.params[evil[0]])
    study.ask(1, worker=evil[3])
    study.note(3, evil[3], by="a<b>c")
    with serving(tmp_path / "evil.db") as service:
        browser.open(service.entrance)
        link = browser.wait("return document.querySelector('#studies a')")
        assert link.text.startswith("<img src=x")
        assert not browser.run("return window.hacked")
        link.click()
        browser.drawn()
        browser.find("#ask button").click()
        browser.wait("return document.getElementById('said').textContent.startsWith('To try')")
        browser.drawn()
        browser.run("document.querySelector('[data-trial=\"3\"] button').click()")
        assert "a<b>c: <img src=x onerror" in browser.text("#trial-history")
        assert not browser.run("return window.hacked")
        assert browser.run("return document.querySelectorAll('img, main script, a[href^=javascript]').length") == 0
        for place in ("#name", "#recommendation", "#running", "#trials", "#settings", "#add-params"):
            assert "<img src=x onerror" in browser.text(place), place
        assert "<img src=x onerror" in browser.text("[data-kind=importance]")


def test_a_narrow_screen_needs_no_sideways_scrolling(page):
    page.screen(360, 740, phone=True)
    page.driver.refresh()
    page.drawn()
    assert page.run("return document.scrollingElement.scrollWidth") <= 360
    small = page.run(
        "return [...document.querySelectorAll('button, input, select')].filter(e => e.offsetParent)"
        ".filter(e => e.getBoundingClientRect().height < 40 || e.getBoundingClientRect().right > 360).length"
    )
    assert small == 0
    page.picture("study-phone")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_color_schemes_can_be_read(page, scheme):
    page.scheme(scheme)
    ink = THEMES[scheme].ink
    page.wait("return document.querySelector('[data-kind=history]')?.layout?.font.color === arguments[0]", ink)
    page.drawn()
    back = page.run("return getComputedStyle(document.body).backgroundColor")
    bright = sum(int(part) for part in back[4:-1].split(",")) / 3
    assert bright > 200 if scheme == "light" else bright < 60
    page.picture(f"study-{scheme}-charts")


def test_a_scheme_that_changes_while_charts_are_drawn_is_followed(page):
    """The first chart has the old colours by then, and is drawn once more."""
    page.scheme("light")
    page.drawn()
    page.run("delete document.querySelector('[data-kind=history]').layout.font")
    page.run("document.dispatchEvent(new Event('shape'))")
    history = "return document.querySelector('[data-kind=history]')?.layout?.font?.color === arguments[0]"
    page.wait(history, THEMES["light"].ink)
    page.scheme("dark")
    page.wait(history, THEMES["dark"].ink)


def test_the_keyboard_reaches_everything(page):
    page.run("document.activeElement.blur()")
    body = page.find("body")
    body.send_keys(Keys.TAB)
    assert page.run("return document.activeElement.className") == "skip"
    reached = set()
    for _ in range(60):
        page.driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.add(page.run("return document.activeElement.name || document.activeElement.id"))
    assert {"count", "client", "trial", "value", "sem", "reason", "do", "running", "trials"} <= reached
    assert {"filter-text", "filter-state", "download"} <= reached
    page.run("document.querySelector('#ask [name=count]').focus()")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.wait("return document.getElementById('said').textContent.startsWith('To try')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screen_reader_finds_its_way(page, scheme):
    page.scheme(scheme)
    page.drawn()
    for landmark in ("header", "nav[aria-label]", "main", "#live[role=status]", "#said[role=alert]"):
        assert page.find(landmark)
    assert page.run("return [...document.querySelectorAll('section')].every(s => s.hasAttribute('aria-labelledby'))")
    assert page.run("return [...document.querySelectorAll('input, select, textarea')].every(e => e.labels.length)")
    assert page.run("return [...document.querySelectorAll('.chart')].every(e => e.role && e.ariaLabel)")
    found = Axe().run(page.driver, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert [(each["id"], [node["html"][:100] for node in each["nodes"]]) for each in found["violations"]] == []
