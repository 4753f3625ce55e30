"""Log axes say the truth: every label that is rendered is the value at its place."""

import json
import math
import re
import shutil
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from knowgrad.plots import gain
from knowgrad.plots.save import picture
from knowgrad.plots.style import THEMES, scale_of
from knowgrad.views import Axis, Gains

pytestmark = [
    pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on this machine (make browser)"),
    pytest.mark.filterwarnings("ignore:The kopts argument is ignored"),  # Plotly's, to a browser that is there
]


@pytest.fixture(scope="module", autouse=True)
def browser():
    """One for all: to start it takes longer than to draw."""
    kaleido = pytest.importorskip("kaleido")
    kaleido.start_sync_server()
    yield
    kaleido.stop_sync_server()


def labels(figure, axis):
    """The labels of an axis, "x" or "y", as they are rendered, with their places in pixels."""
    root = ElementTree.fromstring(picture(figure, "svg", 700))
    ticks = [each for each in root.iter() if each.get("class") == f"{axis}tick"]
    texts = [("".join(tick.itertext()), next(iter(tick))) for tick in ticks]
    moved = [re.match(r"translate\(([\d.]+),\s*([\d.]+)\)", text.get("transform")) for _, text in texts]
    return [(said, float(found[1 if axis == "x" else 2])) for (said, _), found in zip(texts, moved, strict=True)]


def check(found):
    """Several numbers in full, whose logarithms lie on a straight line with their places."""
    assert len(found) >= 2, found
    values, places = [float(said) for said, _ in found], [place for _, place in found]
    logs = np.log(values)
    slope, start = np.polyfit(places, logs, 1)
    assert np.abs(slope * np.array(places) + start - logs).max() < 0.01, found
    return values


@pytest.mark.parametrize(("low", "high"), [(0.15, 0.8), (0.2, 0.4), (30.0, 900.0), (1e-5, 1e-1), (2.0, 2000.0)])
def test_a_log_parameter_has_whole_labels(low, high):
    figure = go.Figure(go.Scatter(x=[low, math.sqrt(low * high), high], y=[1.0, 2.0, 3.0]))
    figure.update_xaxes(scale_of(Axis("rate", "log", low, high)))
    assert all(low * 0.5 <= value <= high * 2 for value in check(labels(figure, "x")))


@pytest.mark.parametrize("values", [(0.7, 0.5, 0.25), (0.9, 0.3, 0.031), (5.0, 0.2, 0.001)])
def test_the_gain_figure_has_whole_labels(values):
    view = Gains(q=1, n=(4, 8, 12), value=values, sem=(0.0, 0.0, 0.0), threshold=None)
    figure = gain.draw(view, THEMES["light"])
    assert json.loads(figure.to_json())["layout"]["yaxis"]["type"] == "log"
    assert all(min(values) / 2 <= value <= max(values) * 2 for value in check(labels(figure, "y")))
