"""A study as a file: one row per trial, a parameter `x` in the column `params_x`.

Text is made harmless (`knowgrad.text`). In CSV that includes what a spreadsheet would run: a text that looks like a
formula with a call in it is kept from being one by an apostrophe.
"""

import csv
import io
import json
import re
from typing import Any

from knowgrad.cli.common import record
from knowgrad.errors import MissingPackageError
from knowgrad.study import Study
from knowgrad.text import plain

BEFORE = ("number", "id", "state", "value", "sem")
AFTER = ("reason", "source", "batch", "worker", "retry_of")
# Without a call or a pipe a formula does nothing; options such as -O2 are to stay as they are.
FORMULA = re.compile(r"\s*[=+\-@][^(|]*[(|]")


def columns(study: Study) -> dict[str, list[Any]]:
    """The trials, column by column."""
    trials = study.trials
    return {
        **{field: [_clean(getattr(trial, field)) for trial in trials] for field in BEFORE},
        **{plain(f"params_{name}"): [_clean(trial.params[name]) for trial in trials] for name in study.space.names},
        **{field: [_clean(getattr(trial, field)) for trial in trials] for field in AFTER},
    }


def _clean(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value


def to_csv(study: Study) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    table = columns(study)
    writer.writerow(table)
    writer.writerows(map(_unarmed, row) for row in zip(*table.values(), strict=True))
    return out.getvalue().encode()


def _unarmed(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def to_json(study: Study) -> bytes:
    data = {
        "name": study.name,
        "direction": study.direction,
        "seed": study.seed,
        "space": study.space.to_dict(),
        "trials": [record(trial) for trial in study.trials],
    }
    return json.dumps(data, allow_nan=False, indent=1).encode() + b"\n"


def to_parquet(study: Study) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingPackageError(
            "export: expected pyarrow to write Parquet, got none; pip install pyarrow, or export CSV"
        ) from error
    out = io.BytesIO()
    parquet.write_table(pyarrow.table({name: _column(values) for name, values in columns(study).items()}), out)
    return out.getvalue()


def _column(values: list[Any]) -> list[Any]:
    """A column has one type: options of several types are written as JSON."""
    kinds = {type(value) for value in values if value is not None}
    return values if len(kinds) <= 1 else [json.dumps(value) for value in values]
