"""How long evaluations take: distributions of seconds, drawn once for a simulation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.problems.lab import EPOCHS, LCBENCH, file_of
from benchmarks.problems.task import Parameter

Draw = Callable[[np.random.Generator], float]
SPREAD = 0.7  # of ln seconds
TASK = "126026"  # of LCBench


def lognormal(mean: float) -> Draw:
    """With this mean; one in twenty takes more than 2.5 times as long."""
    return lambda rng: float(mean * np.exp(SPREAD * rng.standard_normal() - 0.5 * SPREAD**2))


def lcbench(mean: float, data: Path) -> Draw:
    """The seconds of trainings of LCBench at random settings, as its surrogate has them, scaled to this mean."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(file_of(data, "lcbench/model.onnx")))
    code = json.loads(file_of(data, "lcbench/encoding.json").read_text(encoding="utf-8"))["OpenML_task_id"][TASK]
    U = np.random.default_rng(0).random((2_000, len(LCBENCH)))
    rows = np.column_stack([_within(p, u) for p, u in zip(LCBENCH, U.T, strict=True)])
    x = np.hstack([np.full((len(rows), 1), EPOCHS), rows]).astype(np.float32)
    given = {"x_cat": np.full((len(rows), 1), code, dtype=np.int32), "x_cont": x}
    seconds = np.maximum(session.run(None, given)[0][:, 0].astype(float), 1.0)
    seconds *= mean / seconds.mean()
    return lambda rng: float(rng.choice(seconds))


def _within(p: Parameter, u: np.ndarray) -> np.ndarray:
    values = p.low * (p.high / p.low) ** u if p.log else p.low + (p.high - p.low) * u
    return np.rint(values) if p.integer else values
