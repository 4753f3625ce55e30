"""What a study writes down about itself when it is created, and what it may be resumed with.

Space, direction and seed are the study: they may not change. Noise, method and fit are how a session looks at it: they
are recorded for `Study.load`, and a session that says otherwise has its way.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from knowgrad.errors import ArgumentError, MismatchError, StorageError
from knowgrad.log.earlier import checked_earlier, told_earlier
from knowgrad.log.ledger import Ledger
from knowgrad.outcomes import Goals
from knowgrad.space import Space, differences
from knowgrad.storage import Clock
from knowgrad.trial import Event, Noise, Settings

# Of logs; of those of a study of an average, which an earlier version would take for another; of named outcomes; of
# those whose space was changed, which the event that changes it says.
FORMAT, AVERAGED, NAMED, CHANGED = 1, 2, 3, 4
NEWEST = CHANGED


def created(name: str | None, space: Mapping[str, Any], settings: Settings, now: float) -> dict[str, Any]:
    """The data of the first event of a log; the space as `Space.to_dict` writes it."""
    method = settings.method
    over = created_over(settings)
    return {
        "format": NAMED if settings.objectives else AVERAGED if over else FORMAT,
        "uid": secrets.token_hex(8),
        "name": name,
        "time": now,
        "space": space,
        "direction": settings.direction,
        "seed": settings.seed,
        "noise": _noise(settings.noise),
        "method": method if isinstance(method, str) else {"object": type(method).__name__},
        "fit": settings.fit,
        **({"over": over} if over else {}),
        **settings.goals.record(),
        **({"noises": {name: _noise(noise) for name, noise in settings.noises}} if settings.noises else {}),
        **({} if settings.cost is None else {"cost": _told_cost(settings.cost)}),
        **({"learn_from": told_earlier(settings.earlier)} if settings.earlier else {}),
    }


def _noise(noise: Noise) -> Any:
    return {"function": True} if callable(noise) else noise


def _told_cost(cost: object) -> Any:
    """A function cannot be stored: what trials have cost is in the log, and is learned from without it."""
    return cost if isinstance(cost, str) else "learned"


def beginning(name: str | None, space: Space, settings: Settings) -> Callable[[Ledger, Clock], list[Event]]:
    """Decides on the first event of a log, unless somebody else was faster."""

    def decide(ledger: Ledger, now: Clock) -> list[Event]:
        return [] if ledger.created else [Event("created", created(name, space.to_dict(), settings, now()))]

    return decide


def created_over(settings: Settings) -> dict[str, Any]:
    """The contexts of an average as JSON: of each parameter pairs of a value and its weight."""
    return {name: [list(pair) for pair in pairs] for name, pairs in settings.over}


def _over(record: Mapping[str, Any]) -> tuple[tuple[str, tuple[tuple[Any, float], ...]], ...]:
    return tuple(
        (name, tuple((value, weight) for value, weight in pairs)) for name, pairs in record.get("over", {}).items()
    )


def resumed(ledger: Ledger, space: Space, settings: Settings, seed: object) -> tuple[Space, Settings]:
    """Space and settings with which to go on, or a MismatchError that shows how they differ from the recorded ones.

    Where the space was changed, a process that still has an earlier one continues with the new one.
    """
    check_format(ledger)
    record, now = ledger.created, ledger.spaces[-1]
    given = space.to_dict()
    lines = differences(now, given)
    before = bool(lines) and any(not differences(each, given) for each in ledger.spaces[:-1])
    lines = [] if before else lines
    if record["direction"] != settings.direction:
        lines.append(f"direction: recorded {record['direction']!r}, now {settings.direction!r}")
    if seed is not None and record["seed"] != settings.seed:
        lines.append(f"seed: recorded {record['seed']}, now {settings.seed}")
    lines += _goals_differ(record, settings)
    if dict(_over(record)) != dict(settings.over):
        lines.append(f"over: recorded {record.get('over')}, now {created_over(settings) or None}")
    if lines:
        raise MismatchError(
            f"study {record['name']!r}: expected what it was created with, got something else:\n  "
            + "\n  ".join(lines)
            + "\npass the recorded values (Study.load does), or another name= for another study; to change the space, "
            "call study.change() (knowgrad change --space FILE)"
        )
    # The order of columns and of outcomes is part of what a seed decides.
    if before or ("parameters" in now and tuple(now["parameters"]) != space.names):
        space = Space.from_dict(now, feasible=space.feasible)
    space = space.reaching() if len(ledger.spaces) > 1 else space
    there = Goals.recorded(record)
    fixed = {"seed": record["seed"], "over": _over(record), "objectives": there.objectives, "limits": there.limits}
    earlier = checked_earlier(record.get("learn_from"), space, settings.direction)
    return space, replace(settings, **fixed, earlier=earlier)


def _goals_differ(record: Mapping[str, Any], settings: Settings) -> list[str]:
    """Objectives and limits are the study; what outcomes cost is up to a session."""
    there, now = Goals.recorded(record), settings.goals
    lines = []
    if dict(there.objectives) != dict(now.objectives):
        lines.append(f"objectives: recorded {dict(there.objectives) or None}, now {dict(now.objectives) or None}")
    if set(there.limits) != set(now.limits):
        lines.append(f"limits: recorded {list(map(str, there.limits))}, now {list(map(str, now.limits))}")
    return lines


def check_format(ledger: Ledger) -> None:
    if ledger.format > NEWEST:
        raise StorageError(
            f"study {ledger.created['name']!r}: expected a log of format {NEWEST} or less, got {ledger.format}, "
            "written by a newer knowgrad; upgrade this one"
        )


def recalled(ledger: Ledger, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `Study` as recorded, but for those that are `given`, not None."""
    check_format(ledger)
    record = ledger.created
    options = {key: record[key] for key in ("seed", "noise", "method", "fit")}
    if not record.get("objectives"):
        options["direction"] = record["direction"]
    options |= {key: record.get(key) for key in ("over", "objectives", "limits", "costs", "cost", "learn_from")}
    noises = record.get("noises", {})
    if noises and {"function": True} not in noises.values():
        options["noise"] = noises
    elif noises:
        options["noise"] = {"function": True}
    options |= {key: value for key, value in given.items() if value is not None}
    for key in ("noise", "method"):
        if isinstance(options[key], Mapping) and options[key].keys() & {"function", "object"}:
            what = "a function" if key == "noise" else f"the object {options[key]['object']}"
            raise ArgumentError(
                f"study {record['name']!r}: expected its {key}, {what} that cannot be stored, got none; pass {key}="
            )
    return options
