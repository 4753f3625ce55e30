"""Tuning of XGBoost as tasks: a neural surrogate of trainings (`rbv2_xgboost` of YAHPO), one for each data set.

Which of the fourteen hyperparameters exist depends on the booster. What is minimised is how many points (hundredths)
the area under the curve falls short of one, with the whole training set. The files are not part of the project:
`DIR/lab/xgboost` holds them as their publishers name them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.problems.lab import Lab, file_of
from benchmarks.problems.task import Parameter, Params

Array = NDArray[np.float64]
TREES, DART = ("booster", ("gbtree", "dart")), ("booster", ("dart",))
LOW, HIGH = 0.0009118819655545162, 1096.6331584284585
PARAMETERS = (
    Parameter("booster", options=("gblinear", "gbtree", "dart")),
    Parameter("impute", options=("impute.mean", "impute.median", "impute.hist")),
    Parameter("nrounds", 7, 2981, integer=True, log=True),
    Parameter("eta", LOW, 1.0, log=True, when=TREES),
    Parameter("gamma", 4.5399929762484854e-05, 7.38905609893065, log=True, when=TREES),
    Parameter("lambda_", LOW, HIGH, log=True),
    Parameter("alpha", LOW, HIGH, log=True),
    Parameter("subsample", 0.1, 1.0),
    Parameter("max_depth", 1, 15, integer=True, when=TREES),
    Parameter("min_child_weight", 2.718281828459045, 148.4131591025766, log=True, when=TREES),
    Parameter("colsample_bytree", 0.01, 1.0, when=TREES),
    Parameter("colsample_bylevel", 0.01, 1.0, when=TREES),
    Parameter("rate_drop", 0.0, 1.0, when=DART),
    Parameter("skip_drop", 0.0, 1.0, when=DART),
)
NUMBERS = PARAMETERS[2:]  # in the order of the surrogate's inputs, which end with trainsize and repl
TRAINSIZE, REPL, AUC = 1.0, 10.0, 2

Surrogate = Callable[[list[Params]], Array]


@cache
def _surrogate(data: Path | None, task: str) -> Surrogate:
    """The area under the curve, in points of a hundred; what does not exist is zero."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file_of(data, "xgboost/model.onnx")), options)
    codes = json.loads(file_of(data, "xgboost/encoding.json").read_text(encoding="utf-8"))
    boosters, imputers, own = codes["booster"], codes["num.impute.selected.cpo"], codes["task_id"][task]

    def area(rows: list[Params]) -> Array:
        numbers = [[*(row.get(p.name, 0.0) for p in NUMBERS), TRAINSIZE, REPL] for row in rows]
        names = [[own, boosters[row["booster"]], imputers[row["impute"]]] for row in rows]
        given = {"x_cont": np.array(numbers, dtype=np.float32), "x_cat": np.array(names, dtype=np.int32)}
        return 100.0 * np.asarray(session.run(None, given)[0][:, AUC], dtype=np.float64)

    return area


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Lab:
    area = _surrogate(data, problem.removeprefix("xgboost-"))
    return Lab(PARAMETERS, lambda params: float(area([params])[0]), 100.0, seed)
