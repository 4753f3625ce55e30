"""What each kind of event makes of a trial."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from knowgrad.outcomes import NOTHING, Outcomes
from knowgrad.trial import Change, Event, Outcome, Params, Trial

CHANGES = ("corrected", "discarded", "restored", "noted")
HAPPEN = ("queued", "asked", "told", "measured", "reported", "failed", "expired", *CHANGES)
"""To one trial; a newer kind is for a newer knowgrad."""


def after(trial: Trial, event: Event) -> Trial:
    """The trial once this has happened to it."""
    data = event.data
    match event.kind:
        case "asked":
            return trial.but(**handed_out(data))
        case "told":
            told = _over(data)
            told["state"], told["value"], told["sem"] = "complete", data["value"], data["sem"]
            if "cost" in data:
                told["cost"] = data["cost"]
            if "outcomes" in data:
                told["outcomes"] = _merged(trial, data)
            if "at" in data:
                told["params"] = Params({**trial.params, **data["at"]})
                told["reason"], told["paused"] = data.get("reason"), data.get("paused", False)
            return trial.but(**told)
        case "measured":
            return trial.but(outcomes=_merged(trial, data), cost=data.get("cost", trial.cost))
        case "reported":
            return trial.but(curve=tuple(sorted({**dict(trial.curve), data["at"]: data["value"]}.items())))
        case "failed":
            said = {"reason": data["reason"], "traceback": data.get("traceback"), "cost": data.get("cost", trial.cost)}
            return trial.but(state="failed", **said, **_over(data))
        case "expired":
            return trial.but(state="expired", **_over(data))
        case "corrected" | "discarded" | "restored" | "noted":
            return _changed(trial, event)
    return trial


def handed_out(data: Mapping[str, Any]) -> dict[str, Any]:
    """What is so of a trial that somebody has."""
    get = data.get
    whose = {"worker": get("worker"), "lease": get("lease"), "deadline": get("deadline"), "began": get("time")}
    if "measure" in data:
        whose["measure"] = names_of(data["measure"])
    return {"state": "pending", "batch": data["batch"], **whose}


def names_of(measure: list[str] | None) -> tuple[str, ...] | None:
    """The outcomes that an event asks for; None: all."""
    return None if measure is None else tuple(measure)


def _merged(trial: Trial, data: Mapping[str, Any]) -> Outcomes:
    """The outcomes that were in, and those that came."""
    return Outcomes({**trial.outcomes, **Outcomes.of(data["outcomes"])})


def _over(data: Mapping[str, Any]) -> dict[str, Any]:
    """What is so of every trial that nobody has any more."""
    return {"lease": None, "deadline": None, "ended": data.get("time")}


def _changed(trial: Trial, event: Event) -> Trial:
    """The trial after a change to what was recorded, with a line more in its history."""
    data, old = event.data, trial.outcome
    match event.kind:
        case "corrected":
            told = Outcomes.of(data["outcomes"]) if "outcomes" in data else NOTHING
            new = Outcome(data["state"], data["value"], data["sem"], data["failure"], told)
        case "discarded":
            new = replace(old, state="discarded", reason=data["reason"])
        case "restored":
            new = next((change.old for change in reversed(trial.history) if change.kind == "discarded"), old)
        case _:
            new = old
    change = Change(event.kind, data["time"], data["by"], data["reason"], old, new, data["key"])
    held = new.state == old.state
    return trial.but(
        **asdict(new),
        lease=trial.lease if held else None,
        deadline=trial.deadline if held else None,
        traceback=None if new.state == "complete" else trial.traceback,
        history=(*trial.history, change),
    )
