"""Measured experiments as tasks, in their own units: what is minimised is how far a result falls short of the best.

    arylation        yields of 1,728 reactions, all measured: a look-up (Shields et al. 2021)
    crossed-barrel   toughness of 600 printed structures, three repeats each: one is drawn (Liang et al. 2021)
    p3ht             conductivity of polymer blends: a forest on 178 measured compositions (the same)
    lcbench-TASK     accuracy of network trainings: a neural surrogate of a table of trainings (LCBench, YAHPO)

The files are not part of the project: `DIR/lab` holds them as their publishers name them. The true best is the best of
the table, or what a long search finds where the data are emulated.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems.images import DataError
from benchmarks.problems.task import Parameter, Params

Array = NDArray[np.float64]
Truth = Callable[[Array], Array]  # rows of numbers -> true values, to be maximised
ACCURACY_SD, EPOCHS = 0.3, 52
MANY = 20_000  # points that the best of an emulator is looked for among


class Lab:
    """Evaluation k of a seed gets the same noise whichever method asked for it. Nobody is told how much there is."""

    optimum: float | None = None
    noisy = True

    def __init__(
        self,
        parameters: tuple[Parameter, ...],
        truth: Callable[[Params], float],
        best: float,
        seed: int,
        observe: Callable[[Params, np.random.Generator], float] | None = None,
    ) -> None:
        self.parameters, self._seed, self._best = parameters, seed, best
        self._truth, self._observe = truth, observe or (lambda params, rng: truth(params))

    def evaluate(self, params: Params, k: int) -> tuple[float, float]:
        observed = self._observe(params, np.random.default_rng([self._seed, 1, k]))
        return self._best - observed, self.truth(params)

    def truth(self, params: Params) -> float:
        return self._best - self._truth(params)


def rows_of(data: Path | None, name: str) -> list[dict[str, str]]:
    path = file_of(data, name)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def file_of(data: Path | None, name: str) -> Path:
    if data is None or not (path := data / "lab" / name).exists():
        raise DataError(f"lab: {name} belongs in DIR/lab; pass --data DIR")
    return path


@cache
def _yields(data: Path | None) -> dict[tuple[str, str, str, str, str], float]:
    columns = ("Base_SMILES", "Ligand_SMILES", "Solvent_SMILES", "Concentration", "Temp_C")
    return {tuple(row[c] for c in columns): float(row["yield"]) for row in rows_of(data, "arylation/yields.csv")}


def arylation(data: Path | None, seed: int) -> Lab:
    table = _yields(data)
    options = [tuple(sorted(set(column))) for column in zip(*table, strict=True)]
    concentrations = sorted(options[3], key=float)
    parameters = (
        *(Parameter(name, options=options[i]) for i, name in enumerate(("base", "ligand", "solvent"))),
        Parameter("concentration", 0, len(concentrations) - 1, integer=True),  # its place among the three
        Parameter("temperature", 90.0, 120.0, step=15.0),
    )

    def truth(p: Params) -> float:
        held = concentrations[round(p["concentration"])], str(round(p["temperature"]))
        return table[p["base"], p["ligand"], p["solvent"], *held]

    return Lab(parameters, truth, max(table.values()), seed)


@cache
def _barrels(data: Path | None) -> tuple[Array, Array]:
    """Designs (600, 4), and their repeats (600, 3)."""
    found = defaultdict(list)
    for row in rows_of(data, "crossed_barrel.csv"):
        found[tuple(float(row[name]) for name in ("n", "theta", "r", "t"))].append(float(row["toughness"]))
    return np.array(list(found)), np.array(list(found.values()))


def crossed_barrel(data: Path | None, seed: int) -> Lab:
    """Where a design was not printed, the nearest that was."""
    designs, repeats = _barrels(data)
    low, high = designs.min(axis=0), designs.max(axis=0)
    steps = (2.0, 25.0, 0.1, 0.35)
    names = ("n", "theta", "r", "t")
    parameters = tuple(Parameter(*each[:3], step=each[3]) for each in zip(names, low, high, steps, strict=True))

    def at(p: Params) -> int:
        gaps = (designs - [p[name] for name in names]) / (high - low)
        return int(np.argmin((gaps**2).sum(axis=1)))

    def observe(p: Params, rng: np.random.Generator) -> float:
        return float(rng.choice(repeats[at(p)]))

    means = repeats.mean(axis=1)
    return Lab(parameters, lambda p: float(means[at(p)]), float(means.max()), seed, observe)


@cache
def _blends(data: Path | None) -> tuple[Array, Truth, float]:
    """Measured compositions (m, 5), an emulator of the mean, and the pooled standard deviation of repeats."""
    from sklearn.ensemble import RandomForestRegressor

    found = defaultdict(list)
    for row in rows_of(data, "p3ht.csv"):
        *parts, value = (float(each) for each in row.values())
        found[tuple(parts)].append(value)
    X, means = np.array(list(found)), np.array([np.mean(values) for values in found.values()])
    repeated = [values for values in found.values() if len(values) > 1]
    within = sum(np.var(values, ddof=1) * (len(values) - 1) for values in repeated)
    sd = float(np.sqrt(within / sum(len(values) - 1 for values in repeated)))
    forest = RandomForestRegressor(300, random_state=0).fit(X, means)
    return X, forest.predict, sd


def p3ht(data: Path | None, seed: int) -> Lab:
    """Four components; the first makes up the rest of 100, and is at least 15: the others are scaled down to that."""
    X, predict, sd = _blends(data)
    names = ("D1", "D2", "D6", "D8")
    parameters = tuple(Parameter(name, 0.0, float(top)) for name, top in zip(names, X[:, 1:].max(axis=0), strict=True))
    least = X[:, 0].min()

    def blend(U: Array) -> Array:
        total = U.sum(axis=1, keepdims=True)
        U = U * np.minimum(1.0, (100.0 - least) / np.maximum(total, 1e-12))
        return np.hstack([100.0 - U.sum(axis=1, keepdims=True), U])

    def truth(p: Params) -> float:
        return float(predict(blend(np.array([[p[name] for name in names]])))[0])

    return Lab(parameters, truth, _best(parameters, lambda U: predict(blend(U))), seed, _normal(truth, sd))


LCBENCH = (
    Parameter("batch_size", 16, 512, integer=True, log=True),
    Parameter("learning_rate", 1e-4, 1e-1, log=True),
    Parameter("momentum", 0.1, 0.99),
    Parameter("weight_decay", 1e-5, 0.1),
    Parameter("num_layers", 1, 5, integer=True),
    Parameter("max_units", 64, 1024, integer=True, log=True),
    Parameter("max_dropout", 0.0, 1.0),
)


@cache
def _surrogate(data: Path | None, task: str) -> Truth:
    """Accuracy after the last epoch, of rows in the order of LCBENCH."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file_of(data, "lcbench/model.onnx")), options)
    code = json.loads(file_of(data, "lcbench/encoding.json").read_text(encoding="utf-8"))["OpenML_task_id"][task]

    def accuracy(U: Array) -> Array:
        x = np.hstack([np.full((len(U), 1), EPOCHS), U]).astype(np.float32)
        given = {"x_cat": np.full((len(U), 1), code, dtype=np.int32), "x_cont": x}
        return np.asarray(session.run(None, given)[0][:, 1], dtype=np.float64)

    return accuracy


