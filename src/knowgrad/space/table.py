"""A table from outside, as columns of plain values: a list of dicts, a dict of columns, a CSV file, or a data frame."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from knowgrad.checked import is_number
from knowgrad.errors import SpaceError
from knowgrad.space.scalars import Scalar, scalar
from knowgrad.text import describe, shown

Columns = dict[str, list[Scalar]]
SEPARATORS = ",;\t"
VERBS: tuple[tuple[str, tuple[str, ...]], ...] = (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",)))


def read_columns(table: Any, what: str) -> Columns:
    """The columns by name, all of the same length, at least one row."""
    rows = _rows(table, what)
    if isinstance(rows, (Mapping, str, bytes)) or not isinstance(rows, Iterable):
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


def all_numbers(column: Sequence[Scalar], where: str, remedy: str) -> bool:
    """Are all cells numbers? None among numbers is a mistake, and so is a text among more numbers: a SpaceError."""
    others = [i for i, cell in enumerate(column) if not is_number(cell)]
    is_empty = any(column[i] is None for i in others) and len(others) < len(column)
    if is_empty or 0 < 2 * len(others) < len(column):
        raise SpaceError(
            f"{where}: expected a number in row {others[0]}, as in most rows, got {shown(column[others[0]])}; "
            f"fill it in, or {remedy}"
        )
    return not others


def _cell(value: Any, where: str) -> Scalar:
    if isinstance(value, float) and not math.isfinite(value):
        raise SpaceError(f"{where}: expected a finite number, got {value}; fill it in, or leave the row or column out")
    return scalar(value, where)


def _rows(table: Any, what: str) -> Any:
    """The rows of whatever holds them, not yet checked."""
    if isinstance(table, (str, Path)):
        return _file(Path(table), what)
    if isinstance(table, Mapping):
        columns = {name: list(cells) for name, cells in table.items() if _is_column(cells)}
        if not columns or len(columns) < len(table) or len({len(cells) for cells in columns.values()}) > 1:
            return table
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for verb, arguments in VERBS if hasattr(table, "columns") else ():  # Arrow, Polars, pandas
        if hasattr(table, verb):
            _refuse_twice(list(map(str, getattr(table, "column_names", table.columns))), what)
            return getattr(table, verb)(*arguments)
    return table


def _is_column(cells: Any) -> bool:
    return hasattr(cells, "__len__") and not isinstance(cells, str | bytes | Mapping)


def _refuse_twice(names: Sequence[str], what: str) -> None:
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SpaceError(f"{what}: expected each column once, got {shown(twice)} more often; rename them")


def _file(path: Path, what: str) -> list[dict[str, Any]]:
    """A file as spreadsheets write them. Cells are numbers where all cells of their column are."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        mark = separator(text)
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if any(line)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SpaceError(
            f"{what}: expected a CSV file in UTF-8 at {str(path)!r}, got {describe(error)}; check the path and the file"
        ) from None
    names, rows = [name.strip() for name in lines[0]] if lines else [], lines[1:]
    _refuse_twice(names, what)
    if any(len(row) != len(names) for row in rows):
        raise SpaceError(
            f"{what}: expected as many cells as columns in every row of {str(path)!r}; fill in what is missing"
        )
    columns = [_typed(cells, "," if mark == ";" else ".") for cells in zip(*rows, strict=True)]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def separator(text: str) -> str:
    """What the first row has most of, outside quotes."""
    head = "".join(text.lstrip().split("\n", 1)[0].split('"')[::2])
    return max(SEPARATORS, key=head.count)


def _typed(cells: Sequence[str], decimal: str) -> list[Any]:
    """Whole numbers, numbers, or text: what all cells of a column are, apart from empty ones."""
    if not all(_is_empty(cell) for cell in cells):
        for kind in (int, float):
            with suppress(ValueError):
                return [None if _is_empty(cell) else kind(_written(cell, decimal)) for cell in cells]
    return list(cells)


def _is_empty(cell: str) -> bool:
    return cell.strip().lower() in ("", "na", "n/a", "null", "none")


def _written(cell: str, decimal: str) -> str:
    """As Python writes numbers; what it would read as one, but nobody else, is text."""
    return "text" if "_" in cell else cell.replace(decimal, ".")
