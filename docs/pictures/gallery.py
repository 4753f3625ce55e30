"""Draws every kind of plot for the gallery: `python -m docs.pictures.gallery`. The studies are small ones."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import knowgrad as kg
from knowgrad.plots import KINDS, LOOKS, NAMED

FOLDER = Path(__file__).parents[1] / "gallery"
SPACE = {"lr": kg.Float(1e-4, 1e-1, log=True), "dropout": (0.0, 0.6), "act": ["relu", "gelu"]}


def study() -> kg.Study:
    noise, made = random.Random(1), kg.Study(SPACE, seed=0)
    for _ in range(7):
        for trial in made.ask(4):
            bowl = 0.3 * (math.log10(trial.params["lr"]) + 2) ** 2 + 0.8 * (trial.params["dropout"] - 0.2) ** 2
            made.tell(trial, 0.2 + bowl + 0.05 * (trial.params["act"] == "relu") + noise.gauss(0.0, 0.03))
    return made


def outcomes() -> kg.Study:
    """Two objectives and a limit, with noise."""
    noise = random.Random(1)
    made = kg.Study(
        {"temperature": (20.0, 120.0), "load": (0.0, 1.0)},
        objectives={"yield": "maximize", "price": "minimize"},
        limits=["impurity <= 0.45"],
        seed=0,
    )
    for _ in range(5):
        for trial in made.ask(4):
            t, load = (trial.params["temperature"] - 20) / 100, trial.params["load"]
            told = {"yield": 60 + 30 * t * (1.6 - t) + 20 * load * (1.4 - load), "price": 2 + 3 * load + t**2}
            told |= {"impurity": 0.1 + 0.6 * t**2 + 0.1 * load}
            made.tell(trial, {name: value + noise.gauss(0.0, 0.02 * value) for name, value in told.items()})
    return made


def training() -> kg.Study:
    """Runs that report after every epoch, some of them still running."""
    space = {"rate": kg.Float(1e-4, 1e-1, log=True), "dropout": (0.0, 0.8), "epochs": kg.Fidelity(1, 52, log=True)}

    def train(params: dict[str, Any]) -> Any:
        error = 0.1 + (math.log10(params["rate"]) + 2.5) ** 2 / 10 + (params["dropout"] - 0.3) ** 2
        for epoch in range(1, params["epochs"] + 1):
            yield epoch, error + 0.6 * math.exp(-epoch / (8 + 20 * params["dropout"]))

    made = kg.Study(space, cost=lambda params: params["epochs"], noise=0, seed=0)
    made.minimize(train, budget=300, progress=False)
    for trial in made.ask(2):
        for epoch, error in train(trial.params):
            if epoch > max(1, trial.params["epochs"] // 3):
                break
            made.report(trial, at=epoch, value=error)
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
    save(made.plot("plan", budget=24, setup=4), FOLDER / "plan.svg", 960, 540)
    for further, kinds in ((outcomes(), NAMED), (training(), LOOKS)):
        for kind in kinds:
            save(further.plot(kind), FOLDER / f"{kind}.svg", 960, 540)
