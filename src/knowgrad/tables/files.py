"""A study as the bytes of a file: CSV, JSON or Parquet."""

import csv
import io
import json
from typing import Any

from knowgrad.tables.cells import clean, unarmed
from knowgrad.tables.columns import Tabular, columns, record
from knowgrad.tables.packages import missing


def to_csv(study: Tabular) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    table = columns(study)
    writer.writerow(table)
    writer.writerows([unarmed(clean(cell)) for cell in row] for row in zip(*table.values(), strict=True))
    return out.getvalue().encode()


def to_json(study: Tabular) -> bytes:
    data = {
        "name": study.name,
        "direction": study.direction,
        "seed": study.seed,
        **study.goals.record(),
        "space": study.space.to_dict(),
        "trials": [record(trial) for trial in study.trials],
    }
    return json.dumps(data, allow_nan=False, indent=1).encode() + b"\n"


def to_parquet(study: Tabular) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise missing("pyarrow", "export to Parquet") from error
    out = io.BytesIO()
    parquet.write_table(pyarrow.table({name: _column(values) for name, values in columns(study).items()}), out)
    return out.getvalue()


def _column(values: list[Any]) -> list[Any]:
    """A column has one type: options of several types are written as JSON."""
    kinds = {type(value) for value in values if value is not None}
    return [clean(value) for value in values] if len(kinds) <= 1 else [json.dumps(value) for value in values]
