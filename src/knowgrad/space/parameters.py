"""Choice, and parameters from the forms a user may write them in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.space.conditions.when import read_when
from knowgrad.space.coordinates import FloatArray, Parameter, described, store
from knowgrad.space.descriptors import coordinates, read_descriptors
from knowgrad.space.numeric import Float, Int
from knowgrad.space.scalars import Scalar, scalar
from knowgrad.text import shown

ONE_HOT = math.sqrt(0.5)  # two different options are then at distance one


@dataclass(frozen=True, repr=False)
class Choice(Parameter):
    """One of a list of options: str, int, float, bool or None.

    `features` are descriptors of the options, a table of numbers: options with similar ones are then expected to give
    similar results, as far as the results say so. It maps options to rows, or has a column with the options, or has
    rows in their order; it is a dict, a list, the path of a CSV file or a data frame.
    """

    options: tuple[Scalar, ...]
    _: KW_ONLY
    features: Any = None
    when: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.options, np.ndarray):
            store(self, options=self.options.tolist())
        if not isinstance(self.options, (list, tuple)):
            raise SpaceError(f"Choice needs a list of options, got {shown(self.options)}")
        options = tuple(scalar(option, "Choice: an option") for option in self.options)
        if not options:
            raise SpaceError("Choice needs at least one option, got an empty list")
        # 1 == True == 1.0 in Python, but they are different options.
        if len({(type(option), option) for option in options}) < len(options):
            raise SpaceError(f"Choice options must differ, got {shown(list(options))}; remove the duplicates")
        k = len(options)
        store(self, options=options, cells=k - 1, width=k, one_hot=k, when=read_when(self.when))
        if self.features is not None:
            store(self, features=read_descriptors(self.features, options))
            store(self, width=len(options) + self._places.shape[1])

    @cached_property
    def _places(self) -> FloatArray:
        return coordinates(self.features)

    @property
    def parts(self) -> tuple[int, ...]:
        """What is just different, and each descriptor, have a length scale: these are the weights that are learned."""
        k = len(self.options)
        return (k, *[1] * (self.width - k))

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
        option: FloatArray = np.argmax(block[..., : len(self.options)], axis=-1).astype(np.float64)
        return option

    def place(self, coordinate: npt.ArrayLike) -> FloatArray:
        chosen = np.asarray(coordinate)[..., None] == np.arange(len(self.options))
        block: FloatArray = np.where(chosen, ONE_HOT, 0.0)
        if self.features is None:
            return block
        return np.concatenate([block, self._places[np.asarray(coordinate, dtype=np.intp)]], axis=-1)

    def apart(self) -> FloatArray:
        """By how much two different options differ in each column: the root of the mean square."""
        blocks = self.place(np.arange(len(self.options)))
        share: FloatArray = np.sqrt(2.0 * len(blocks) / max(len(blocks) - 1, 1) * blocks.var(axis=0))
        return share if len(blocks) > 1 else blocks[0]

    def describe(self) -> dict[str, Any]:
        told: dict[str, Any] = {"type": "choice", "options": list(self.options)}
        told = told if self.features is None else told | {"features": [list(row) for row in self.features]}
        return described(told, self.when)

    def __repr__(self) -> str:
        more = "" if self.features is None else f", features=({len(self.features[0])} columns)"
        when = "" if self.when is None else f", when={self.when!r}"
        return f"Choice({list(self.options)!r}{more}{when})"


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
        "expected Float, Int, Choice, Fidelity, Source, a tuple of two numbers such as (0.0, 1.0) or (1, 10), "
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
