"""Columns of a table as parameters, and which of them a model is to see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import FloatArray, Parameter
from knowgrad.space.equalities import ends
from knowgrad.space.looks.graded import Graded, graded
from knowgrad.space.numeric import Float, Int
from knowgrad.space.parameters import Choice, read_parameters
from knowgrad.space.scalars import Scalar
from knowgrad.space.table import Columns, all_numbers
from knowgrad.text import shown

MOST = 64  # columns that a model sees
OPTIONS = 64  # different texts of a column that is a feature without being named as one


def as_parameters(columns: Columns) -> dict[str, Parameter]:
    """Each column as the parameter whose values are in it: numbers in even steps as levels, texts as options."""
    return {name: _parameter(list(dict.fromkeys((type(v), v) for v in column))) for name, column in columns.items()}


def _parameter(different: list[tuple[type, Scalar]]) -> Parameter:
    values: list[Any] = [value for _, value in different]
    if len(values) == 1 or not all(is_number(value) for value in values):
        return Choice(tuple(values))
    values = sorted(values)
    gaps: set[Fraction] = set()
    if np.ptp(np.diff(np.array(values, dtype=float))) < 1e-6 * (values[-1] - values[0]) / len(values):
        gaps = {Fraction(repr(b)) - Fraction(repr(a)) for a, b in pairwise(values)}
    even = min(gaps) if len(gaps) == 1 else None
    if all(isinstance(value, int) for value in values):
        return Int(values[0], values[-1], step=1 if even is None else int(even))
    return Float(values[0], values[-1], step=None if even is None else float(even))


def points_of(parameter: Parameter, column: list[Scalar]) -> FloatArray:
    """The columns of the cube (n, width) of a column of values."""
    if isinstance(parameter, Choice):
        places = {(type(option), option): float(k) for k, option in enumerate(parameter.options)}
        return parameter.place([places[type(value), value] for value in column])
    low, high = map(float, ends(parameter))
    share = (np.array(column, dtype=float) - low) / (high - low)
    return parameter.place(parameter.locate(share[:, None]))


def seen_of(columns: Columns, features: Iterable[str] | None, labels: Iterable[str]) -> tuple[str, ...]:
    """The names of the columns that the model sees."""
    chosen = None if features is None else _named(features, columns, "features")
    hidden = _named(labels, columns, "labels")
    if both := [name for name in hidden if name in (chosen or ())]:
        raise SpaceError(f"Candidates: expected features and labels to differ, got {shown(both)} as both; drop one")
    if chosen is None:
        chosen = [name for name, column in columns.items() if name not in hidden and _tells(column, name)]
    if len(next(iter(columns.values()))) < 2:
        raise SpaceError("Candidates: expected two or more rows to choose among, got one; add others")
    if not chosen:
        raise SpaceError(f"Candidates: no column of {shown(list(columns))} tells rows apart; name some by features=")
    if len(chosen) > MOST:
        raise SpaceError(f"Candidates: expected at most {MOST} features, got {len(chosen)}; name the best by features=")
    if dull := [name for name in chosen if len(set(columns[name])) == 1]:
        raise SpaceError(f"Candidates: the columns {shown(dull)} are the same in every row; leave them out of features")
    return tuple(name for name in columns if name in chosen)


def _tells(column: list[Scalar], name: str) -> bool:
    """Does a column say something about its rows, more than just which is which?"""
    remedy = "name the column by features= if it is a choice, by labels= if the model is not to see it"
    different = len(set(column))
    return different > 1 and (
        all_numbers(column, f"Candidates: {name!r}", remedy) or different <= min(OPTIONS, max(len(column) // 2, 2))
    )


def _named(names: Any, columns: Mapping[str, Any], what: str) -> list[str]:
    found = [names] if isinstance(names, str) else names
    if not isinstance(found, Iterable) or (unknown := [name for name in list(found) if name not in columns]):
        got = shown(names) if not isinstance(found, Iterable) else shown(unknown)
        raise SpaceError(f"Candidates: {what} must be among the columns {shown(list(columns))}, got {got}")
    return list(found)


def beside_of(beside: Any, columns: Mapping[str, Any]) -> dict[str, Graded]:
    """What is beside a list, checked."""
    found = {} if beside is None else read_parameters(beside) if beside else {}
    if wrong := [name for name, each in found.items() if not isinstance(each, Graded) or name in columns]:
        raise SpaceError(
            f"Candidates: beside: expected fidelities and sources, no columns of the table, got {shown(wrong)}; "
            "make them columns, or kg.Fidelity or kg.Source"
        )
    return graded(found)
