"""`Described`: the part of a space that writes it down, reads it back, compares it with others, and shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Self

from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import Parameter
from knowgrad.space.record import read_space
from knowgrad.space.rules import Constraint, Rules

FORMS: dict[str, Callable[[Any], Any]] = {}  # kinds of spaces that are kept under a key of their own


class Described:
    """What a space is, in words and as JSON. Two spaces are equal if they are written down alike."""

    rules: Rules
    parameters: dict[str, Parameter]
    constraints: tuple[Constraint, ...]
    feasible: Callable[..., bool] | None

    def outline(self) -> dict[str, Any]:
        """What a page needs of `to_dict`: of descriptors, how many there are."""
        told = self.to_dict()
        for each in told["parameters"].values():
            if "features" in each:
                each["features"] = len(each["features"][0])
        return told

    def to_dict(self) -> dict[str, Any]:
        """The space as plain JSON values. Of a feasible function it holds only that there is one."""
        parameters = {name: p.describe() for name, p in self.parameters.items()}
        return {"parameters": parameters, "constraints": self.rules.describe(), "feasible": self.feasible is not None}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], *, feasible: Callable[..., bool] | None = None) -> Self:
        """The space that `to_dict` wrote down. A function cannot be: where there was one, it has to be given."""
        for key in FORMS:
            if isinstance(record, Mapping) and key in record:
                form: Self = FORMS[key](record[key])
                return form
        parameters, constraints, has_function = read_space(record)
        if has_function and feasible is None:
            raise SpaceError(
                "the space: expected its feasible function, which cannot be stored, got none; "
                "pass the space with feasible="
            )
        make: Callable[..., Self] = cls
        return make(parameters, constraints=constraints, feasible=feasible)

    def _key(self) -> str:
        return json.dumps(self.to_dict(), sort_keys=True)  # as text, because 1 == True == 1.0

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Described) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        constraints = f", constraints={list(self.constraints)}" if self.constraints else ""
        feasible = f", feasible={getattr(self.feasible, '__name__', '...')}" if self.feasible else ""
        return f"Space({self.parameters}{constraints}{feasible})"
