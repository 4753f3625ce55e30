"""A list of candidates as it is written down, read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space.described import FORMS
from knowgrad.space.lists.candidates import Candidates
from knowgrad.space.record import read_parameter
from knowgrad.text import shown


def read_candidates(record: Any) -> Candidates:
    """The list that `Candidates.to_dict` made this record of; rows may also be tables by name."""
    rows = record.get("rows") if isinstance(record, Mapping) else None
    if not isinstance(rows, list) or set(record) - {"names", "features", "labels", "rows", "beside"}:
        raise SpaceError(
            f"candidates: expected a table with rows, and names, features or labels, got {shown(record)}; write for "
            'example {"names": ["x", "y"], "rows": [[0, 1], [2, 3]]}'
        )
    names = record.get("names")
    if names is not None:
        if not isinstance(names, list) or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
            raise SpaceError(
                f"candidates: expected rows of as many values as there are names, got names {shown(names)}"
            )
        rows = [dict(zip(names, row, strict=True)) for row in rows]
    forms = record.get("beside", {})
    if not isinstance(forms, Mapping):
        raise SpaceError(
            f"candidates: beside: expected a table of fidelities and sources by name, got {shown(forms)}; write for "
            'example {"by": {"type": "source", "options": ["rule", "lab"], "target": "lab"}}'
        )
    beside = {name: read_parameter(each, name) for name, each in forms.items()}
    return Candidates(rows, features=record.get("features"), labels=record.get("labels", ()), beside=beside)


FORMS["candidates"] = read_candidates
