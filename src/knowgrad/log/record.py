"""What a study writes down about itself when it is created, and what it may be resumed with.

Space, direction and seed are the study: they may not change. Noise, method and fit are how a session looks at it: they
are recorded for `Study.load`, and a session that says otherwise has its way.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from knowgrad.errors import ArgumentError, MismatchError, StorageError
from knowgrad.space import Space, differences
from knowgrad.trial import Settings

FORMAT, AVERAGED = 1, 2  # of logs; of those of a study of an average, which an earlier version would take for another
NEWEST = AVERAGED


def created(name: str | None, space: Space, settings: Settings, now: float) -> dict[str, Any]:
    """The data of the first event of a log."""
    method = settings.method
    over = created_over(settings)
    return {
        "format": AVERAGED if over else FORMAT,
        "uid": secrets.token_hex(8),
        "name": name,
        "time": now,
        "space": space.to_dict(),
        "direction": settings.direction,
        "seed": settings.seed,
        "noise": {"function": True} if callable(settings.noise) else settings.noise,
        "method": method if isinstance(method, str) else {"object": type(method).__name__},
        "fit": settings.fit,
        **({"over": over} if over else {}),
    }


def created_over(settings: Settings) -> dict[str, Any]:
    """The contexts of an average as JSON: of each parameter pairs of a value and its weight."""
    return {name: [list(pair) for pair in pairs] for name, pairs in settings.over}


def _over(record: Mapping[str, Any]) -> tuple[tuple[str, tuple[tuple[Any, float], ...]], ...]:
    return tuple(
        (name, tuple((value, weight) for value, weight in pairs)) for name, pairs in record.get("over", {}).items()
    )


def resumed(record: Mapping[str, Any], space: Space, settings: Settings, seed: object) -> tuple[Space, Settings]:
    """Space and settings with which to go on, or a MismatchError that shows how they differ from the recorded ones."""
    check_format(record)
    lines = differences(record["space"], space.to_dict())
    if record["direction"] != settings.direction:
        lines.append(f"direction: recorded {record['direction']!r}, now {settings.direction!r}")
    if seed is not None and record["seed"] != settings.seed:
        lines.append(f"seed: recorded {record['seed']}, now {settings.seed}")
    if dict(_over(record)) != dict(settings.over):
        lines.append(f"over: recorded {record.get('over')}, now {created_over(settings) or None}")
    if lines:
        raise MismatchError(
            f"study {record['name']!r}: expected what it was created with, got something else:\n  "
            + "\n  ".join(lines)
            + "\npass the recorded values (Study.load does), or another name= for another study"
        )
    if tuple(record["space"]["parameters"]) != space.names:  # the order of columns is part of what a seed decides
        space = Space.from_dict(record["space"], feasible=space.feasible)
    return space, replace(settings, seed=record["seed"], over=_over(record))


def check_format(record: Mapping[str, Any]) -> None:
    if record["format"] > NEWEST:
        raise StorageError(
            f"study {record['name']!r}: expected a log of format {NEWEST} or less, got {record['format']}, "
            "written by a newer knowgrad; upgrade this one"
        )


def recalled(record: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `Study` as recorded, but for those that are `given`, not None."""
    check_format(record)
    options = {key: record[key] for key in ("direction", "seed", "noise", "method", "fit")}
    options["over"] = record.get("over")
    options |= {key: value for key, value in given.items() if value is not None}
    for key in ("noise", "method"):
        if isinstance(options[key], Mapping):
            what = "a function" if key == "noise" else f"the object {options[key]['object']}"
            raise ArgumentError(
                f"study {record['name']!r}: expected its {key}, {what} that cannot be stored, got none; pass {key}="
            )
    return options
