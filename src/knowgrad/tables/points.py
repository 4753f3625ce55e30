"""Points from outside: params, or a table of them."""

from typing import Any

from knowgrad.errors import ArgumentError, SpaceError
from knowgrad.space import Params, Space
from knowgrad.tables.columns import column
from knowgrad.tables.entries import located, point
from knowgrad.tables.reading import read
from knowgrad.text import shown


def read_points(table: Any, space: Space) -> list[Params]:
    """The params of every row; the first that makes no sense is an error. Exported tables may have more columns."""
    rows = read(table)
    if not rows.rows:
        return []
    columns = located(rows, space)
    unknown = [name for name in rows.names if name not in columns.values()]
    if unknown and columns != {name: column(name) for name in space.names}:
        raise ArgumentError(f"points: expected the parameters {shown(list(space.names))}, got also {shown(unknown)}")
    found = []
    for row in rows.rows:
        try:
            found.append(point(row, space, columns))
        except (ArgumentError, SpaceError) as error:
            raise SpaceError(f"points, {row.where}: {error}") from None
    return found
