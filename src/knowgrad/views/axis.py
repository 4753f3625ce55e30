"""A parameter as the axis of a chart: its scale, its range, its values as numbers and its options by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.space import Choice, Space


@dataclass(frozen=True, slots=True)
class Axis:
    """Choices lie at 0, 1, 2, …, in the order of their `labels`; numbers lie where they are."""

    name: str
    scale: Literal["linear", "log", "choice"]
    low: float
    high: float
    labels: tuple[str, ...] = ()


def axis_of(space: Space, name: str) -> Axis:
    parameter = space.parameters[name]
    if isinstance(parameter, Choice):
        return Axis(name, "choice", 0.0, len(parameter.options) - 1.0, labels(parameter))
    told = parameter.describe()
    return Axis(name, "log" if told["log"] else "linear", float(told["low"]), float(told["high"]))


def labels(choice: Choice) -> tuple[str, ...]:
    """The options as text; where two would look the same, as Python writes them: 1 and '1'."""
    plain = tuple(option if isinstance(option, str) else repr(option) for option in choice.options)
    return plain if len(set(plain)) == len(plain) else tuple(repr(option) for option in choice.options)


def number(space: Space, name: str, value: Any) -> float:
    """Where a value lies on the axis of its parameter."""
    parameter = space.parameters[name]
    return parameter.position(value) if isinstance(parameter, Choice) else float(value)


def grid(space: Space, name: str, most: int) -> tuple[Array, Array]:
    """Up to `most` values over the range of a parameter, as numbers (m,) and as columns (m, width)."""
    parameter = space.parameters[name]
    if isinstance(parameter, Choice):
        coordinates: Array = np.arange(float(len(parameter.options)))
    else:
        coordinates = np.unique(parameter.locate(np.linspace(0.0, 1.0, most)[:, None]))
    values = [number(space, name, parameter.value(c)) for c in coordinates.tolist()]
    return np.array(values), parameter.place(coordinates)
