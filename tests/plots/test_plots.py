"""Figures carry the numbers of their views; files are whole."""

import json
import re
import sys
from itertools import pairwise

import pytest

import knowgrad as kg
from knowgrad import plots, views
from knowgrad.errors import ArgumentError, MissingPackageError
from knowgrad.plots import plan
from knowgrad.plots.report import report
from knowgrad.plots.save import save
from knowgrad.plots.style import THEMES, canvas
from knowgrad.views import Planned
from knowgrad.views.plan import Spending
from tests.views.studies import line, trained

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def study():
    return trained(12, running=2)


@pytest.fixture(scope="module")
def snapshot(study):
    return study.snapshot()


def trace(figure, name):
    return next(each for each in figure.data if each.name == name)


@pytest.mark.parametrize(("kind", "theme"), list(zip(plots.KINDS, 3 * plots.THEMES, strict=True)))
def test_every_kind_is_drawn(snapshot, kind, theme):
    figure = plots.figure(snapshot, kind, theme=theme)
    assert figure.data
    assert figure.layout.title.text
    assert figure.layout.font.color == THEMES[theme].ink
    json.loads(figure.to_json())


def test_history_shows_its_view(study, snapshot):
    view, figure = views.history(snapshot), study.plot("history")
    assert tuple(trace(figure, "result").y) == view.value
    assert tuple(trace(figure, "recommendation (posterior mean)").y) == tuple(p.mean for p in view.recommended)
    assert tuple(trace(figure, "best result so far").y) == tuple(value for _, value in view.best)
    band = trace(figure, "95 % interval").y
    assert band[: len(view.recommended)] == tuple(p.high for p in view.recommended)
    assert "less is better" in figure.layout.yaxis.title.text


def test_one_result_far_from_all_others_does_not_flatten_the_history():
    study = line([(float(i), 40.0 + i) for i in range(9)], noise=0.1)
    study.add({"x": 9.5}, 4.88e6, check=False)
    figure = study.plot("history", checkpoints=0)
    low, high = figure.layout.yaxis.range
    assert 30 < low < 40
    assert 48 < high < 60
    beyond = trace(figure, "result beyond the axis")
    assert tuple(beyond.x) == (10,)
    assert low < beyond.y[0] < high
    assert "trial 9: 4.88e+06" in figure.layout.title.subtitle.text
    assert figure.layout.meta["far"] == 1
    whole = study.plot("history", checkpoints=0, robust=False)
    assert whole.layout.yaxis.range is None
    assert "result beyond the axis" not in [each.name for each in whole.data]


def test_results_that_lie_together_have_the_axis_to_themselves(study):
    figure = study.plot("history", checkpoints=0)
    assert figure.layout.yaxis.range is None
    assert not figure.layout.title.subtitle.text
    assert figure.layout.meta["far"] == 0


@pytest.mark.parametrize("kind", ["batch", "plane", "calibration", "slices"])
def test_narrow_figures_have_their_panels_below_each_other(study, kind):
    def places(figure):
        axes = [figure.layout[key] for key in figure.layout if key.startswith("yaxis")]
        return sorted({tuple(axis.domain or (0, 1)) for axis in axes})

    wide, narrow = study.plot(kind), study.plot(kind, narrow=True)
    assert len(places(wide)) == 1
    assert len(places(narrow)) >= 2
    assert all(a[1] < b[0] for a, b in pairwise(places(narrow)))
    assert narrow.layout.height > wide.layout.height
    assert all(tuple(narrow.layout[key].domain or (0, 1)) == (0, 1) for key in narrow.layout if key[:5] == "xaxis")


@pytest.mark.parametrize("kind", ["slices", "plane", "surface"])
def test_what_the_constraints_leave_blank_is_explained(study, kind):
    assert not study.plot(kind).layout.title.subtitle.text
    space = kg.Space({"x": (0.0, 1.0), "y": (0.0, 1.0)}, constraints=["x + y <= 1"])
    cut = kg.Study(space, seed=0, noise=0.1)
    for trial in cut.ask(6):
        cut.tell(trial, trial.params["x"] + trial.params["y"])
    assert "what the constraints do not allow" in cut.plot(kind).layout.title.subtitle.text


def test_batch_shows_what_each_running_point_adds(study, snapshot):
    view, figure = views.batch(snapshot), study.plot("batch")
    assert tuple(figure.data[0].x) == tuple(point.adds for point in view.points)
    assert tuple(figure.data[0].y) == tuple(f"trial {trial.number}" for trial in study.pending)


def test_slices_have_log_axes_and_options_by_name(study, snapshot):
    figure = study.plot("slices", params=["lr", "act"])
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis2.ticktext == ("relu", "gelu")
    assert tuple(trace(figure, "posterior mean").y) == views.slice_along(snapshot, "lr").mean


def test_plane_and_surface_show_their_views(study, snapshot):
    mean, sd = (each for each in study.plot("plane", x="lr", y="layers").data if each.type == "contour")
    view = views.plane(snapshot, "lr", "layers")
    assert tuple(map(tuple, mean.z)) == view.mean
    assert tuple(map(tuple, sd.z)) == view.sd
    heat = study.plot("surface", x="lr", y="act").data[0]
    assert heat.type == "heatmap"
    assert tuple(map(tuple, heat.z)) == views.surface(snapshot, "lr", "act").value


