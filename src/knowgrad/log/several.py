"""Trials with several outcomes: told one by one, complete when all that were asked for are in.

An outcome that is in stays: the same again is fine, another value is a conflict. A complete trial takes outcomes that
were not measured so far. A trial of which any outcome is not finite has failed.
"""

from collections.abc import Mapping
from types import EllipsisType
from typing import Any

from knowgrad.errors import ArgumentError, ConflictError
from knowgrad.log.ledger import Ledger
from knowgrad.outcomes import Goals, Measured, Outcomes, told
from knowgrad.outcomes.told import meaning
from knowgrad.text import shown
from knowgrad.trial import Event, Trial

OPEN = ("queued", "pending", "expired")  # states in which some outcomes may be in, and others awaited


def outcomes(said: object, sem: object, goals: Goals) -> tuple[str, dict[str, Any]]:
    """The kind and data of the event that outcomes make: told, or failed if one is not finite."""
    found = told(said, sem, goals)
    reason = meaning(found, goals)
    return ("failed", {"reason": reason}) if reason else ("told", {"outcomes": found, **_value(found, goals)})


def _value(found: Mapping[str, Measured], goals: Goals) -> dict[str, Any]:
    """The value and the sem of the only objective, as far as it is in."""
    return Measured(*found.get(goals.objective or "", (None, None)))._asdict()


def merged(ledger: Ledger, found: Trial, data: Mapping[str, Any]) -> list[Event]:
    """The event that adds outcomes to those of a trial that are in; none if all are; ConflictError if one differs."""
    said: Outcomes = data["outcomes"]
    for name, each in said.items():
        if found.outcomes.get(name, each) != each:
            had = found.outcomes[name]
            raise ConflictError(
                f"trial {found.number}: {name}: expected no second outcome, got {each.value} (sem {each.sem}) after "
                f"{had.value} (sem {had.sem}); the first stands: add() another measurement, correct() it if it was "
                "recorded wrongly"
            )
    new = {name: each for name, each in said.items() if name not in found.outcomes}
    if not new:
        return []
    goals, now = Goals.recorded(ledger.created), {**found.outcomes, **new}
    is_complete = found.state == "complete" or set(found.measure or goals.names) <= now.keys()
    event = {"number": found.number, "outcomes": new, **({"cost": data["cost"]} if "cost" in data else {})}
    return [Event("told", {**event, **_value(now, goals)}) if is_complete else Event("measured", event)]


def partial(data: Mapping[str, Any], goals: Goals) -> dict[str, Any]:
    """What an added trial says that it was measured of, if not all."""
    named = tuple(data.get("outcomes", ()))
    return {} if len(named) in (0, len(goals.names)) else {"measure": list(named)}


def correction(said: object, sem: float | EllipsisType | None, goals: Goals) -> dict[str, Any]:
    """What a correction says about outcomes; those told without a standard error keep the one they had."""
    found = told(said, None if isinstance(sem, EllipsisType) else sem, goals)
    if reason := meaning(found, goals):
        return {"state": "failed", "value": None, "sem": None, "failure": reason}
    return {"state": "complete", "failure": None, "outcomes": found}


def corrected(trial: Trial, data: Mapping[str, Any], goals: Goals) -> dict[str, Any]:
    """The correction filled in with what the trial has besides."""
    if not goals or data["state"] == "failed":
        return {"sem": trial.sem, **data}
    had = trial.outcomes
    said = {name: _kept(each, had.get(name)) for name, each in data["outcomes"].items()}
    now = {name: said.get(name) or had[name] for name in goals.names if name in said or name in had}
    if trial.state in OPEN:
        if new := [name for name in said if name not in had]:
            raise ConflictError(
                f"trial {trial.number}: expected outcomes that are in to be corrected, {shown(list(had))}, got "
                f"{shown(new)}; tell() these"
            )
        return {**data, "state": trial.state, "value": None, "sem": None, "outcomes": now}
    if missing := [name for name in trial.measure or goals.names if name not in now]:
        raise ArgumentError(
            f"correct: trial {trial.number}: expected all outcomes that were asked for, got none of {shown(missing)}; "
            "give them, too"
        )
    return {**data, **_value(now, goals), "outcomes": now}


def _kept(said: Measured, had: Measured | None) -> Measured:
    return said if said.sem is not None or had is None else Measured(said.value, had.sem)


def says(data: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Did a correction with this data lead to this outcome?"""
    told = data.get("outcomes", {})
    had = new["outcomes"]
    is_same = all(name in had and _kept(each, had[name]) == had[name] for name, each in told.items())
    kept = ("outcomes", "state") if new["state"] in OPEN else ("outcomes",)
    rest = {key: value for key, value in data.items() if key not in kept}
    return is_same and rest.items() <= new.items()
