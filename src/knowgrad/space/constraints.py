"""Linear constraints: from text such as "x + 2*y <= 1" or "x + y == 1" to coefficients."""

from __future__ import annotations

import ast
import keyword
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import Parameter
from knowgrad.space.expression import parsed
from knowgrad.space.parameters import Choice
from knowgrad.text import shown

ALLOWED = (
    "a constraint is linear in the numeric parameters, such as 'x + 2*y <= 1' or '0 <= 3*a - b/2 <= c': "
    "names, numbers, + - * / and parentheses, compared by <=, >=, <, > or ==; use feasible= for anything else"
)
Form = tuple[dict[str, Fraction], Fraction]  # Σ coefficient * name + constant


@dataclass(frozen=True)
class Linear:
    """Σ coefficients[name] * name <= bound, or == bound if it is `equal`, in user units."""

    text: str
    coefficients: dict[str, Fraction]
    bound: Fraction
    equal: bool = False


class _Reader:
    """Reads one constraint against the parameters it may mention."""

    def __init__(self, text: str, parameters: Mapping[str, Parameter]) -> None:
        self.text, self.parameters = text, parameters

    def refuse(self, problem: str) -> SpaceError:
        odd = [name for name in self.parameters if not name.isidentifier() or keyword.iskeyword(name)]
        hint = f"; {shown(odd)} cannot be written in a constraint, not being plain Python names: rename" if odd else ""
        return SpaceError(f"constraint {shown(self.text)}: {problem}; {ALLOWED}{hint}")

    def read(self) -> list[Linear]:
        return parsed(self.text, self._comparisons, self.refuse)

    def _comparisons(self, tree: ast.expr) -> list[Linear]:
        if not isinstance(tree, ast.Compare):
            raise self.refuse("is not a comparison")
        forms = [self._form(side) for side in (tree.left, *tree.comparators)]
        found = []
        for left, sign, right in zip(forms, tree.ops, forms[1:], strict=False):
            if not isinstance(sign, (ast.LtE, ast.Lt, ast.GtE, ast.Gt, ast.Eq)):
                raise self.refuse(f"compares by {type(sign).__name__}")
            small, large = (right, left) if isinstance(sign, (ast.GtE, ast.Gt)) else (left, right)
            coefficients, bound = _sum(small, large, Fraction(-1))
            coefficients = {name: factor for name, factor in coefficients.items() if factor}
            if not coefficients:
                raise self.refuse("no parameter is left in it")
            found.append(Linear(self.text, coefficients, -bound, isinstance(sign, ast.Eq)))
        return found

    def _form(self, node: ast.expr) -> Form:
        if isinstance(node, ast.Constant):
            return {}, self._number(node.value)
        if isinstance(node, ast.Name):
            return {self._name(node.id): Fraction(1)}, Fraction(0)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return _sum(
                ({}, Fraction(0)), self._form(node.operand), Fraction(-1 if isinstance(node.op, ast.USub) else 1)
            )
        if isinstance(node, ast.BinOp):
            return self._operation(node, self._form(node.left), self._form(node.right))
        raise self.refuse(f"{shown(ast.unparse(node))} is not allowed")

    def _operation(self, node: ast.BinOp, left: Form, right: Form) -> Form:
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return _sum(left, right, Fraction(1 if isinstance(node.op, ast.Add) else -1))
        nothing: Form = ({}, Fraction(0))
        if isinstance(node.op, ast.Mult):
            if any(left[0].values()) and any(right[0].values()):
                raise self.refuse(f"{shown(ast.unparse(node))} is not linear")
            form, factor = (left, right[1]) if any(left[0].values()) else (right, left[1])
            return _sum(nothing, form, factor)
        if isinstance(node.op, ast.Div):
            if any(right[0].values()):
                raise self.refuse(f"{shown(ast.unparse(node))} is not linear")
            if not right[1]:
                raise self.refuse(f"{shown(ast.unparse(node))} divides by zero")
            return _sum(nothing, left, 1 / right[1])
        raise self.refuse(f"{shown(ast.unparse(node))} is not allowed")

    def _number(self, value: Any) -> Fraction:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value in (math.inf, -math.inf):
            raise self.refuse(f"{shown(value)} is not a finite number")
        return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)

    def _name(self, name: str) -> str:
        if name not in self.parameters:
            raise self.refuse(f"there is no parameter {name!r}, only {shown(list(self.parameters))}")
        if isinstance(self.parameters[name], Choice):
            raise self.refuse(f"{name!r} is a Choice, which has no order")
        return name


def _sum(left: Form, right: Form, factor: Fraction) -> Form:
    """left + factor * right."""
    total = dict(left[0])
    for name, coefficient in right[0].items():
        total[name] = total.get(name, Fraction(0)) + factor * coefficient
    return total, left[1] + factor * right[1]


def read_constraint(text: Any, parameters: Mapping[str, Parameter]) -> list[Linear]:
    """What one constraint says: a chain such as '0 <= x <= y' says several things."""
    if not isinstance(text, str):
        raise SpaceError(f"a constraint must be a string such as 'x + 2*y <= 1', got {shown(text)}")
    return _Reader(text, parameters).read()
