"""Params from outside, checked name by name: a value for each parameter that exists, and for nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knowgrad.checked import as_mapping
from knowgrad.errors import SpaceError
from knowgrad.space.conditions.activity import Activity
from knowgrad.space.coordinates import Parameter
from knowgrad.space.scalars import Scalar
from knowgrad.text import shown


def read_params(params: Any) -> Mapping[str, Any]:
    """Params, or the row of a data frame, as a mapping."""
    found = as_mapping(params)
    if found is None:
        raise SpaceError(
            f'params must be a mapping from names to values such as {{"x": 0.5}}, got {shown(params)}; pass a dict'
        )
    return found


def check_values(
    params: Any, parameters: Mapping[str, Parameter], activity: Activity | None = None
) -> dict[str, Scalar]:
    """Canonical values in the order of the parameters, or a SpaceError that says what is wrong with them."""
    params = read_params(params)
    unknown = [name for name in params if name not in parameters]
    sure = [name for name in parameters if activity is None or name not in activity.sometimes]
    missing = [name for name in sure if name not in params]
    if missing or unknown:
        each = ("no value for", missing), ("values for the unknown names", unknown)
        wrong = " and ".join(f"{what} {shown(names)}" for what, names in each if names)
        raise SpaceError(f"expected a value for each of {shown(sure)}, got {wrong}")
    checked = {name: _checked(name, parameters[name], params[name]) for name in sure}
    if activity is None:
        return checked
    for name in activity.sometimes:
        why = activity.fails(name, checked)
        if why is None and name not in params:
            raise SpaceError(
                f"parameter {name!r}: expected a value, got none; it exists where {parameters[name].when}: add it"
            )
        if why is not None and name in params:
            raise SpaceError(f"parameter {name!r}: expected no value, got {shown(params[name])}; {why}: leave it out")
        if why is None:
            checked[name] = _checked(name, parameters[name], params[name])
    return {name: checked[name] for name in parameters if name in checked}


def _checked(name: str, parameter: Parameter, value: Any) -> Scalar:
    try:
        return parameter.check(value)
    except SpaceError as error:
        raise SpaceError(f"parameter {name!r}: {error}") from None
