"""Descriptors of options: a table of numbers from outside, and where it puts the options in relation to each other.

    symbol  shape     meaning
    F       (k, p)    descriptors of k options, columns that are the same for all left out
    B       (k, r)    coordinates in the unit cube: columns of F from 0 to 1, those left out that say nearly the same as
                      one before; each has a length scale of its own, so what matters of them is learned

`read_descriptors` makes F of what a user has, `coordinates` B of F.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import FloatArray
from knowgrad.space.scalars import Scalar, finite
from knowgrad.space.table import all_numbers, read_columns
from knowgrad.text import shown

ALIKE = 0.6  # correlation from which on the later one of two columns is left out
MOST = 64  # columns that are kept
Rows = tuple[tuple[float, ...], ...]


def read_descriptors(table: Any, options: Sequence[Scalar]) -> Rows:
    """F: a row of numbers for each option, in the order of the options; columns that all have in common left out.

    `table` maps options to rows, or is a list of rows in the order of the options, or has a column with the options.
    """
    if isinstance(table, Mapping):
        rows = _mapped(table, options)
    elif _is_list_of_rows(table):
        rows = [_numbers(row, f"features of {option!r}") for row, option in zip(list(table), options, strict=False)]
        if len(list(table)) != len(options):
            raise SpaceError(f"Choice: features: expected {len(options)} rows, one for each option, got {len(table)}")
    else:
        rows = _looked_up(table, options)
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise SpaceError("Choice: features: expected as many numbers for each option, got rows of different lengths")
    F = np.array(rows, dtype=float)
    differ = np.ptp(F, axis=0) > 0.0
    if not differ.any():
        raise SpaceError("Choice: features: expected numbers in which the options differ, got none; leave features out")
    return tuple(tuple(row) for row in F[:, differ].tolist())


def _is_list_of_rows(table: Any) -> bool:
    rows = table.tolist() if isinstance(table, np.ndarray) else table
    return isinstance(rows, (list, tuple)) and bool(rows) and not any(isinstance(row, Mapping) for row in rows)


def _numbers(row: Any, what: str) -> list[float]:
    cells = row.values() if isinstance(row, Mapping) else row
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        cells = [cells]
    return [float(cell) if _is_flag(cell) else finite(cell, f"Choice: {what}: a number") for cell in cells]


def _is_flag(cell: Any) -> bool:
    """A bit of a fingerprint: True and False are the numbers 1 and 0."""
    return isinstance(cell, (bool, np.bool_))


def _mapped(table: Mapping[Any, Any], options: Sequence[Scalar]) -> list[list[float]]:
    if missing := [option for option in options if option not in table]:
        raise SpaceError(f"Choice: features: expected a row for each option, got none for {shown(missing)}; add them")
    names = list(table[options[0]]) if isinstance(table[options[0]], Mapping) else None
    if names is None:
        return [_numbers(table[option], f"features of {option!r}") for option in options]
    if any(not isinstance(table[option], Mapping) or set(table[option]) != set(names) for option in options):
        raise SpaceError(
            f"Choice: features: expected the columns {shown(names)} for each option; fill in what is missing"
        )
    return [_numbers([table[option][name] for name in names], f"features of {option!r}") for option in options]


def _looked_up(table: Any, options: Sequence[Scalar]) -> list[list[float]]:
    """From a table with a column of options, or with as many rows as there are options."""
    index = getattr(table, "index", None)
    if index is not None and not callable(index) and set(options) <= set(index):
        table = table.loc[list(options)]
    table = table.to_frame("value") if hasattr(table, "to_frame") and not hasattr(table, "columns") else table
    columns = read_columns(table, "Choice: features")
    n = len(next(iter(columns.values())))
    key = next((name for name, column in columns.items() if set(options) <= set(column)), None)
    if key is None:
        _refuse_others(columns, options)
    if key is None and n != len(options):
        raise SpaceError(
            f"Choice: features: expected a column with the options {shown(list(options))}, got none in the columns "
            f"{shown(list(columns))}; add one"
        )
    if key is not None and (twice := [option for option in options if columns[key].count(option) > 1]):
        raise SpaceError(f"Choice: features: expected one row for each option, got more for {shown(twice)}; drop them")
    at = range(n) if key is None else [columns[key].index(option) for option in options]
    numeric = [
        column
        for name, column in columns.items()
        if name != key and _are_numbers(column, f"Choice: features: {name!r}")
    ]
    if not numeric:
        raise SpaceError(f"Choice: features: expected columns of numbers, got {shown(list(columns))}; add some")
    return [[float(column[i] or 0.0) for column in numeric] for i in at]


def _refuse_others(columns: Mapping[str, Sequence[Scalar]], options: Sequence[Scalar]) -> None:
    """A column with some of the options is not one of labels: a name in it is misspelt, or a row is missing."""
    named = {option for option in options if isinstance(option, str)}
    for name, column in columns.items():
        if named & set(column) and (missing := sorted(named - set(column))):
            raise SpaceError(
                f"Choice: features: expected a row for each option, got none for {shown(missing)} in the column "
                f"{name!r}; add them, or correct the names"
            )


def _are_numbers(column: Sequence[Scalar], where: str) -> bool:
    """A column of text is left out."""
    return all(map(_is_flag, column)) or all_numbers(column, where, "leave the column out")


def coordinates(rows: Rows) -> FloatArray:
    """B, from F."""
    F = np.array(rows)
    F = np.ldexp(F, -np.frexp(np.abs(F).max(axis=0))[1])  # squares of the largest numbers are no floats
    Z = (F - F.mean(axis=0)) / F.std(axis=0)
    alike, chosen = np.abs(Z.T @ Z) / len(Z), list[int]()
    left = np.ones(F.shape[1], dtype=bool)
    while left.any() and len(chosen) < MOST:
        chosen.append(int(left.argmax()))
        left &= alike[chosen[-1]] < ALIKE
        left[chosen[-1]] = False
    B = F[:, chosen] - F[:, chosen].min(axis=0)
    inside: FloatArray = B / B.max(axis=0)
    return inside