@cache
def best_accuracy(data: Path | None, task: str) -> float:
    """After the last epoch, of what a long search finds."""
    return _best(LCBENCH, _surrogate(data, task))


def lcbench(data: Path | None, seed: int, task: str) -> Lab:
    accuracy = _surrogate(data, task)

    def truth(p: Params) -> float:
        return float(accuracy(np.array([[p[each.name] for each in LCBENCH]], dtype=np.float64))[0])

    return Lab(LCBENCH, truth, best_accuracy(data, task), seed, _normal(truth, ACCURACY_SD))


def _normal(truth: Callable[[Params], float], sd: float) -> Callable[[Params, np.random.Generator], float]:
    return lambda params, rng: truth(params) + sd * float(rng.standard_normal())


def _best(parameters: tuple[Parameter, ...], truth: Truth) -> float:
    """The best of many points, and of what random steps from the best of them find."""
    rng = np.random.default_rng(0)

    def values(V: Array) -> Array:
        columns = []
        for v, p in zip(V.T, parameters, strict=True):
            x = p.low * (p.high / p.low) ** v if p.log else p.low + v * (p.high - p.low)
            columns.append(np.round(x) if p.integer else x)
        return truth(np.stack(columns, axis=1))

    V = rng.random((MANY, len(parameters)))
    found = values(V)
    for width in np.geomspace(0.3, 0.003, 40):
        top = V[np.argsort(-found)[:20]]
        V = np.vstack([top, np.clip(np.repeat(top, 20, axis=0) + width * rng.normal(size=(400, V.shape[1])), 0, 1)])
        found = values(V)
    return float(found.max())


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Lab:
    if problem.startswith("lcbench-"):
        return lcbench(data, seed, problem.removeprefix("lcbench-"))
    return {"arylation": arylation, "crossed-barrel": crossed_barrel, "p3ht": p3ht}[problem](data, seed)
