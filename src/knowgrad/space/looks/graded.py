"""Parameters at one of whose values one decides: fidelities and sources. At others a look is cheaper, and says less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.scalars import Scalar


class Graded(Parameter):
    """What is asked of both kinds."""

    target: Any

    def prices(self, block: FloatArray) -> FloatArray:
        """What a look costs at columns (…, width), in units of what one at the target costs, if nobody says so."""
        raise NotImplementedError

    def cheap(self) -> list[Scalar]:
        """Values at which to begin, the cheapest first; the target alone if there is no other."""
        raise NotImplementedError


def graded(parameters: Mapping[str, Parameter]) -> dict[str, Graded]:
    """Those that are fidelities or sources."""
    return {name: each for name, each in parameters.items() if isinstance(each, Graded)}


class _Tried(Protocol):
    @property
    def params(self) -> Mapping[str, Any]: ...


T = TypeVar("T", bound=_Tried)


def decisive(trials: Sequence[T], space: Any) -> list[T]:
    """Those at the target of all fidelities and sources; all of them, where none is."""
    at = {name: each.target for name, each in graded(space.parameters).items()}
    found = [trial for trial in trials if all(trial.params[name] == value for name, value in at.items())]
    return found or list(trials)
