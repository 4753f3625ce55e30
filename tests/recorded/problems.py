"""The problems of the recorded states: a space, a formula, and points drawn without the help of the package."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import knowgrad as kg

Params = dict[str, Any]
Unit = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """A function of parameters on a space, to be minimised."""

    parameters: Mapping[str, Any]
    formula: Callable[[Mapping[str, Any]], float]
    constraints: tuple[str, ...] = ()
    feasible: Callable[[Params], bool] | None = None

    def space(self) -> kg.Space:
        return kg.Space(self.parameters, constraints=self.constraints, feasible=self.feasible)

    def params(self, u: Unit) -> Params:
        """The params at u, one number from 0 to 1 per parameter."""
        return {name: _value(p, float(x)) for (name, p), x in zip(self.parameters.items(), u, strict=True)}


def _value(parameter: Any, u: float) -> Any:
    if isinstance(parameter, kg.Choice):
        return parameter.options[min(int(u * len(parameter.options)), len(parameter.options) - 1)]
    low, high = parameter.low, parameter.high
    value = low * (high / low) ** u if parameter.log else low + u * (high - low)
    if parameter.step is not None:
        value = low + parameter.step * round((value - low) / parameter.step)
    return min(max(value, low), high)


def _paper(problem: kg.problems.Problem) -> Problem:
    return Problem({name: kg.Float(*ends) for name, ends in problem.space.items()}, problem)


def _box(d: int, low: float = 0.0, high: float = 1.0) -> dict[str, kg.Float]:
    return {f"x{i}": kg.Float(low, high) for i in range(1, d + 1)}


def _forrester(p: Mapping[str, Any]) -> float:
    return (6 * p["x1"] - 2) ** 2 * math.sin(12 * p["x1"] - 4)


def _kinked(p: Mapping[str, Any]) -> float:
    return abs(p["x1"] - 0.37) + 0.5 * abs(p["x2"] - 0.61)


def _ripples(p: Mapping[str, Any]) -> float:
    return sum((x - 0.1 * i) ** 2 + 0.1 * math.cos(9 * x) for i, x in enumerate(p.values(), 1))


def _orders(p: Mapping[str, Any]) -> float:
    """Positive, over several orders of magnitude."""
    return math.exp(6 * (p["x1"] - 0.3) ** 2 + 4 * (p["x2"] - 0.8) ** 2)


def _cliff(p: Mapping[str, Any]) -> float:
    """A penalty in one corner."""
    return 1e8 if p["x1"] > 0.75 and p["x2"] > 0.5 else (p["x1"] - 0.6) ** 2 + (p["x2"] - 0.4) ** 2


def _bowl(p: Mapping[str, Any]) -> float:
    return (p["x1"] - 0.8) ** 2 + 2 * (p["x2"] - 0.7) ** 2 + 0.3 * math.sin(8 * p["x1"])


def _mixture(p: Mapping[str, Any]) -> float:
    return (p["a"] - 0.5) ** 2 + (p["b"] - 0.3) ** 2 + p["a"] * p["c"] + 0.02 * abs(p["k"] - 4)


def _counts(p: Mapping[str, Any]) -> float:
    return 0.05 * (p["i"] - 11) ** 2 + (p["j"] / 50 - 0.7) ** 2 + math.sin(3 * p["x"]) * (1 + p["i"] / 16)


def _tuning(p: Mapping[str, Any]) -> float:
    loss = (math.log10(p["rate"]) + 2.5) ** 2 + 0.3 * (math.log2(p["width"]) - 6) ** 2 + 2 * (p["dropout"] - 0.2) ** 2
    return loss + {"relu": 0.0, "tanh": 0.4, "gelu": -0.1}[p["act"]]


def _table(p: Mapping[str, Any]) -> float:
    return 0.1 * (p["i"] - 4) ** 2 + {"a": 0.3, "b": 0.0, "c": 0.6}[p["c"]] + 0.2 * p["flag"]


def _kinds(p: Mapping[str, Any]) -> float:
    shift = {None: 0.2, True: 0.5, "fast": 0.8, 2.5: 0.35}[p["kind"]]
    return (p["x"] - shift) ** 2 + shift / 3


TUNING = {
    "rate": kg.Float(1e-5, 1.0, log=True),
    "width": kg.Int(4, 512, log=True),
    "dropout": kg.Float(0.0, 0.5, step=0.05),
    "act": kg.Choice(["relu", "tanh", "gelu"]),
}

PROBLEMS = {
    "forrester": Problem(_box(1), _forrester),
    "branin": _paper(kg.problems.BRANIN),
    "rosenbrock3": _paper(kg.problems.ROSENBROCK3),
    "ackley5": _paper(kg.problems.ACKLEY5),
    "hartmann6": _paper(kg.problems.HARTMANN6),
    "ripples4": Problem(_box(4), _ripples),
    "ripples7": Problem(_box(7), _ripples),
    "ripples8": Problem(_box(8), _ripples),
    "kinked": Problem(_box(2), _kinked),
    "orders": Problem(_box(2), _orders),
    "cliff": Problem(_box(2), _cliff),
    "bowl": Problem(_box(2), _bowl),
    "half": Problem(_box(2), _bowl, ("x1 + x2 <= 1.2", "x1 - 2*x2 <= 0.5")),
    "disc": Problem(_box(2), _bowl, feasible=lambda p: p["x1"] ** 2 + p["x2"] ** 2 <= 1.0),
    "both": Problem(_box(2), _bowl, ("x1 + x2 <= 1.2",), lambda p: (p["x1"] - 0.5) ** 2 + p["x2"] ** 2 >= 0.04),
    "mixture": Problem(
        {"a": kg.Float(0, 1), "b": kg.Float(0, 1), "c": kg.Float(0, 1), "k": kg.Int(1, 8)},
        _mixture,
        ("a + b + c <= 1", "a + b + c >= 0.6"),
    ),
    "counts": Problem({"i": kg.Int(1, 16), "j": kg.Int(0, 100, step=5), "x": kg.Float(0.0, 2.0)}, _counts),
    "tuning": Problem(TUNING, _tuning),
    "table": Problem({"i": kg.Int(0, 6), "c": kg.Choice(["a", "b", "c"]), "flag": kg.Choice([False, True])}, _table),
    "kinds": Problem({"x": kg.Float(0.0, 1.0), "kind": kg.Choice([None, True, "fast", 2.5])}, _kinds),
}
