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

FORMAT = 1


def created(name: str | None, space: Space, settings: Settings, now: float) -> dict[str, Any]:
    """The data of the first event of a log."""
    method = settings.method
    return {
        "format": FORMAT,
        "uid": secrets.token_hex(8),
        "name": name,
        "time": now,
        "space": space.to_dict(),
        "direction": settings.direction,
        "seed": settings.seed,
        "noise": {"function": True} if callable(settings.noise) else settings.noise,
        "method": method if isinstance(method, str) else {"object": type(method).__name__},
        "fit": settings.fit,
    }


def resumed(record: Mapping[str, Any], space: Space, settings: Settings, seed: object) -> tuple[Space, Settings]:
    """Space and settings with which to go on, or a MismatchError that shows how they differ from the recorded ones."""
    check_format(record)
    lines = differences(record["space"], space.to_dict())
    if record["direction"] != settings.direction:
        lines.append(f"direction: recorded {record['direction']!r}, now {settings.direction!r}")
    if seed is not None and record["seed"] != settings.seed:
        lines.append(f"seed: recorded {record['seed']}, now {settings.seed}")
    if lines:
        raise MismatchError(
            f"study {record['name']!r}: expected what it was created with, got something else:\n  "
            + "\n  ".join(lines)
            + "\npass the recorded values (Study.load does), or another name= for another study"
        )
    if tuple(record["space"]["parameters"]) != space.names:  # the order of columns is part of what a seed decides
        space = Space.from_dict(record["space"], feasible=space.feasible)
    return space, replace(settings, seed=record["seed"])


def check_format(record: Mapping[str, Any]) -> None:
    if record["format"] > FORMAT:
        raise StorageError(
            f"study {record['name']!r}: expected a log of format {FORMAT}, got {record['format']}, "
            "written by a newer knowgrad; upgrade this one"
        )


def recalled(record: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `Study` as recorded, but for those that are `given`, not None."""
    check_format(record)
    options = {key: record[key] for key in ("direction", "seed", "noise", "method", "fit")}
    options |= {key: value for key, value in given.items() if value is not None}
    for key in ("noise", "method"):
        if isinstance(options[key], Mapping):
            what = "a function" if key == "noise" else f"the object {options[key]['object']}"
            raise ArgumentError(
                f"study {record['name']!r}: expected its {key}, {what} that cannot be stored, got none; pass {key}="
            )
    return options
