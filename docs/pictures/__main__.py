"""Draws the pictures of `concepts.md`: `python -m docs.pictures`. Every curve is computed, none is drawn by hand."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

import knowgrad as kg

FOLDER = Path(__file__).parent
GRID = np.linspace(0.0, 1.0, 301)
NOISE = 0.35
# Okabe & Ito's colors, which stay apart for every kind of color vision.
BLUE, ORANGE, GREEN, GRAY = "#0072b2", "#d55e00", "#009e73", "#666666"


def truth(x: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(np.sin(7.5 * x + 0.4) + 1.2 * (np.asarray(x) - 0.55) ** 2)


def noisy_study(n: int, seed: int) -> kg.Study:
    """A study with n noisy results at points spread by hand."""
    rng = np.random.default_rng(seed)
    study = kg.Study({"x": (0.0, 1.0)}, seed=seed)
    for x in (np.arange(n) + rng.random(n)) / n:
        study.add({"x": float(x)}, float(truth(x) + rng.normal(0.0, NOISE)))
    return study


def axes(title: str, ax: plt.Axes) -> None:
    ax.set_title(title, loc="left", fontsize=11)
    ax.set_xlabel("parameter")
    ax.set_ylabel("value, to be minimized")
    ax.spines[["top", "right"]].set_visible(False)


def value() -> None:
    """What q-KG values: the expected drop of the lowest posterior mean."""
    study = noisy_study(7, 4)
    snapshot = study.snapshot()
    model, units = snapshot.model, snapshot.model.units
    (post, *_) = model.model
    batch = np.sort([[trial.params["x"]] for trial in study.ask(2)], axis=0)
    mean, sd = snapshot.predict(GRID[:, None])
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.6), sharey=True)
    left.fill_between(GRID, mean - 2 * sd, mean + 2 * sd, color=BLUE, alpha=0.15, label="mean ± 2 sd")
    left.plot(GRID, mean, color=BLUE, label="posterior mean")
    known = [trial for trial in study.trials if trial.value is not None]
    left.plot([t.params["x"] for t in known], [t.value for t in known], "o", color=GRAY, label="results")
    for x in batch[:, 0]:
        left.axvline(x, color=ORANGE, ls="--", label="the batch of two" if x == batch[0, 0] else None)
    left.legend(fontsize=8, frameon=False, loc="upper right")
    axes("What is known, and the batch q-KG chooses", left)
    rng = np.random.default_rng(3)
    spread = np.linalg.cholesky(post.cov(batch, batch) + np.diag(model.noise[0](batch)[0]))
    right.plot(GRID, mean, color=BLUE, lw=2.5, label="mean now")
    for i in range(6):
        results = post.mean(batch) + spread @ rng.standard_normal(2)
        after = np.array(
            [units.value(v) for v in post.condition(batch, model.noise[0](batch)[0], results).mean(GRID[:, None])]
        )
        right.plot(GRID, after, color=ORANGE, lw=0.9, label="mean after possible results" if i == 0 else None)
        right.plot(GRID[np.argmin(after)], after.min(), "v", color=ORANGE, ms=6)
    right.plot(GRID[np.argmin(mean)], mean.min(), "v", color=BLUE, ms=9, label="the lowest point, to be recommended")
    right.axhline(mean.min(), color=BLUE, lw=0.7, ls=":")
    right.legend(fontsize=8, frameon=False)
    axes("What it might teach", right)
    right.set_ylabel("")
    save(figure, "value")


def luck() -> None:
    """Why the recommendation is not the best observation."""
    study = noisy_study(24, 11)
    mean, sd = study.snapshot().predict(GRID[:, None])
    best, found = study.best, study.recommend()
    assert best is not None
    assert best.value is not None
    x, u = best.params["x"], found.params["x"]
    figure, ax = plt.subplots(figsize=(7.5, 4))
    ax.plot(GRID, truth(GRID), color=GREEN, lw=1.5, label="truth, which nobody sees")
    ax.fill_between(GRID, mean - 2 * sd, mean + 2 * sd, color=BLUE, alpha=0.15)
    ax.plot(GRID, mean, color=BLUE, label="posterior mean ± 2 sd")
    ax.plot([t.params["x"] for t in study.trials], [t.value for t in study.trials], "o", color=GRAY, ms=4)
    ax.plot(x, best.value, "o", ms=11, mfc="none", color=ORANGE, mew=2, label=f"luckiest result: {best.value:.2f}")
    ax.plot(x, truth(x), "x", ms=9, color=ORANGE, mew=2, label=f"in truth {float(truth(x)):.2f}")
    ax.plot(u, found.mean, "v", ms=10, color=BLUE, label=f"recommended: {found.mean:.2f} ± {found.sd:.2f}")
    ax.plot(u, truth(u), "x", ms=9, color=BLUE, mew=2, label=f"in truth {float(truth(u)):.2f}")
    ax.legend(fontsize=8, frameon=False)
    axes("The luckiest result and the recommendation", ax)
    save(figure, "luck")


def stop() -> None:
    """When to stop: the expected gain of another batch, and what is really left to gain."""
    problem, noise = kg.problems.BRANIN, 0.5
    rng = np.random.default_rng(0)
    study = kg.Study(problem.space, seed=1)
    counts, gains, regrets = [], [], []
    for _ in range(14):
        for trial in study.ask(4):
            study.tell(trial, problem(trial.params) + rng.normal(0.0, noise))
        if len(study.trials) >= 8:
            counts.append(len(study.trials))
            gains.append(max(study.gain(4), 1e-4))
            regrets.append(max(problem(study.recommend().params) - problem.optimum, 1e-4))
    figure, ax = plt.subplots(figsize=(7.5, 3.6))
    ax.semilogy(counts, gains, "o-", color=ORANGE, label="study.gain(4): expected of another four results")
    ax.semilogy(counts, regrets, "s--", color=BLUE, label="true distance to the optimum, which nobody sees")
    ax.axhline(0.05, color=GRAY, lw=0.8, ls=":")
    ax.text(counts[0], 0.058, "stop_gain=0.05", fontsize=8, color=GRAY)
    ax.legend(fontsize=8, frameon=False)
    axes("Is another batch worth it?", ax)
    ax.set_xlabel("results")
    ax.set_ylabel("in units of the function")
    save(figure, "stop")


def save(figure: plt.Figure, name: str) -> None:
    figure.tight_layout()
    figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)


if __name__ == "__main__":
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "knowgrad", "font.family": "sans-serif"})
    for picture in (value, luck, stop):
        picture()
