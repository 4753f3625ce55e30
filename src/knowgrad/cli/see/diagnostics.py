"""`knowgrad diagnostics`: can the model be trusted?"""

import dataclasses
import math
from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study


@click.command()
@of_a_study
def diagnostics(storage: str, name: str | None, as_json: bool) -> None:
    """Say whether the model can be trusted: noise, length scales, leave-one-out checks, warnings in words."""
    found = load(storage, name).diagnostics()
    answer({**_finite(dataclasses.asdict(found)), "text": str(found)}, str(found), as_json=as_json)


def _finite(data: Any) -> Any:
    """JSON has no infinity: null instead."""
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
