"""The ascent of `qkg-paper`, drawn: the value of its averaged iterates against the step, for every start."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.screens import follow_the_screen
from benchmarks.speed.attainment import question
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.methods.qkg_paper import PaperQKG

STATES = {
    "Branin, exact, n = 26": ("branin", 0.0, 26, 4, 0),
    "Rosenbrock3, exact, n = 32": ("rosenbrock3", 0.0, 32, 4, 0),
    "Ackley5, noise, n = 36": ("ackley5", 0.5, 36, 4, 0),
    "Hartmann6, noise, n = 74": ("hartmann6", 0.5, 74, 4, 0),
}
EVERY = 5  # steps between two points of a curve


def curves(state: tuple[str, float, int, int, int]) -> tuple[NDArray[np.float64], float]:
    """The value of every start (steps + 1, S) on samples that no step has seen, and that of the batch of `qkg`."""
    method, rng = PaperQKG(), np.random.default_rng(0)
    asked = question(*state, seed=0)
    prepared = method.prepare(asked, rng)
    judged = prepared.on(np.random.default_rng(1).standard_normal((1024, asked.q)))

    def values(Z: NDArray[np.float64]) -> list[float]:
        return [float(judged.value(z[None])[0]) for z in Z]

    rows = [values(prepared.Z)]
    for t, (_, average) in enumerate(method.ascent(asked, prepared, rng), 1):
        if t % EVERY == 0:
            rows.append(values(average))
    return np.array(rows), values(QKG().propose(asked, np.random.default_rng(0)).Z[None])[0]


def draw(path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with matplotlib.rc_context({"svg.hashsalt": "knowgrad", "font.size": 9}):
        figure, grid = pyplot.subplots(2, 2, figsize=(9, 6), layout="constrained")
        for axis, (title, state) in zip(grid.flat, STATES.items(), strict=True):
            found, reference = curves(state)
            axis.plot(EVERY * np.arange(len(found)), found, color="#0072b2", linewidth=0.9)
            axis.axhline(reference, color="#d55e00", linestyle="--", linewidth=1.0)
            top = 1.15 * max(found.max(), reference)
            axis.annotate("the batch of qkg", (0, reference), (0, 0.95 * top), color="#d55e00", fontsize=8, va="center")
            axis.set(title=title, xlabel="step", ylabel="q-KG on 1,024 samples", ylim=(0, top))
            axis.grid(alpha=0.3)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
    follow_the_screen(path)
