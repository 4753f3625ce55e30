"""Embeddings of parameters that do not exist, by how well held-out results are predicted.

A choice of three branches decides which of twelve numbers exist, as the booster of XGBoost does: six everywhere but in
the first, two only in the last. Models are fitted to n points drawn at random and asked for the results at 400 others.

    middle, low     at rest in the middle, or at the low end, of the range
    flag H          in the middle, and a column of height H where it exists, with the parameter's own length scale
    arc             on a half circle, and in its centre where it does not exist
    mark            in the middle, and one column for each condition, with a length scale of its own (the package)
    separate        branches share length scales and nothing else
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems.lab import file_of
from knowgrad.gp.fit import fit
from knowgrad.gp.prior import Prior

Array = NDArray[np.float64]
Function = Callable[[Array, NDArray[np.intp], NDArray[np.intp]], Array]
D, FRESH = 12, 400
TREE, DART = [1, 2, 6, 7, 8, 9], [10, 11]
TASKS = ("16", "40923", "41143", "470", "1487", "40499")
KINDS = ("middle", "low", "flag 0.5", "flag 1", "arc", "mark", "separate")
LOW, HIGH = 0.0009118819655545162, 1096.6331584284585
RANGES = (  # low, high, log: in the order of the surrogate
    *((7, 2981, 1), (LOW, 1, 1), (4.5399929762484854e-05, 7.38905609893065, 1), (LOW, HIGH, 1), (LOW, HIGH, 1)),
    *((0.1, 1, 0), (1, 15, 0), (2.718281828459045, 148.4131591025766, 1), (0.01, 1, 0), (0.01, 1, 0)),
    *((0, 1, 0), (0, 1, 0)),
)
WHOLE = (0, 6)


def existing(branch: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of the numbers exist (n, 12)."""
    exist = np.ones((len(branch), D), dtype=bool)
    exist[:, TREE] = (branch > 0)[:, None]
    exist[:, DART] = (branch == 2)[:, None]
    return exist


def bowl(seed: int) -> Function:
    """What exists costs the square of its distance from an optimum that differs a little between branches."""
    rng = np.random.default_rng([99, seed])
    centre, weight = rng.random(D), rng.exponential(1, D)
    offset, shift = 0.5 * rng.normal(size=3), 0.1 * rng.normal(size=(3, D))

    def value(V: Array, branch: NDArray[np.intp], other: NDArray[np.intp]) -> Array:
        exist = existing(branch)
        bent = np.where(exist, weight * (V - centre - shift[branch]) ** 2, 0.0).sum(axis=1)
        return np.asarray(bent + offset[branch] + 0.1 * other + 0.5 * np.sin(4 * V[:, 0]) * V[:, 1] * exist[:, 1])

    return value


def booster(data: Path | None, task: str) -> Function:
    """Minus the auc of the surrogate of XGBoost."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file_of(data, "xgboost/model.onnx")), options)
    code = json.loads(file_of(data, "xgboost/encoding.json").read_text(encoding="utf-8"))
    boosters = [code["booster"][name] for name in ("gblinear", "gbtree", "dart")]
    imputes = [code["num.impute.selected.cpo"][f"impute.{name}"] for name in ("mean", "median", "hist")]

    def value(V: Array, branch: NDArray[np.intp], other: NDArray[np.intp]) -> Array:
        pairs = zip(V.T, RANGES, strict=True)
        X = np.stack([low * (high / low) ** v if log else low + v * (high - low) for v, (low, high, log) in pairs], 1)
        X[:, WHOLE] = np.round(X[:, WHOLE])
        rest = np.tile([1.0, 10.0], (len(V), 1))
        numbers = np.hstack([np.where(existing(branch), X, 0.0), rest]).astype(np.float32)
        tasks = np.full(len(V), code["task_id"][task])
        words = np.stack([tasks, np.take(boosters, branch), np.take(imputes, other)], axis=1).astype(np.int32)
        return -np.asarray(session.run(None, {"x_cat": words, "x_cont": numbers})[0][:, 2], dtype=np.float64)

    return value


def embedded(V: Array, branch: NDArray[np.intp], other: NDArray[np.intp], kind: str) -> tuple[Array, NDArray[np.intp]]:
    """Points, and the length scale of each column."""
    exist, sometimes = existing(branch), [*TREE, *DART]
    X = np.where(exist, V, 0.0 if kind == "low" else 0.5)
    hot = [np.sqrt(0.5) * (each[:, None] == np.arange(3)) for each in (branch, other)]
    columns, groups = [X, *hot], [*range(D), *[D] * 3, *[D + 1] * 3]
    there = exist[:, sometimes]
    if kind.startswith("flag"):
        columns, groups = [*columns, float(kind.split()[1]) * there], [*groups, *sometimes]
    if kind == "arc":
        angle = np.pi * V[:, sometimes]
        X[:, sometimes] = np.where(there, np.cos(angle) / np.pi, 0.0)
        columns, groups = [*columns, np.where(there, np.sin(angle) / np.pi, 0.0)], [*groups, *sometimes]
    if kind == "mark":
        marks = np.stack([branch > 0, branch == 2], axis=1).astype(float)
        columns, groups = [*columns, marks], [*groups, D + 2, D + 3]
    if kind == "separate":
        columns, groups = [*columns, 1e3 * hot[0]], [*groups, *[D + 2] * 3]
    return np.hstack(columns), np.array(groups)


def scores(f: Function, n: int, seed: int, ranks: bool) -> list[tuple[float, float]]:
    """For each kind: the mean negative log density of held-out results, and their root mean square error."""
    rng = np.random.default_rng([seed, n])
    V = rng.random((n + FRESH, D))
    branch, other = rng.integers(3, size=n + FRESH), rng.integers(3, size=n + FRESH)
    y = f(V, branch, other)
    y = np.argsort(np.argsort(y)) / len(y) if ranks else y
    y = (y - y[:n].mean()) / y[:n].std()
    found = []
    for kind in KINDS:
        X, groups = embedded(V, branch, other, kind)
        post = fit(X[:n], y[:n], np.full(n, np.nan), groups, Prior())
        gap, variance = y[n:] - post.mean(X[n:]), post.var(X[n:]) + post.noise
        density = 0.5 * np.log(2 * np.pi * variance) + 0.5 * gap**2 / variance
        found.append((float(density.mean()), float(np.sqrt(np.mean(gap**2)))))
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.embeddings", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--data", type=Path, help="folder with lab/xgboost; without it only functions are looked at")
    parser.add_argument("--sizes", nargs="+", type=int, default=[32, 64])
    parser.add_argument("--seeds", type=int, default=4)
    chosen = parser.parse_args(arguments)
    problems = {"functions": [bowl(seed) for seed in range(4)]}
    if chosen.data:
        problems["xgboost"] = [booster(chosen.data, task) for task in TASKS]
    print(f"| problems, n | {' | '.join(KINDS)} |")
    print("|---" + "|---:" * len(KINDS) + "|")
    for name, functions in problems.items():
        for n in chosen.sizes:
            every = [scores(f, n, seed, name == "xgboost") for f in functions for seed in range(chosen.seeds)]
            means = np.mean(every, axis=0)
            cells = " | ".join(f"{density:.2f}; {error:.2f}" for density, error in means)
            print(f"| {name}, {n} | {cells} |", flush=True)
