"""Figures that follow the reader's screen, light or dark."""

from pathlib import Path

DARK = "@media (prefers-color-scheme: dark) { #figure_1 { filter: invert(0.88) hue-rotate(180deg); } }"


def follow_the_screen(path: Path) -> None:
    """An SVG by Matplotlib, inverted where the reader's screen is dark."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<defs>", f"<style>{DARK}</style>\n <defs>", 1), encoding="utf-8")
