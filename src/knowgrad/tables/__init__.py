"""A study as a table, and a table as results: one row per trial, whatever the table is made of.

Out: `columns`, `dataframe`, `to_csv`, `to_json`, `to_parquet`. In: `read` takes what a user has, `understood` says what
each row means or why it means nothing, and `add_rows` records the good ones in one change.

May import: errors, text, outcomes, trial, space, storage, log.
"""

from knowgrad.tables.adding import add_rows
from knowgrad.tables.cells import meaning, number
from knowgrad.tables.columns import columns, record, shown_names
from knowgrad.tables.files import to_csv, to_json, to_parquet
from knowgrad.tables.frame import dataframe
from knowgrad.tables.report import Added, Refused

__all__ = [
    "Added",
    "Refused",
    "add_rows",
    "columns",
    "dataframe",
    "meaning",
    "number",
    "record",
    "shown_names",
    "to_csv",
    "to_json",
    "to_parquet",
]
