"""A space whose options may be any objects: estimators, tuples, functions. The space itself knows them by index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space import Choice, Parameter, Params, Space
from knowgrad.text import shown
from knowgrad.trial import Recommendation


@dataclass(frozen=True)
class Indexed:
    """A space, the options behind the indices of some of its parameters, and what the numbers of others stand for."""

    space: Space
    options: Mapping[str, Sequence[Any]]
    curves: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, forms: Mapping[str, Parameter | Sequence[Any]]) -> Indexed:
        """Of parameters, and of sequences of options."""
        options = {name: form for name, form in forms.items() if not isinstance(form, Parameter)}
        by_index = {name: Choice(tuple(range(len(some)))) for name, some in options.items()}
        return cls(Space({**forms, **by_index}), options)

    def decode(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The user's params of the space's."""
        known = {name: self.options[name][v] if name in self.options else v for name, v in params.items()}
        return {name: self.curves[name](v) if name in self.curves else v for name, v in known.items()}

    def encode(self, params: Mapping[str, Any]) -> Params:
        """The space's params of the user's, checked."""
        return self.space.validate({name: self._index(name, value) for name, value in params.items()})

    def _index(self, name: str, value: Any) -> Any:
        if name not in self.options:
            return value
        for index, option in enumerate(self.options[name]):
            if option is value or (type(option) is type(value) and option == value):
                return index
        raise SpaceError(f"parameter {name!r}: expected one of {shown(list(self.options[name]))}, got {shown(value)}")

    def decoded(self, found: Recommendation) -> Recommendation:
        """A recommendation in the user's terms."""
        best = found.best and replace(found.best, params=self.decode(found.best.params))
        return replace(found, params=self.decode(found.params), best=best)