def test_importance_gain_and_calibration_show_their_views(study, snapshot):
    assert tuple(study.plot("importance").data[0].x) == views.importance(snapshot).share
    figure = study.plot("gain", q=2, threshold=0.5, checkpoints=2)
    assert tuple(trace(figure, "expected gain").y) == views.gains(snapshot, q=2, checkpoints=2).value
    assert tuple(trace(figure, "stop below this").y) == (0.5, 0.5)
    view = views.calibration(snapshot)
    assert tuple(study.plot("calibration").data[1].y) == view.predicted


def test_parallel_draws_every_result_once(study, snapshot):
    lines = [each for each in study.plot("parallel").data if each.mode == "lines"]
    assert sum(y is None for each in lines for y in each.y) == len(snapshot.complete)


def test_one_parameter_has_a_surface_but_no_plane():
    study = line([(1.0, 3.0), (4.0, 1.0), (7.0, 2.0)], noise=0.1)
    assert study.plot("surface").data[0].y
    with pytest.raises(ArgumentError, match="at least two parameters"):
        study.plot("plane")


def test_wrong_kinds_themes_and_options_are_refused(study):
    with pytest.raises(ArgumentError, match="expected one of history, batch"):
        study.plot("pie")
    with pytest.raises(ArgumentError, match="expected one of auto, light, dark"):
        study.plot(theme="neon")
    with pytest.raises(ArgumentError, match="expected no options but x, y, narrow, at, got z"):
        study.plot("plane", z="lr")


def test_without_plotly_the_error_names_the_remedy(study, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "plotly" or name.startswith("knowgrad.plots.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(MissingPackageError, match="pip install plotly"):
        study.plot("history")


def test_html_needs_nothing_else(study, tmp_path):
    save(study.plot("importance"), tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Plotly.newPlot" in text
    assert not re.search(r"<(script|link)[^>]*(src|href)=", text)


def test_other_endings_are_refused(study, tmp_path):
    with pytest.raises(ArgumentError, match=r"ending in \.html, \.png or \.svg"):
        save(study.plot("importance"), tmp_path / "a.gif")


def test_the_report_is_one_file_with_everything():
    text = report(trained(8).snapshot(), "A study")
    assert not re.search(r"<(script|link)[^>]*(src|href)=", text)
    for kind in plots.KINDS:
        assert f'<figure id="{kind}">' in text
    for words in (
        "What to use now",
        "Is another batch worth it?",
        "Can the model be trusted?",
        "8 results, 0 running",
    ):
        assert words in text


def test_the_report_has_contents_and_a_table_of_trials():
    study = trained(8)
    study.fail(study.ask(1)[0], EVIL)
    study.note(2, "a new <b>flask</b>")
    text = report(study.snapshot(), "A study")
    places = re.findall(r'<a href="#(\w+)">', text)
    assert places == ["use", "worth", "trust", "figures", "trials", "about", *plots.KINDS]
    assert all(f' id="{place}">' in text for place in places)
    table = text[text.index('<section id="trials">') : text.index('<section id="about">')]
    assert table.count("<tr>") == 1 + 9
    assert f"<td>{study.trials[0].value:.6g}</td>" in table
    assert "a new &lt;b&gt;flask&lt;/b&gt;" in table
    assert "<script>" not in table
    assert '"displayModeBar": false' in text  # a toolbar over every figure is in the way
    assert "seed" not in text[text.index("<h1>") : text.index('<section id="use">')]


def test_the_report_of_an_empty_study_says_what_is_missing():
    text = report(kg.Study({"x": (0.0, 1.0)}, seed=0).snapshot(), "Nothing yet")
    assert "0 results, 0 running" in text
    assert "expected at least one result" in text


def test_names_cannot_become_markup():
    study = kg.Study({EVIL: (0.0, 1.0), "c": [EVIL, "b"]}, seed=0)
    for trial in study.ask(6):
        study.tell(trial, trial.params[EVIL])
    text = report(study.snapshot(), EVIL)
    body = text[text.index("<body>") :]
    assert "<img" not in body
    assert "alert(1)</script>" not in text


def test_labels_of_lines_that_end_together_stand_apart():
    ends = {1: 0.9, 2: 0.98, 4: 1.0, 8: 0.985}
    curves = tuple(Spending(q, (0.0, 10.0), (0.0, gain), q == 4) for q, gain in ends.items())
    labels = plan.draw(Planned(curves, ""), THEMES["light"]).layout.annotations
    heights = sorted(label.y for label in labels)
    assert {label.text for label in labels} == {"1", "2", "4", "8"}
    assert min(high - low for low, high in pairwise(heights)) > 0.04
    assert sum(heights) == pytest.approx(sum(ends.values()))  # about where the lines end


def test_a_note_stands_between_the_title_and_the_legend():
    layout = canvas(THEMES["light"], "title", note="note").layout
    assert layout.title.y == 1.0
    assert layout.title.yref == "container"
    assert layout.title.pad.t + 16 + 14 < layout.margin.t - 25  # title and note, then the legend
