"""A figure as a file: HTML that needs nothing else, or a picture."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import plotly.graph_objects as go

from knowgrad.errors import ArgumentError, MissingPackageError

PICTURES = (".png", ".svg")


def save(figure: go.Figure, path: Path, *, width: int = 900) -> None:
    """Write `path`: .html with Plotly's JavaScript inside, .png or .svg through kaleido and Chrome or Chromium."""
    kind = path.suffix.lower()
    if kind == ".html":
        path.write_text(figure.to_html(include_plotlyjs=True, full_html=True), encoding="utf-8")
    elif kind in PICTURES:
        path.write_bytes(picture(figure, kind[1:], width))
    else:
        raise ArgumentError(f"out: expected a file ending in .html, .png or .svg, got {str(path)!r}; rename it")


def picture(figure: go.Figure, kind: str, width: int) -> bytes:
    """The bytes of a PNG or SVG file."""
    if find_spec("kaleido") is None:
        raise MissingPackageError(f"{kind}: expected kaleido to be installed, and it is not; run: pip install kaleido")
    try:
        drawn: bytes = figure.to_image(format=kind, width=width, scale=2 if kind == "png" else 1)
    except RuntimeError as error:  # what Plotly and kaleido raise when no browser is found or none starts
        raise MissingPackageError(
            f"{kind}: expected Chrome or Chromium on this machine, and none could be started; install one, or write "
            ".html, which needs no browser"
        ) from error
    return drawn
