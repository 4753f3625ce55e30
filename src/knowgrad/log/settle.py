"""What may become of a trial: values checked before they are written, and at most one outcome for each trial."""

import math
from collections.abc import Mapping
from typing import Any

from knowgrad.errors import ArgumentError, ConflictError
from knowgrad.log.ledger import Ledger, after
from knowgrad.text import plain
from knowgrad.trial import Event, Trial, real, spread


def outcome(value: float, sem: float | None, direction: str) -> tuple[str, dict[str, Any]]:
    """The kind and data of the event that a value makes: told, or failed if it can only mean that all went wrong."""
    number = real(value, "value")
    sem = None if sem is None else spread(sem, "sem")
    worst = math.inf if direction == "minimize" else -math.inf
    if math.isnan(number) or number == worst:
        return "failed", {"reason": f"the value was {number}"}
    if number == -worst:
        raise ArgumentError(
            f"value: expected a finite number, got {number}, which nothing could improve on when the direction is "
            f"{direction!r}; find out where it comes from, or fail() the trial"
        )
    return "told", {"value": number, "sem": sem}


def settled(ledger: Ledger, trial: object, kind: str, data: Mapping[str, Any]) -> list[Event]:
    """The events that give a trial its outcome: none if it has that one, ConflictError if it has another."""
    found = ledger.find(trial)
    event = Event(kind, {"number": found.number, **data})
    if found.state in ("queued", "pending"):
        return [event]
    if found.state == "expired" and kind != "expired":
        return [event, *_called_off(ledger.retry(found))]
    if after(found, event) == found:
        return []
    had = f"value {found.value}, sem {found.sem}" if found.state == "complete" else plain(found.reason)
    raise ConflictError(
        f"trial {found.number}: expected no second outcome, got {kind} {dict(data)} after {found.state} ({had}); "
        "the first stands: ask() or add() a new trial for another measurement"
    )


def _called_off(retry: Trial | None) -> list[Event]:
    """A late result makes another try superfluous that nobody has begun."""
    return [Event("expired", {"number": retry.number})] if retry is not None and retry.state == "queued" else []
