"""A table from outside, as rows: a CSV file, a list of dicts, a dict of columns, a DataFrame."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from knowgrad.errors import ArgumentError
from knowgrad.space.table import separator
from knowgrad.text import describe, shown

FORMS = "a list of dicts, a dict of columns, a DataFrame, or the path of a CSV file"


@dataclass(frozen=True, slots=True)
class Row:
    """The cells by column; `wrong` says why they cannot be told apart, if so."""

    where: str
    cells: Mapping[str, Any]
    wrong: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    names: tuple[str, ...]
    rows: tuple[Row, ...]


def read(table: Any) -> Table:
    """The rows of whatever holds them, or an ArgumentError."""
    if isinstance(table, str | PathLike):
        return from_csv(Path(table).read_bytes(), str(table))
    for verb, arguments in (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",))):  # Arrow, Polars, pandas
        if hasattr(table, verb) and not isinstance(table, Mapping):
            return _from_records(_without_nulls(table, getattr(table, verb)(*arguments)))
    if isinstance(table, Mapping):
        return _from_records(_records(table))
    if isinstance(table, Sequence) and not isinstance(table, bytes):
        return _from_records(table)
    raise ArgumentError(f"table: expected {FORMS}, got {shown(table)}; pass one of these")


def _records(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of columns; of single values, one row."""
    if not any(_is_column(cells) for cells in table.values()):
        return [dict(table)]
    if wrong := [name for name, cells in table.items() if not _is_column(cells)]:
        raise ArgumentError(f"table: expected a column of values for each name, got a single one for {shown(wrong)}")
    lengths = {name: len(cells) for name, cells in table.items()}
    if len(set(lengths.values())) > 1:
        raise ArgumentError(f"table: expected columns of one length, got {shown(lengths)}; fill in what is missing")
    return [dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)]


def _is_column(cells: Any) -> bool:
    return hasattr(cells, "__len__") and not isinstance(cells, str | bytes | Mapping)


def _without_nulls(table: Any, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """pandas has several ways to say that there is nothing."""
    if not hasattr(table, "isna"):
        return records
    empty = table.isna().to_dict("records")
    return [
        {name: None if gone[name] else cell for name, cell in row.items()}
        for row, gone in zip(records, empty, strict=True)
    ]


def _from_records(records: Sequence[Any]) -> Table:
    if wrong := [i for i, record in enumerate(records) if not isinstance(record, Mapping)]:
        raise ArgumentError(f"table: expected {FORMS}, got {shown(records[wrong[0]])} at {wrong[0]}; pass one of these")
    names = dict.fromkeys(str(name) for record in records for name in record)
    rows = (Row(f"row {i}", {str(name): cell for name, cell in r.items()}) for i, r in enumerate(records))
    return Table(tuple(names), tuple(rows))


def from_csv(content: bytes, what: str) -> Table:
    """A file as spreadsheets write them: columns apart by comma, semicolon or tab, the first row their names."""
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArgumentError(f"{what}: expected UTF-8, got {describe(error)}; save it as CSV UTF-8") from None
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator(text), strict=True))
    except csv.Error as error:
        raise ArgumentError(f"{what}: expected CSV, got {describe(error)}; save it as CSV again") from None
    numbered = [(n, line) for n, line in enumerate(lines, 1) if any(cell.strip() for cell in line)]
    if not numbered:
        raise ArgumentError(f"{what}: expected a first row with the names of the columns, got nothing; add it")
    names = [name.strip() for name in numbered[0][1]]
    if twice := {name for name in names if name and names.count(name) > 1}:
        raise ArgumentError(f"{what}: expected each column once, got {shown(sorted(twice))} more often; rename them")
    return Table(tuple(filter(None, names)), tuple(_rows(names, numbered[1:])))


def _rows(names: list[str], lines: list[tuple[int, list[str]]]) -> Iterator[Row]:
    for n, line in lines:
        extra = [cell for cell in line[len(names) :] if cell.strip()]
        wrong = f"expected {len(names)} cells, got {len(line)}; quote what has a separator in it" if extra else None
        cells = [*line, *[""] * (len(names) - len(line))]
        yield Row(f"row {n}", {name: cell for name, cell in zip(names, cells, strict=False) if name}, wrong)
