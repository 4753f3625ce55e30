"""What the rows of a table mean for a study: a point with its outcome, or a reason why they mean nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowgrad.errors import ArgumentError, KnowgradError, SpaceError
from knowgrad.log.settle import outcome, priced
from knowgrad.log.several import outcomes
from knowgrad.outcomes import Goals
from knowgrad.space import Params, Space
from knowgrad.tables.cells import is_missing, meaning, number, rearmed
from knowgrad.tables.columns import column, sem_column
from knowgrad.tables.reading import Row, Table
from knowgrad.tables.report import Refused
from knowgrad.text import plain, shown
from knowgrad.trial import Outcome

Named = str | Mapping[str, str]  # a column, or one for each outcome
PLAIN = Goals()
OPEN = ("queued", "pending", "expired", "discarded")  # states of an exported trial that has no result to count

WAITING = ("pending", "expired")  # of which some of several outcomes may be in, and count


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
        told = {key: value for key, value in self.data.items() if key != "cost"}
        return Outcome("complete" if self.kind == "told" else "failed", **told)


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is what."""

    params: Mapping[str, str]
    results: Mapping[str, tuple[str, str]]
    """Of each outcome the columns of its values and of their standard errors; that of a plain study is "value"."""
    ignored: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table, space: Space, results: Mapping[str, tuple[str, str]]) -> "Columns":
        params = located(table, space)
        values = [value for value, _ in results.values()]
        if taken := [value for value in values if value in params.values()]:
            raise ArgumentError(
                f"table: expected the results in a column that is no parameter, got {taken[0]!r}; "
                f"name theirs with value=, or the parameter's {column(taken[0])!r}"
            )
        if not {*values, "state", "reason"} & set(table.names):
            wanted = f"a column {values[0]!r}" if len(values) == 1 else f"columns {shown(values)}"
            raise ArgumentError(
                f"table: expected {wanted} with the results, got {shown(list(table.names))}; "
                "rename one, or name it with value="
            )
        used = {*params.values(), *(name for pair in results.values() for name in pair), "state", "reason", "cost"}
        return cls(params, results, tuple(name for name in table.names if name not in used))


def results_in(goals: Goals, value: Named, sem: Named) -> dict[str, tuple[str, str]]:
    """The columns of each outcome: as the user names them, else those of its name."""
    if not goals:
        if not isinstance(value, str) or not isinstance(sem, str):
            raise ArgumentError(f"value, sem: expected the names of columns, got {shown(value)} and {shown(sem)}")
        return {"value": (value, sem)}
    given = [{} if isinstance(each, str) else each for each in (value, sem)]
    if wrong := [name for each in given for name in each if name not in goals.names]:
        raise ArgumentError(f"value, sem: expected outcomes {shown(list(goals.names))}, got {shown(wrong)}")
    return {name: (given[0].get(name, name), given[1].get(name, sem_column(name))) for name in goals.names}


def located(table: Table, space: Space) -> dict[str, str]:
    """The column of each parameter: `params_x` as `export` writes it, or `x`."""
    for form in (column, str, plain):
        found = {name: form(name) for name in space.names}
        if space.is_told_by([name for name in space.names if found[name] in table.names]):
            return found
    missing = [name for name in space.always if name not in table.names and column(name) not in table.names]
    raise ArgumentError(
        f"table: expected a column for each of {shown(list(space.always))}, or all of them with params_ in front, "
        f"got {shown(list(table.names))}; {f'add {shown(missing)}' if missing else 'name all in the same way'}"
    )


def understood(
    table: Table,
    space: Space,
    direction: str,
    value: Named = "value",
    sem: Named = "sem",
    decimal: str = ".",
    goals: Goals = PLAIN,
) -> tuple[list[Entry], list[Refused], tuple[str, ...]]:
    """The rows that mean something, those that do not, and the columns that were ignored."""
    columns = Columns.of(table, space, results_in(goals, value, sem))
    entries, refused = [], []
    for i, row in enumerate(table.rows):
        try:
            params = point(row, space, columns.params, decimal)
            entries.append(Entry(i, row.where, params, *_outcome(row, columns, direction, goals, decimal)))
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
        if is_missing(cell) and space.can_omit(name, params):
            continue
        try:
            params[name] = parameter.check(meaning(cell, parameter, decimal))
        except (ArgumentError, SpaceError) as error:
            raise SpaceError(f"parameter {name!r}: {error}") from None
    return space.validate(params)


def _outcome(row: Row, columns: Columns, direction: str, goals: Goals, decimal: str) -> tuple[str, dict[str, Any]]:
    cells = row.cells
    state, reason = cells.get("state"), cells.get("reason")
    told = {name: pair for name, pair in columns.results.items() if not is_missing(cells.get(pair[0]))}
    paid = None if "cost" in columns.params.values() or is_missing(cells.get("cost")) else cells["cost"]
    cost = None if paid is None else _number(paid, "cost", decimal)
    if state == "failed" or (not told and not is_missing(reason)):
        return "failed", {"reason": plain(rearmed(str(reason or "failed"))), **priced(cost)}
    if state in OPEN and not (goals and told and state in WAITING):
        raise ArgumentError(f"expected a trial with a result, got one that is {state}; nothing to add")
    if not told:
        raise ArgumentError("expected a result, got an empty cell; fill it in, or give a reason in a column reason")
    pairs = {name: (_told(cells, value, decimal), _told(cells, sem, decimal)) for name, (value, sem) in told.items()}
    if goals:
        kind, data = outcomes(pairs, None, goals)
        return kind, data | priced(cost)
    return outcome(*pairs["value"], direction, cost)


def _told(cells: Mapping[str, Any], name: str, decimal: str) -> Any:
    return None if is_missing(cells.get(name)) else _number(cells[name], name, decimal)


def _number(cell: Any, name: str, decimal: str) -> Any:
    try:
        return number(cell, decimal) if isinstance(cell, str) else cell
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {error}") from None
