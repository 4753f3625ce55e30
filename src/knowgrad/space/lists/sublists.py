"""A list of candidates in a context: the rows that have its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowgrad.errors import ArgumentError
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.lists.rows import same
from knowgrad.text import shown


def of_the_list(space: Candidates, names: Iterable[str]) -> list[str]:
    """Those of the names that are columns of the table."""
    return [name for name in names if name in space.table]


def cell_of(space: Candidates, name: str, value: Any) -> Any:
    """The value as the table has it; ArgumentError if no row does."""
    different = dict.fromkeys(space.table[name])
    for cell in different:
        if same(cell, value):
            return cell
    raise ArgumentError(f"expected a value that a candidate has, {shown(list(different)[:8])}, got {shown(value)}")


def rows_with(space: Candidates, context: Mapping[str, Any]) -> NDArray[np.intp]:
    """The numbers of the rows that have these values; ArgumentError if there are none."""
    found = np.ones(len(next(iter(space.table.values()))), dtype=bool)
    for name in of_the_list(space, context):
        found &= np.array([same(cell, context[name]) for cell in space.table[name]])
    if not found.any():
        raise ArgumentError(
            f"expected values that a candidate has, got {shown(dict(context))}; give those of one of the rows"
        )
    return np.flatnonzero(found)


def in_contexts(space: Candidates, contexts: Sequence[Mapping[str, Any]]) -> Candidates:
    """The rows of the contexts, in the same columns; of several contexts only what can be tried in each of them."""
    names = of_the_list(space, contexts[0])
    key = tuple(tuple((name, type(context[name]), context[name]) for name in names) for context in contexts)
    if key not in space.parts:
        space.parts[key] = space.kept(_everywhere(space, contexts, names))
    return space.parts[key]


def _everywhere(space: Candidates, contexts: Sequence[Mapping[str, Any]], names: list[str]) -> NDArray[np.intp]:
    """The numbers of the rows whose other columns occur in every context."""
    others = [name for name in space.seen if name in space.table and name not in names]
    parts = [rows_with(space, context) for context in contexts]
    recipes = [{tuple(space.table[name][i] for name in others): i for i in part.tolist()} for part in parts]
    everywhere = set.intersection(*(set(each) for each in recipes))
    if not everywhere:
        raise ArgumentError(
            f"over: expected candidates that differ in nothing but {shown(names)}, got no such rows for all contexts; "
            "add them to the list, or give fewer values"
        )
    return np.unique([each[recipe] for each in recipes for recipe in everywhere]).astype(np.intp)


def common(space: Candidates, params: Mapping[str, Any], contexts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of the params of a row without its context, those that it has in every context: labels may differ."""
    seen = {name: value for name, value in params.items() if name in space.seen}
    rows = [int(rows_with(space, {**context, **seen})[0]) for context in contexts]
    return {
        name: value
        for name, value in params.items()
        if name not in space.table or all(same(space.table[name][i], value) for i in rows)
    }


def rest_of_list(space: Candidates, fixed: Mapping[str, Any]) -> Candidates:
    """The list of the rows in a context, without its columns: as a study of these rows alone would have it."""
    left = space.without(fixed)
    if not (names := of_the_list(space, fixed)):
        return left
    rows = [
        {name: column[i] for name, column in space.table.items() if name not in names}
        for i in rows_with(space, fixed).tolist()
    ]
    seen = [name for name in space.seen if name in rows[0] and len({row[name] for row in rows}) > 1]
    if not seen:
        raise ArgumentError(
            f"expected more than one candidate to choose from, got one with {shown(dict(fixed))}; enqueue() it, or "
            "give less"
        )
    return Candidates(rows, features=seen, beside=left.beside)
