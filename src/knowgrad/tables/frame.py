"""The trials as a pandas DataFrame."""

from typing import Any

from knowgrad.tables.columns import Tabular, columns, sem_column
from knowgrad.tables.packages import missing

# A column that is empty so far has its type all the same.
TYPES = {
    "value": "float64",
    "sem": "float64",
    "batch": "Int64",
    "retry_of": "Int64",
    "began": "float64",
    "ended": "float64",
}


def dataframe(study: Tabular) -> Any:
    """One row per trial, with the columns of `knowgrad export`; nothing is pandas' NaN, None or NA."""
    try:
        import pandas
    except ImportError as error:
        raise missing("pandas", "to_dataframe") from error
    named = dict.fromkeys((each for name in study.goals.names for each in (name, sem_column(name))), "float64")
    return pandas.DataFrame(columns(study)).astype(TYPES | named)
