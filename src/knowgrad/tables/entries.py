"""What the rows of a table mean for a study: a point with its outcome, or a reason why they mean nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowgrad.errors import ArgumentError, KnowgradError, SpaceError
from knowgrad.log.settle import outcome
from knowgrad.space import Params, Space
from knowgrad.tables.cells import is_missing, meaning, number, rearmed
from knowgrad.tables.columns import column
from knowgrad.tables.reading import Row, Table
from knowgrad.tables.report import Refused
from knowgrad.text import plain, shown
from knowgrad.trial import Outcome

OPEN = ("queued", "pending", "expired", "discarded")  # states of an exported trial that has no result to count


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that was understood: `kind` and `data` are those of the event of its outcome."""

    row: int
    where: str
    params: Params
    kind: str
    data: dict[str, Any]

    @property
    def outcome(self) -> Outcome:
        return Outcome("complete" if self.kind == "told" else "failed", **self.data)


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is what."""

    params: Mapping[str, str]
    value: str
    sem: str
    ignored: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table, space: Space, value: str, sem: str) -> "Columns":
        params = located(table, space)
        if value in params.values():
            raise ArgumentError(
                f"table: expected the results in a column that is no parameter, got {value!r}; "
                f"name theirs with value=, or the parameter's {column(value)!r}"
            )
        if value not in table.names and not {"state", "reason"} & set(table.names):
            raise ArgumentError(
                f"table: expected a column {value!r} with the results, got {shown(list(table.names))}; "
                "rename one, or name it with value="
            )
        used = {*params.values(), value, sem, "state", "reason"}
        return cls(params, value, sem, tuple(name for name in table.names if name not in used))


def located(table: Table, space: Space) -> dict[str, str]:
    """The column of each parameter: `params_x` as `export` writes it, or `x`."""
    for form in (column, str, plain):
        found = {name: form(name) for name in space.names}
        if {found[name] for name in space.always} <= set(table.names):
            return found
    missing = [name for name in space.always if name not in table.names and column(name) not in table.names]
    raise ArgumentError(
        f"table: expected a column for each of {shown(list(space.always))}, or all of them with params_ in front, "
        f"got {shown(list(table.names))}; {f'add {shown(missing)}' if missing else 'name all in the same way'}"
    )


def understood(
    table: Table, space: Space, direction: str, value: str = "value", sem: str = "sem", decimal: str = "."
) -> tuple[list[Entry], list[Refused], tuple[str, ...]]:
    """The rows that mean something, those that do not, and the columns that were ignored."""
    columns = Columns.of(table, space, value, sem)
    entries, refused = [], []
    for i, row in enumerate(table.rows):
        try:
            params = point(row, space, columns.params, decimal)
            entries.append(Entry(i, row.where, params, *_outcome(row, columns, direction, decimal)))
        except KnowgradError as error:
            refused.append(Refused(i, row.where, str(error)))
    return entries, refused, columns.ignored


def point(row: Row, space: Space, columns: Mapping[str, str], decimal: str = ".") -> Params:
    """The params of a row."""
    if row.wrong:
        raise ArgumentError(row.wrong)
    params: Params = {}
    for name in space.order:
        cell, parameter = row.cells.get(columns[name]), space.parameters[name]
        if is_missing(cell) and space.lacks(name, params):
            continue
        try:
            params[name] = parameter.check(meaning(cell, parameter, decimal))
        except (ArgumentError, SpaceError) as error:
            raise SpaceError(f"parameter {name!r}: {error}") from None
    return space.validate(params)


def _outcome(row: Row, columns: Columns, direction: str, decimal: str) -> tuple[str, dict[str, Any]]:
    cells = row.cells
    state, reason, value = cells.get("state"), cells.get("reason"), cells.get(columns.value)
    if state == "failed" or (is_missing(value) and not is_missing(reason)):
        return "failed", {"reason": plain(rearmed(str(reason or "failed")))}
    if state in OPEN:
        raise ArgumentError(f"expected a trial with a result, got one that is {state}; nothing to add")
    if is_missing(value):
        raise ArgumentError("expected a result, got an empty cell; fill it in, or give a reason in a column reason")
    sem = cells.get(columns.sem)
    told = _number(value, columns.value, decimal)
    return outcome(told, None if is_missing(sem) else _number(sem, columns.sem, decimal), direction)


def _number(cell: Any, name: str, decimal: str) -> Any:
    try:
        return number(cell, decimal) if isinstance(cell, str) else cell
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None
