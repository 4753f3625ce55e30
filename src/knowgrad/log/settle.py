"""What may become of a trial: values checked before they are written, and at most one outcome for each trial."""

import math
from collections.abc import Mapping
from typing import Any

from knowgrad.checked import price, real, spread
from knowgrad.errors import ArgumentError, ConflictError
from knowgrad.log.effects import after
from knowgrad.log.ledger import Ledger
from knowgrad.log.several import merged
from knowgrad.outcomes import Measured
from knowgrad.text import plain
from knowgrad.trial import Event, Outcome, Trial, failure, sign_of

Value = float | Mapping[str, Any]  # of a trial: a number, or named outcomes


def outcome(value: Value, sem: float | None, direction: str, cost: float | None = None) -> tuple[str, dict[str, Any]]:
    """The kind and data of the event that a value makes: told, or failed if it can only mean that all went wrong."""
    number = real(value, "value")
    sem = None if sem is None else spread(sem, "sem")
    if cost is None and math.isfinite(number):  # as most are
        return "told", {"value": number, "sem": sem}
    reason = failure(number)
    if number == -sign_of(direction) * math.inf:
        raise ArgumentError(
            f"value: expected a finite number, got {number}, which nothing could improve on when the direction is "
            f"{direction!r}; check the objective, or fail() the trial"
        )
    paid = priced(cost)
    return ("told", {"value": number, "sem": sem, **paid}) if reason is None else ("failed", {"reason": reason, **paid})


def priced(cost: float | None) -> dict[str, float]:
    """The cost as an event has it: left out where it is not known."""
    return {} if cost is None else {"cost": price(cost, "cost")}


def settled(ledger: Ledger, trial: object, kind: str, data: Mapping[str, Any]) -> list[Event]:
    """The events that give a trial its outcome: none if it has that one, ConflictError if it has another."""
    found = ledger.find(trial)
    if "outcomes" in data and found.state not in ("failed", "discarded"):
        events = merged(ledger, found, data)
        is_late = found.state == "expired" and any(event.kind == "told" for event in events)
        return [*events, *_called_off(ledger.retry(found))] if is_late else events
    event = Event(kind, {"number": found.number, **data})
    if found.state in ("queued", "pending"):
        return [event]
    if found.state == "expired" and kind != "expired":
        return [event, *_called_off(ledger.retry(found))]
    if after(found, event) == found:
        return []
    said = _named(data["outcomes"]) if "outcomes" in data else dict(data)
    raise ConflictError(
        f"trial {found.number}: expected no second outcome, got {kind} {said} after {stands(found)}; {_remedy(found)}"
    )


def stands(trial: Trial) -> str:
    """Where a trial stands, in words."""
    had = _had(trial.outcome) if trial.state == "complete" else plain(trial.reason)
    return f"{trial.state} ({had})" if trial.state in ("complete", "failed", "discarded") else trial.state


def _had(told: Outcome) -> str:
    if told.outcomes:
        return _named(told.outcomes)
    return f"value {told.value}, sem {told.sem}"


def _named(outcomes: Mapping[str, Measured]) -> str:
    return ", ".join(f"{name} {each.value} (sem {each.sem})" for name, each in outcomes.items())


def _remedy(trial: Trial) -> str:
    changes = [change for change in trial.history if change.kind != "noted"]
    if not changes:
        return (
            "the first stands: ask() or add() a new trial for another measurement; correct() it if it was recorded "
            "wrongly"
        )
    first, by = changes[0].old, f" by {changes[-1].by}" if changes[-1].by else ""
    was = _had(first) if first.state == "complete" else "failed"
    return f"it was told as {was} and then {changes[-1].kind}{by}: that stands; correct() or restore() it to change it"


def _called_off(retry: Trial | None) -> list[Event]:
    """A late result makes another try superfluous that nobody has begun."""
    return [Event("expired", {"number": retry.number})] if retry is not None and retry.state == "queued" else []
