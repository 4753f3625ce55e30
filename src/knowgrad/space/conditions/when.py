"""When a parameter exists: `when={"booster": ["gbtree", "dart"]}`, `when="layers >= 2"`, or a list of such.

All that is written has to hold. What it means for a given space is `activity`'s business.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.expression import parsed
from knowgrad.space.scalars import Scalar, scalar
from knowgrad.text import shown

FORMS = (
    'write when={"booster": ["gbtree", "dart"]}, a comparison of numbers such as when="layers >= 2", '
    "or a list of these, all of which have to hold"
)
SIGNS: dict[type[ast.cmpop], str] = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "=="}
MIRRORED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "=="}


@dataclass(frozen=True)
class Test:
    """A parameter has one of these values; or, if there is a sign, compares so with the bound."""

    parent: str
    values: tuple[Scalar, ...] = ()
    sign: str = ""
    bound: float = 0.0

    def __str__(self) -> str:
        if self.sign:
            return f"{self.parent} {self.sign} {self.bound!r}"
        return (
            f"{self.parent} in {list(self.values)!r}" if len(self.values) > 1 else f"{self.parent} = {self.values[0]!r}"
        )


@dataclass(frozen=True)
class When:
    """Tests that all have to hold."""

    tests: tuple[Test, ...]

    def form(self) -> Any:
        """As plain JSON values, in the form that users write."""
        named = {test.parent: list(test.values) for test in self.tests if not test.sign}
        compared = " and ".join(str(test) for test in self.tests if test.sign)
        return [named, compared] if named and compared else named or compared

    def __str__(self) -> str:
        return " and ".join(map(str, self.tests))

    def __repr__(self) -> str:
        return repr(self.form())


def read_when(form: Any) -> When | None:
    """What a user wrote for `when`; None where nothing is."""
    if form is None or isinstance(form, When):
        return form
    tests = _tests(form)
    seen = [test.parent for test in tests if not test.sign]
    if twice := [name for name in seen if seen.count(name) > 1]:
        raise SpaceError(f"when: expected each name once, got {shown(twice[0])} twice; list its values once")
    return When(tuple(tests))


def _tests(form: Any) -> list[Test]:
    if isinstance(form, str):
        return _Comparison(str.__str__(form)).read()
    if isinstance(form, Mapping) and form:
        return [_among(name, values) for name, values in form.items()]
    if isinstance(form, list | tuple) and form and not any(isinstance(each, list | tuple) for each in form):
        return [test for each in form for test in _tests(each)]
    raise SpaceError(f"when: expected conditions, got {shown(form)}; {FORMS}")


def _among(name: Any, values: Any) -> Test:
    if not isinstance(name, str) or not name:
        raise SpaceError(f"when: expected the name of a parameter, got {shown(name)}; {FORMS}")
    values = values.tolist() if isinstance(values, np.ndarray) else values
    options = list(values) if isinstance(values, list | tuple | set | frozenset) else [values]
    if not options:
        raise SpaceError(f"when: expected values of {shown(name)}, got none; list those at which the parameter exists")
    return Test(str.__str__(name), tuple(scalar(each, f"when: a value of {shown(name)}") for each in options))


class _Comparison:
    """Reads text such as "layers >= 2", "2 <= layers < 5" or "layers >= 2 and width > 64"."""

    def __init__(self, text: str) -> None:
        self.text = text

    def refuse(self, problem: str) -> SpaceError:
        return SpaceError(f"when {shown(self.text)}: {problem}; {FORMS}")

    def _unreadable(self, problem: str) -> SpaceError:
        return self.refuse(f"{problem}; what is compared has to be a plain Python name, without spaces")

    def read(self) -> list[Test]:
        return parsed(self.text, self._all, self._unreadable)

    def _all(self, tree: ast.expr) -> list[Test]:
        parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
        return [test for part in parts for test in self._chain(part)]

    def _chain(self, tree: ast.expr) -> list[Test]:
        if not isinstance(tree, ast.Compare):
            raise self.refuse(f"{shown(ast.unparse(tree))} is not a comparison of a parameter with a number")
        sides = [tree.left, *tree.comparators]
        return [self._pair(*pair) for pair in zip(sides, tree.ops, sides[1:], strict=False)]

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Test:
        sign = SIGNS.get(type(op))
        if sign is None:
            raise self.refuse(f"compares by {type(op).__name__}, not by <=, >=, <, > or ==")
        if isinstance(left, ast.Name) and not isinstance(right, ast.Name):
            return Test(left.id, sign=sign, bound=self._number(right))
        if isinstance(right, ast.Name) and not isinstance(left, ast.Name):
            return Test(right.id, sign=MIRRORED[sign], bound=self._number(left))
        raise self.refuse("expected the name of a parameter on one side and a number on the other")

    def _number(self, node: ast.expr) -> float:
        factor = 1
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            factor, node = -1 if isinstance(node.op, ast.USub) else 1, node.operand
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.refuse(f"{shown(ast.unparse(node))} is not a finite number")
        return factor * value
