"""The command line."""

import math
import re
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import knowgrad as kg
from knowgrad.cli import main
from knowgrad.cli.demo import history, regret, report
from knowgrad.cli.demo.picture import draw
from knowgrad.problems import BRANIN

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def result():
    return kg.minimize(BRANIN, BRANIN.space, n_trials=12, seed=0, progress=False)


def test_help_and_version():
    assert "demo" in CliRunner().invoke(main, ["--help"]).output
    assert kg.__version__ in CliRunner().invoke(main, ["--version"]).output


def test_the_demo_runs_reports_and_saves_a_picture(tmp_path):
    out = tmp_path / "run.svg"
    done = CliRunner().invoke(main, ["demo", "--out", str(out), "--trials", "10", "--workers", "2"])
    assert done.exit_code == 0, done.output
    for words in ("10/10", "recommended", "true value there", "luckiest result", "another batch", str(out)):
        assert words in done.output
    assert ElementTree.parse(out).getroot().tag == f"{SVG}svg"


def test_a_picture_that_cannot_be_saved_is_refused_before_the_run(tmp_path):
    done = CliRunner().invoke(main, ["demo", "--out", str(tmp_path / "missing" / "run.svg")])
    assert done.exit_code != 0
    assert "missing" in done.output
    assert "recommended" not in done.output


def test_bad_options_are_refused():
    for options in (["--trials", "0"], ["--workers", "0"], ["--seed", "-1"]):
        assert CliRunner().invoke(main, ["demo", *options]).exit_code == 2


def test_the_report_holds_the_answer_against_the_truth(result):
    text = report(result, 1.0)
    stated = re.search(r"true value there +(\S+), (\S+) above the optimum", text)
    assert float(stated[1]) == pytest.approx(BRANIN(result.params), abs=6e-4)
    assert float(stated[2]) == pytest.approx(regret(result.params), abs=6e-4)


def test_the_history_ends_at_the_result(result):
    recommended, luckiest = history(result)
    assert recommended.points[-1][0] == luckiest.points[-1][0] == 12
    assert recommended.points[-1][1] == pytest.approx(regret(result.params))
    assert luckiest.points[-1][1] == pytest.approx(regret(result.best.params))


def test_the_picture_shows_every_evaluation_the_optima_and_the_answer(result):
    root = ElementTree.fromstring(draw(BRANIN, result, history(result)))
    titles = [circle.find(f"{SVG}title") for circle in root.iter(f"{SVG}circle")]
    assert sum(title is not None for title in titles) == 12
    assert len(list(root.iter(f"{SVG}polygon"))) == 2  # the recommendation and its legend
    assert len(list(root.iter(f"{SVG}polyline"))) == 2
    texts = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert {"x1", "x2", "results", "true optimum", "recommendation", "luckiest result so far"} <= texts
    numbers = [float(circle.get(key)) for circle in root.iter(f"{SVG}circle") for key in ("cx", "cy")]
    assert all(math.isfinite(number) for number in numbers)
