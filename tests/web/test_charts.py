"""The charts of the page: one far result, a phone, figures beside each other, the same batch everywhere."""

import re

import pytest
from axe_core_python.selenium import Axe

import knowgrad as kg
from knowgrad.plots.report import report
from tests.web.serving import serving

pytestmark = pytest.mark.usefixtures("usual")
AXIS = "return document.querySelector('[data-kind=history]').layout.yaxis.range"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    path = tmp_path_factory.mktemp("charts") / "a.db"
    space = kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints=["x + y <= 1.2"])
    study = kg.Study(space, storage=path, name="s", seed=0, noise=0.1)
    for trial in study.ask(8):
        study.tell(trial, 4880.0 if trial.number == 5 else 40.0 + trial.params["x"], check=False)
    study.ask(3, worker="lab")
    with serving(path) as service:
        yield service


def test_the_page_is_whole_and_the_console_clean(browser, service):
    browser.open(f"{service.address}/study/s?token={service.token}")
    browser.drawn()
    # One batch is spoken of everywhere.
    assert "3 more results are expected to improve" in browser.text("#worth")
    assert "What 3 more results were expected to add" in browser.text("#chart-gain figcaption")
    # The seed is no headline.
    assert "seed" not in browser.text("#about")
    assert "seed" in browser.text("#settings")
    # Empty places are explained.
    assert "what the constraints do not allow" in browser.text("#chart-plane .note")
    # One far result leaves the others room, unless all are to be seen.
    assert "trial 5: 4880" in browser.text("#chart-history .note")
    assert max(browser.run(AXIS)) < 100
    browser.run("document.getElementById('whole').focus()")
    browser.driver.switch_to.active_element.send_keys(" ")
    browser.wait(f"{AXIS}[1] > 4880")
    browser.drawn()
    # Figures beside each other fill their cards.
    for left, right in (("history", "gain"), ("surface", "importance")):
        boxes = [
            browser.run("return document.querySelector(`#chart-${arguments[0]}`).getBoundingClientRect()", kind)
            for kind in (left, right)
        ]
        assert boxes[0]["top"] == boxes[1]["top"]
        ends = [
            browser.run(
                "return document.querySelector(`[data-kind=${arguments[0]}] svg`).getBoundingClientRect()", kind
            )
            for kind in (left, right)
        ]
        assert abs(ends[0]["bottom"] - ends[1]["bottom"]) < 6, (left, right)
    assert browser.errors() == []


def test_the_report_has_no_toolbars_and_can_be_read_by_all(browser, service, tmp_path):
    study = kg.Study.load(service.storage)
    (tmp_path / "report.html").write_text(report(study.snapshot(), "s"), encoding="utf-8")
    browser.open((tmp_path / "report.html").as_uri())
    browser.wait("return document.querySelectorAll('.js-plotly-plot .main-svg').length >= 9")
    assert browser.run("return document.querySelectorAll('.modebar-btn').length") == 0
    assert browser.run("return document.querySelectorAll('#trials tbody tr').length") == 11
    found = Axe().run(browser.driver, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert [(each["id"], each["nodes"][0]["html"][:100]) for each in found["violations"]] == []
    assert browser.errors() == []


def test_figures_with_panels_fit_a_phone(browser, service):
    browser.screen(360, 740, phone=True)
    browser.open(f"{service.address}/study/s?token={service.token}")
    browser.drawn()
    for kind in ("history", "gain", "batch", "slices", "plane", "surface", "importance", "calibration"):
        frame = browser.run(
            "const f = document.querySelector(`[data-kind=${arguments[0]}]`).parentElement;"
            "return [f.scrollWidth, f.clientWidth]",
            kind,
        )
        assert frame[0] <= frame[1], kind
    panels = browser.run(
        "return Object.entries(document.querySelector('[data-kind=plane]').layout)"
        ".filter(([name]) => /^yaxis/.test(name)).map(([, axis]) => axis.domain)"
    )
    assert len(panels) == 2
    assert panels[0][0] > panels[1][1]
    assert re.match(r"\d+ (s|min)", browser.text("#running [data-began]"))
    assert "lab" in browser.text("#running")
