"""Figures as PNG and SVG, through kaleido and Chromium."""

import shutil
from xml.etree import ElementTree

import pytest

from knowgrad.errors import MissingPackageError
from knowgrad.plots import save as saving
from knowgrad.plots.save import save
from tests.views.studies import line

study = line([(1.0, 3.0), (4.0, 1.0), (7.0, 2.0)], noise=0.1)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium on this machine (make browser)")
def test_pictures_are_what_their_names_say(tmp_path):
    figure = study.plot("history", theme="light")
    save(figure, tmp_path / "a.png")
    save(figure, tmp_path / "a.svg")
    assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.tag.endswith("svg")
    assert "How the study went" in "".join(root.itertext())


def test_without_a_browser_the_error_names_the_remedy(tmp_path, monkeypatch):
    def none_starts(self, **_):
        raise RuntimeError("no browser")

    figure = study.plot("importance")
    monkeypatch.setattr(type(figure), "to_image", none_starts)
    with pytest.raises(MissingPackageError, match=r"write \.html, which needs no browser"):
        save(figure, tmp_path / "a.png")
    monkeypatch.setattr(saving, "find_spec", lambda name: None)
    with pytest.raises(MissingPackageError, match="pip install kaleido"):
        save(figure, tmp_path / "a.svg")
