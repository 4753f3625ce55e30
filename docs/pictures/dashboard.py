"""Takes the pictures of `dashboard.md` in Chromium: `python -m docs.pictures.dashboard`. The study is a real one."""

from __future__ import annotations

import math
import random
from pathlib import Path
from tempfile import TemporaryDirectory

import knowgrad as kg
from tests.web import browser as browsers
from tests.web.serving import serving

FOLDER = Path(__file__).parents[1]
SPACE = {"lr": kg.Float(1e-4, 1e-1, log=True), "layers": kg.Int(1, 5), "dropout": (0.0, 0.6), "act": ["relu", "gelu"]}
WIDTH = 1180


def study(path: Path) -> None:
    noise = random.Random(1)
    made = kg.Study(SPACE, storage=path, name="resnet", seed=0)
    for _ in range(6):
        for trial in made.ask(4, worker="gpu-2"):
            if trial.number == 9:
                made.fail(trial, "out of memory")
                continue
            bowl = 0.3 * (math.log10(trial.params["lr"]) + 2) ** 2 + 0.4 * (trial.params["dropout"] - 0.2) ** 2
            loss = 0.2 + bowl + 0.05 * (trial.params["act"] == "relu") + 0.02 * abs(trial.params["layers"] - 3)
            made.tell(trial, loss + noise.gauss(0.0, 0.02), check=False)
    made.note(3, "new driver", by="Ann")
    made.ask(2, lease=600, worker="gpu-1")
    made.ask(1, worker="Ann")


def main() -> None:
    browsers.SHOTS = FOLDER
    with TemporaryDirectory() as folder:
        study(Path(folder) / "a.db")
        browser = browsers.started(Path(folder) / "profile")
        try:
            with serving(Path(folder) / "a.db") as service:
                browser.screen(WIDTH, 1330)
                browser.scheme("light")
                browser.open(f"{service.address}/study/resnet?token={service.token}")
                browser.drawn()
                browser.picture("dashboard-light")
                browser.scheme("dark")
                browser.wait("return document.querySelector('[data-kind=history]').layout.font.color !== '#24292f'")
                browser.drawn()
                browser.screen(WIDTH, 1000)
                browser.run("document.getElementById('chart-slices').scrollIntoView()")
                browser.run("scrollBy(0, -60)")
                browser.picture("dashboard-dark")
        finally:
            browser.driver.quit()


if __name__ == "__main__":
    main()
