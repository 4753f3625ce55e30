"""One parameter of scikit-learn's as a parameter of a space, and what its values stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knowgrad.integrations.indexed import same
from knowgrad.space import Choice, Parameter
from knowgrad.space.conditions.when import Test

Curve = Callable[[float], Any]


@dataclass(frozen=True, eq=False)
class Form:
    """A range; or a choice among the indices of `options`; or numbers that stand for others by a curve.

    `law` is what two curves have to agree in to be the same; None: a curve is the same as itself alone.
    """

    parameter: Parameter
    options: Sequence[Any] = ()
    curve: Curve | None = None
    law: Any = None
    tests: tuple[Test, ...] = ()

    def __post_init__(self) -> None:
        if self.parameter.when is not None and not self.tests:
            object.__setattr__(self, "tests", self.parameter.when.tests)

    @classmethod
    def of(cls, options: Sequence[Any]) -> Form:
        return cls(Choice(tuple(range(len(options)))), options)

    @property
    def is_fixed(self) -> bool:
        """Is there one value alone?"""
        return len(self.options) == 1

    def is_same(self, other: Form) -> bool:
        """May one parameter stand for both? Not where it depends on others, which may differ."""
        if self.tests or other.tests or self.parameter != other.parameter or len(self.options) != len(other.options):
            return False
        if not all(map(same, self.options, other.options)):
            return False
        return self.curve is other.curve or (self.law is not None and same(self.law, other.law))

    def renamed(self, names: Mapping[str, str]) -> Form:
        """The same where what it depends on has other names."""
        return replace(
            self, tests=tuple(replace(test, parent=names.get(test.parent, test.parent)) for test in self.tests)
        )
