"""Draws the pictures of the README and of `concepts.md`: `python -m docs.pictures`. Every curve is computed."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray

import knowgrad as kg
from benchmarks.screens import follow_the_screen

FOLDER = Path(__file__).parent
GRID = np.linspace(0.0, 1.0, 301)
NOISE = 0.35
# Okabe & Ito's colors, which stay apart for every kind of color vision.
BLUE, ORANGE, GREEN, GRAY = "#0072b2", "#d55e00", "#009e73", "#666666"


def truth(x: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(np.sin(7.5 * x + 0.4) + 1.2 * (np.asarray(x) - 0.55) ** 2)


def noisy_study(n: int, seed: int, noise: float = NOISE) -> kg.Study:
    """A study with n noisy results at points spread by hand."""
    rng = np.random.default_rng(seed)
    study = kg.Study({"x": (0.0, 1.0)}, seed=seed)
    for x in (np.arange(n) + rng.random(n)) / n:
        study.add({"x": float(x)}, float(truth(x) + rng.normal(0.0, noise)))
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


def claim() -> None:
    """The luckiest result is not the best point, the recommendation is: one run, and forty."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), width_ratios=(2, 1))
    study = noisy_study(24, 13, 0.5)
    mean, _ = study.snapshot().predict(GRID[:, None])
    best, found = study.best, study.recommend()
    assert best is not None
    assert best.value is not None
    x, u = best.params["x"], found.params["x"]
    left.plot(GRID, truth(GRID), color=GREEN, lw=1.5)
    left.text(-0.02, 0.45, "truth, which\nnobody sees", color=GREEN)
    left.text(0.11, 1.55, "posterior mean", color=BLUE)
    left.plot(GRID, mean, color=BLUE, lw=1.5)
    left.plot([t.params["x"] for t in study.trials], [t.value for t in study.trials], "o", color=GRAY, ms=4)
    left.plot([x, x], [best.value, truth(x)], color=ORANGE, lw=1.2)
    left.plot(x, best.value, "o", ms=12, mfc="none", color=ORANGE, mew=2)
    left.plot(x, truth(x), "D", ms=7, color=ORANGE)
    left.plot(u, truth(u), "D", ms=7, color=BLUE)
    says = f"luckiest result {best.value:.2f}, truly {float(truth(x)):.2f}"
    left.annotate(says, (x, best.value), (0.55, -1.62), color=ORANGE, ha="left")
    left.annotate(f"recommended, truly {float(truth(u)):.2f}", (u, truth(u)), (0.08, -1.3), color=BLUE, ha="left")
    left.set_ylim(-1.8, 1.8)
    axes("One run: 24 noisy results", left)
    regrets = np.array([_regrets(noisy_study(24, seed, 0.5)) for seed in range(40)])
    for i, (color, name) in enumerate(((ORANGE, "luckiest result"), (BLUE, "recommendation"))):
        spread = i + 0.25 * (np.argsort(np.argsort(regrets[:, i])) % 5 - 2) / 2
        right.plot(spread, regrets[:, i], "o", ms=4, color=color, alpha=0.6)
        right.hlines(regrets[:, i].mean(), i - 0.35, i + 0.35, color=color, lw=3)
        right.text(i, regrets[:, i].max() + 0.05, f"mean {regrets[:, i].mean():.2f}", color=color, ha="center")
        right.text(i, -0.12, name, color=color, ha="center")
    right.set_xlim(-0.6, 1.6)
    right.set_ylim(-0.2, regrets.max() + 0.2)
    axes("Forty such runs", right)
    right.set_xlabel("")
    right.set_xticks([])
    right.set_yticks([0.0, 0.2, 0.4, 0.6])
    right.set_ylabel("true distance to the optimum")
    save(figure, "claim")


def _regrets(study: kg.Study) -> tuple[float, float]:
    """How much worse than the optimum the luckiest point and the recommended one truly are."""
    assert study.best is not None
    lowest = float(truth(np.linspace(0.0, 1.0, 3001)).min())
    return float(truth(study.best.params["x"])) - lowest, float(truth(study.recommend().params["x"])) - lowest


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
    path = FOLDER / f"{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    follow_the_screen(path)


if __name__ == "__main__":
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "knowgrad", "font.family": "sans-serif"})
    for picture in (value, luck, claim, stop):
        picture()
