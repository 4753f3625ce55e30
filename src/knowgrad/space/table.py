"""A table from outside, as columns of plain values: a list of dicts, a CSV file, or a data frame."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space.scalars import Scalar, scalar
from knowgrad.text import shown

Columns = dict[str, list[Scalar]]


def read_columns(table: Any, what: str) -> Columns:
    """The columns by name, all of the same length, at least one row."""
    if isinstance(table, (str, Path)):
        rows = _file(Path(table), what)
    elif callable(getattr(table, "to_dict", None)) and hasattr(table, "columns"):
        rows = table.to_dict("records")
    else:
        rows = table
    if isinstance(rows, (Mapping, bytes)) or not isinstance(rows, Iterable):
        raise SpaceError(f"{what}: expected a list of dicts, a CSV file or a data frame, got {shown(table)}")
    found = list(rows)
    if not found or not all(isinstance(row, Mapping) and row for row in found):
        raise SpaceError(f"{what}: expected one or more rows, each a dict of its columns, got {shown(found[:3])}")
    names = list(found[0])
    if wrong := [name for name in names if not isinstance(name, str) or not name]:
        raise SpaceError(f"{what}: expected names of columns that are non-empty strings, got {shown(wrong)}; rename")
    for i, row in enumerate(found):
        if row.keys() != found[0].keys():
            raise SpaceError(
                f"{what}: expected the columns {shown(names)} in every row, got {shown(list(row))} in row {i}; "
                "fill in what is missing"
            )
    return {
        str(name): [_cell(row[name], f"{what}: row {i}, {name!r}") for i, row in enumerate(found)] for name in names
    }


def _cell(value: Any, where: str) -> Scalar:
    if isinstance(value, float) and not math.isfinite(value):
        raise SpaceError(f"{where}: expected a finite number, got {value}; fill it in, or leave the row or column out")
    return scalar(value, where)


def _file(path: Path, what: str) -> list[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SpaceError(f"{what}: expected a CSV file at {str(path)!r}, got {error}; check the path") from None
    if any(None in row or None in row.values() for row in rows):
        raise SpaceError(
            f"{what}: expected as many cells as columns in every row of {str(path)!r}; fill in what is missing"
        )
    names = reader.fieldnames or []
    columns = {name: _typed([row[name] for row in rows]) for name in names}
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _typed(cells: Sequence[str]) -> list[Any]:
    """Whole numbers, numbers, or text: what all cells of a column are."""
    for kind in (int, float):
        try:
            return [kind(cell) for cell in cells]
        except ValueError:
            continue
    return list(cells)
