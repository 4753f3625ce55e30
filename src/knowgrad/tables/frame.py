"""The trials as a pandas DataFrame."""

from typing import Any

from knowgrad.errors import MissingPackageError
from knowgrad.tables.columns import Tabular, columns

# A column that is empty so far has its type all the same.
TYPES = {"value": "float64", "sem": "float64", "batch": "Int64", "retry_of": "Int64"}


def dataframe(study: Tabular) -> Any:
    """One row per trial, with the columns of `knowgrad export`; nothing is pandas' NaN, None or NA."""
    try:
        import pandas
    except ImportError as error:
        raise MissingPackageError(
            "to_dataframe: expected the package pandas, which is not installed; pip install pandas, or export CSV"
        ) from error
    return pandas.DataFrame(columns(study)).astype(TYPES)
