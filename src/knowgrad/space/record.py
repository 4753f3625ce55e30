"""A space as plain JSON values and back, and what makes two of them differ, in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from knowgrad.errors import SpaceError
from knowgrad.space.coordinates import Parameter
from knowgrad.space.looks.fidelity import Fidelity
from knowgrad.space.looks.source import Source
from knowgrad.space.mixtures import Mixture, read_mixture
from knowgrad.space.numeric import Float, Int
from knowgrad.space.parameters import Choice
from knowgrad.text import shown

KINDS: dict[str, Callable[..., Parameter]] = {
    "float": Float,
    "int": Int,
    "choice": Choice,
    "fidelity": Fidelity,
    "source": Source,
}
FIELDS = {
    "choice": ["options", "features", "when"],
    "fidelity": ["low", "high", "log", "step", "target", "when"],
    "source": ["options", "target", "cost"],
}
KEYS = ("parameters", "constraints", "feasible")


def read_parameter(record: Any, name: str) -> Parameter | Mixture:
    """The parameter that `Parameter.describe` made this record of; fields with a default may be left out."""
    named = record.get("type") if isinstance(record, Mapping) else None
    if named == "mixture":
        return read_mixture(record)
    if not isinstance(named, str) or named not in KINDS:
        raise SpaceError(
            f"parameter {shown(name)}: expected a table with type {', '.join(map(repr, KINDS))}, got {shown(record)}; "
            'write for example {"type": "float", "low": 0.0, "high": 1.0}'
        )
    kind = KINDS[named]
    fields = {key: value for key, value in record.items() if key != "type"}
    if isinstance(fields.get("features"), str):
        raise SpaceError(f"parameter {shown(name)}: features: expected rows of numbers, got text; no file is read here")
    known = FIELDS.get(named, ["low", "high", "log", "step", "when"])
    if wrong := [key for key in fields if key not in known]:
        raise SpaceError(f"parameter {shown(name)}: expected {shown(known)}, got {shown(wrong)}; remove what is wrong")
    try:
        return kind(**fields)
    except TypeError:
        needed = known[: 1 if known[0] == "options" else 2]
        raise SpaceError(f"parameter {shown(name)}: expected {shown(needed)}, got {shown(record)}; add them") from None
    except SpaceError as error:
        raise SpaceError(f"parameter {shown(name)}: {error}") from None


def read_space(record: Any) -> tuple[dict[str, Parameter | Mixture], list[Any], bool]:
    """Parameters, constraints, and whether there was a feasible function."""
    if not isinstance(record, Mapping) or not isinstance(record.get("parameters"), Mapping):
        raise SpaceError(f"a space: expected a table with parameters, got {shown(record)}; use what to_dict() returned")
    if wrong := [key for key in record if key not in KEYS]:
        raise SpaceError(f"a space: expected {shown(list(KEYS))}, got {shown(wrong)}; remove what is wrong")
    parameters = {name: read_parameter(each, name) for name, each in record["parameters"].items()}
    return parameters, record.get("constraints", []), bool(record.get("feasible", False))


def differences(recorded: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """What differs between two spaces as `Space.to_dict` writes them: one line each, empty if nothing does."""
    if "candidates" in recorded or "candidates" in given:
        rows = [len(each["candidates"]["rows"]) if "candidates" in each else "no list" for each in (recorded, given)]
        same = json.dumps(recorded, sort_keys=True) == json.dumps(given, sort_keys=True)
        return [] if same else [f"candidates: recorded {rows[0]} rows, now {rows[1]}, which are not the same"]
    old, new = recorded["parameters"], given["parameters"]
    lines = [f"{name}: recorded {_told(old[name])}, now missing" for name in old if name not in new]
    lines += [f"{name}: not recorded, now {_told(new[name])}" for name in new if name not in old]
    for name in old:
        if name in new and _told(old[name]) != _told(new[name]):
            lines.append(f"{name}: recorded {_told(old[name])}, now {_told(new[name])}")
    if recorded["constraints"] != given["constraints"]:
        lines.append(f"constraints: recorded {recorded['constraints']}, now {given['constraints']}")
    if recorded["feasible"] != given["feasible"]:
        had, has = ("a function" if each["feasible"] else "none" for each in (recorded, given))
        lines.append(f"feasible: recorded {had}, now {has}")
    return lines


def _told(record: Mapping[str, Any]) -> str:
    """As the user would write it; as text also because 1 == True == 1.0."""
    return repr(read_parameter(record, ""))
