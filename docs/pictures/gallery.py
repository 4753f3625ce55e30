"""Draws every kind of plot for the gallery: `python -m docs.pictures.gallery`. The study is a small noisy one."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import knowgrad as kg
from knowgrad.plots import KINDS

FOLDER = Path(__file__).parents[1] / "gallery"
SPACE = {"lr": kg.Float(1e-4, 1e-1, log=True), "dropout": (0.0, 0.6), "act": ["relu", "gelu"]}


def study() -> kg.Study:
    noise, made = random.Random(1), kg.Study(SPACE, seed=0)
    for _ in range(7):
        for trial in made.ask(4):
            bowl = 0.3 * (math.log10(trial.params["lr"]) + 2) ** 2 + 0.8 * (trial.params["dropout"] - 0.2) ** 2
            made.tell(trial, 0.2 + bowl + 0.05 * (trial.params["act"] == "relu") + noise.gauss(0.0, 0.03))
    return made


DARK = "<style>@media (prefers-color-scheme: dark) { svg.main-svg { filter: invert(0.88) hue-rotate(180deg) } }</style>"


def save(figure: Any, path: Path, width: int, height: int) -> None:
    """As SVG, inverted where the reader's screen is dark."""
    figure.write_image(path, width=width, height=height)
    head, end, rest = path.read_text(encoding="utf-8").partition(">")
    path.write_text(f"{head}{end}{DARK}{rest}", encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    made = study()
    for kind in KINDS:
        options = {"robust": False} if kind == "history" else {}
        save(made.plot(kind, **options), FOLDER / f"{kind}.svg", 960, 540)
