"""A space whose options may be any objects: estimators, tuples, functions. The space itself knows them by index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space import Choice, Parameter, Params, Space
from knowgrad.space.conditions.when import Test, When
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
        indices = {name: Choice(tuple(range(len(some)))) for name, some in options.items()}
        known = {name: form for name, form in forms.items() if isinstance(form, Parameter)}
        made = {name: indices[name] if name in indices else by_index(known[name], options) for name in forms}
        return cls(Space(made), options)

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
        return index_of(name, self.options[name], value)

    def every(self, limit: int) -> list[Params]:
        """All params of a space of at most so many points, in their order."""
        return [self.space.decode(u) for u in self.space.enumerate(limit)]

    def decoded(self, found: Recommendation) -> Recommendation:
        """A recommendation in the user's terms."""
        best = found.best and replace(found.best, params=self.decode(found.best.params))
        return replace(found, params=self.decode(found.params), best=best)


def index_of(name: str, options: Sequence[Any], value: Any) -> int:
    """The place of a value among the options of a parameter."""
    for index, option in enumerate(options):
        if same(option, value):
            return index
    raise SpaceError(f"parameter {name!r}: expected one of {shown(list(options))}, got {shown(value)}")


def same(one: Any, other: Any) -> bool:
    """Are they the same object, or equal and of one type? Arrays and the like, which do not say, are not."""
    try:
        return one is other or (type(one) is type(other) and bool(one == other))
    except ValueError:
        return False


def by_index(parameter: Parameter, options: Mapping[str, Sequence[Any]]) -> Parameter:
    """The same parameter; where it exists is told by the indices of these options."""

    def told(test: Test) -> Test:
        if test.sign or test.parent not in options:
            return test
        return replace(test, values=tuple(index_of(test.parent, options[test.parent], each) for each in test.values))

    return parameter if parameter.when is None else where(parameter, [told(test) for test in parameter.when.tests])


def where(parameter: Parameter, tests: Sequence[Test]) -> Parameter:
    """The same parameter, where these tests hold."""
    made: Any = parameter
    changed: Parameter = replace(made, when=When(tuple(tests))) if tests else parameter
    return changed
