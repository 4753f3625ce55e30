"""How soon a large study is on the screen, and what that sends: `python -m benchmarks.web [--trials 10000]`.

A study in an SQLite file, a server on the loopback address that has not opened it yet, Chromium with an empty cache.
Times run from the start of the navigation; bytes went over the wire, headers included, as the browser counts them.
Needs the environment of `make test`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import knowgrad as kg
from knowgrad.storage import open_storage
from knowgrad.trial import Event
from tests.web.browser import Browser
from tests.web.serving import serving

SPACE = {"lr": kg.Float(1e-5, 1e-1, log=True), "layers": kg.Int(1, 8), "act": ["relu", "gelu", "tanh"]}
BYTES = """
const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return all.filter(e => e.responseEnd <= arguments[0]).reduce((sum, e) => sum + e.transferSize, 0);
"""
PAINT = 'return performance.getEntriesByName("first-contentful-paint")[0]?.startTime'
SHOWN = 'return performance.getEntriesByName("study-shown")[0]?.startTime'


def filled(path: Path, n: int) -> None:
    """A study of n results, written at once."""
    study = kg.Study(SPACE, storage=path, name="large", seed=0)
    rng = np.random.default_rng(0)
    events = []
    for number, u in enumerate(study.space.sample(n, rng)):
        params = study.space.decode(u)
        value = float(np.log10(params["lr"]) + 3) ** 2 + 0.1 * params["layers"] + rng.normal(0.0, 0.3)
        asked = {"number": number, "params": params, "source": "qkg", "batch": number // 4}
        events += [Event("asked", asked), Event("told", {"number": number, "value": value, "sem": None})]
    open_storage(path, "large").append(events)


def measure(n: int) -> dict[str, float]:
    """Milliseconds to first paint and to the study's numbers, bytes until then and until the charts are drawn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "studies.db"
        filled(path, n)
        browser = Browser(Path(folder) / "profile")
        try:
            with serving(path) as service:
                browser.open(f"{service.address}/study/large?token={service.token}")
                browser.drawn()
                shown = browser.run(SHOWN)
                return {
                    "first paint, ms": browser.run(PAINT),
                    "numbers shown, ms": shown,
                    "until then, kB": browser.run(BYTES, shown) / 1e3,
                    "until all charts, kB": browser.run(BYTES, 1e12) / 1e3,
                }
        finally:
            browser.driver.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for _ in range(options.repeats):
        found = measure(options.trials)
        print(f"{options.trials} trials: " + ", ".join(f"{name} {value:,.0f}" for name, value in found.items()))
