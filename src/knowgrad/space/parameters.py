"""Choice, and parameters from the forms a user may write them in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import FloatArray, Parameter, store
from knowgrad.space.numeric import Float, Int
from knowgrad.space.scalars import Scalar, scalar
from knowgrad.text import shown

ONE_HOT = math.sqrt(0.5)  # two different options are then at distance one


@dataclass(frozen=True, repr=False)
class Choice(Parameter):
    """One of a list of options: str, int, float, bool or None."""

    options: tuple[Scalar, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.options, (list, tuple)):
            raise SpaceError(f"Choice needs a list of options, got {shown(self.options)}")
        options = tuple(scalar(option, "Choice: an option") for option in self.options)
        if not options:
            raise SpaceError("Choice needs at least one option, got an empty list")
        # 1 == True == 1.0 in Python, but they are different options.
        if len({(type(option), option) for option in options}) < len(options):
            raise SpaceError(f"Choice options must differ, got {shown(list(options))}; remove the duplicates")
        store(self, options=options, cells=len(options) - 1, width=len(options))

    def check(self, value: Any) -> Scalar:
        return self.options[self._find(scalar(value, "the value"))]

    def _find(self, value: Scalar) -> int:
        for k, option in enumerate(self.options):
            if type(option) is type(value) and option == value:
                return k
        for k, option in enumerate(self.options):
            if is_number(option) and is_number(value) and option == value:
                return k  # 1 for the option 1.0
        raise SpaceError(f"expected one of {shown(list(self.options))}, got {shown(value)}")

    def position(self, value: Scalar) -> float:
        return self._find(value)

    def value(self, coordinate: float) -> Scalar:
        return self.options[int(coordinate)]

    def locate(self, block: FloatArray) -> FloatArray:
        option: FloatArray = np.argmax(block, axis=-1).astype(np.float64)
        return option

    def place(self, coordinate: npt.ArrayLike) -> FloatArray:
        chosen = np.asarray(coordinate)[..., None] == np.arange(self.width)
        block: FloatArray = np.where(chosen, ONE_HOT, 0.0)
        return block

    def describe(self) -> dict[str, Any]:
        return {"type": "choice", "options": list(self.options)}

    def __repr__(self) -> str:
        return f"Choice({list(self.options)!r})"


def as_parameter(form: Any) -> Parameter:
    """A parameter, or its plain form: (0.0, 1.0), (1, 10) or ["a", "b"]."""
    if isinstance(form, Parameter):
        return form
    if isinstance(form, list):
        return Choice(tuple(form))
    if isinstance(form, tuple) and len(form) == 2 and all(is_number(bound) for bound in form):
        if all(isinstance(bound, (int, np.integer)) for bound in form):
            return Int(*form)
        return Float(*form)
    raise SpaceError(
        "expected Float, Int, Choice, a tuple of two numbers such as (0.0, 1.0) or (1, 10), "
        f'or a list of options such as ["a", "b"], got {shown(form)}'
    )


def read_parameters(params: Any) -> dict[str, Parameter]:
    if not isinstance(params, Mapping):
        raise SpaceError(f"a space must be a mapping from names to parameters, got {shown(params)}")
    if not params:
        raise SpaceError("a space needs at least one parameter, got an empty mapping")
    parameters = {}
    for name, form in params.items():
        if not isinstance(name, str) or not name:
            raise SpaceError(f"a parameter's name must be a non-empty string, got {shown(name)}")
        try:
            parameters[str.__str__(name)] = as_parameter(form)
        except SpaceError as error:
            raise SpaceError(f"parameter {shown(name)}: {error}") from None
    return parameters
