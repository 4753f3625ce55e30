"""How a question grows: CPU seconds and peak memory against results n, parameters d, running points p and points q.

`python -m benchmarks.growth --out FILE [--figure docs/figures/growth.svg]` measures `Study.ask` and Optuna's two
samplers, each case in a process of its own on one thread, with noisy results of the same bowl; hyperparameters are
fitted. Cases that are in FILE are not repeated, and a contender that took more than LONGEST seconds gets no larger
case along the same axis. Optuna's Gaussian process needs torch.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.processes import ONE_THREAD, alone, peak
from benchmarks.records import opened
from benchmarks.screens import follow_the_screen

LONGEST = 20.0  # CPU seconds
USUAL = {"n": 74, "d": 6, "p": 0, "q": 1}
AXES: dict[str, tuple[dict[str, int], tuple[int, ...]]] = {  # what stays, and what grows
    "n": ({"d": 10, "q": 4}, (50, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)),
    "d": ({"n": 200, "q": 4}, (2, 5, 10, 20, 50, 100)),
    "p": ({}, (1, 8, 32, 64, 128, 256, 512, 1_000)),
    "q": ({}, (1, 4, 16, 32, 64)),
}
TITLES = {"n": "results", "d": "parameters", "p": "running points", "q": "points of a batch"}
SHOWN = {"qkg": "knowgrad, q-KG", "gp": "Optuna, GP", "tpe": "Optuna, TPE"}
COLORS = {"qkg": "#0072b2", "gp": "#d55e00", "tpe": "#009e73"}
Record = dict[str, Any]


def value(u: np.ndarray, rng: np.random.Generator) -> float:
    return float(3 * ((u[:3] - 0.4) ** 2).sum() + np.sin(5 * u[0]) + 0.1 * rng.standard_normal())


def measured(contender: str, n: int, d: int, p: int, q: int) -> tuple[float, float]:
    """CPU seconds of one question, after one on less data that loads what is needed, and the peak memory in MB."""
    make = ours if contender == "qkg" else optunas
    make(contender, 12, 2, 1)(1)
    ask = make(contender, n, d, p)
    began = time.process_time()
    ask(q)
    return time.process_time() - began, peak()


def ours(contender: str, n: int, d: int, p: int) -> Callable[[int], object]:
    from knowgrad import Study

    rng, names = np.random.default_rng(0), [f"x{i}" for i in range(d)]
    study = Study(dict.fromkeys(names, (0.0, 1.0)), seed=0)
    for u in rng.random((n, d)):
        study.add(dict(zip(names, u.tolist(), strict=True)), value(u, rng), check=False)
    for u in rng.random((p, d)):
        study.enqueue(dict(zip(names, u.tolist(), strict=True)))
    if p:
        study.ask(p)
    return study.ask


def optunas(contender: str, n: int, d: int, p: int) -> Callable[[int], object]:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    rng, space = np.random.default_rng(0), {f"x{i}": optuna.distributions.FloatDistribution(0.0, 1.0) for i in range(d)}
    tpe = optuna.samplers.TPESampler(seed=0, constant_liar=True)
    study = optuna.create_study(sampler=optuna.samplers.GPSampler(seed=0) if contender == "gp" else tpe)

    def params(u: np.ndarray) -> dict[str, float]:
        return dict(zip(space, u.tolist(), strict=True))

    for u in rng.random((n, d)):
        study.add_trial(optuna.trial.create_trial(params=params(u), distributions=space, value=value(u, rng)))
    for u in rng.random((p, d)):
        study.enqueue_trial(params(u))
    for _ in range(p):
        study.ask(space)
    return lambda q: [study.ask(space) for _ in range(q)]


def missing(records: list[Record], contenders: list[str], axes: list[str]) -> Callable[[], Record | None]:
    """The next case to measure; None when there is none."""

    def following() -> Record | None:
        for axis in axes:
            stays, sizes = AXES[axis]
            for contender in contenders:
                for size in sizes:
                    case = {**USUAL, **stays, axis: size}
                    done = [r for r in records if r["method"] == contender and all(r[k] == case[k] for k in case)]
                    if not done:
                        return {"problem": "bowl", "method": contender, "seed": 0, **case}
                    if done[0]["cpu"] > LONGEST:
                        break
        return None

    return following


def draw(records: list[Record], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    style = {"svg.hashsalt": "knowgrad", "svg.fonttype": "none", "font.size": 9}
    with matplotlib.rc_context(style):
        figure, grid = pyplot.subplots(2, 4, figsize=(12, 5.4), sharex="col", sharey="row", layout="constrained")
        for column, (axis, (stays, sizes)) in enumerate(AXES.items()):
            for name, color in COLORS.items():
                cases = [{**USUAL, **stays, axis: size} for size in sizes]
                rows = [r for case in cases for r in records if r["method"] == name and case.items() <= r.items()]
                for row, key in enumerate(("cpu", "mb")):
                    x, y = [r[axis] for r in rows], [r[key] for r in rows]
                    grid[row, column].loglog(x, y, "o-", color=color, label=SHOWN[name], markersize=3)
            fixed = ", ".join(f"{k} = {v}" for k, v in {**USUAL, **stays}.items() if k != axis)
            grid[0, column].set_title(f"{TITLES[axis]} {axis}\n({fixed})", fontsize=9)
            grid[1, column].set_xlabel(axis)
        grid[0, 0].set_ylabel("CPU seconds")
        grid[1, 0].set_ylabel("peak memory, MB")
        grid[0, 0].legend(frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
    follow_the_screen(path)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("results/growth.jsonl"), help="a line for every case")
    parser.add_argument("--figure", type=Path, help="draw what is in it")
    parser.add_argument("--contenders", nargs="*", default=list(SHOWN), choices=list(SHOWN))
    parser.add_argument("--axes", nargs="*", default=list(AXES), choices=list(AXES))
    chosen = parser.parse_args(arguments)
    os.environ.update(ONE_THREAD)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    records: list[Record] = []
    if chosen.out.exists():
        records = [json.loads(line) for line in chosen.out.read_text(encoding="utf-8").splitlines()]
    following = missing(records, chosen.contenders, chosen.axes)
    while (case := following()) is not None:
        sizes = [case[key] for key in ("n", "d", "p", "q")]
        cpu, megabytes = alone(measured, case["method"], *sizes)
        record = {**case, "cpu": round(cpu, 4), "mb": round(megabytes)}
        records.append(record)
        with opened(chosen.out) as file:
            file.append(record)
        print(record, flush=True)
    if chosen.figure:
        draw(records, chosen.figure)
