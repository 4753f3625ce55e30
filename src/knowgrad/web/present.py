"""Trials and answers as JSON, with the schemas that the OpenAPI document shows."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import asdict
from typing import Any, get_args

from knowgrad.tables import Added
from knowgrad.trial import Gain, Recommendation, State, Trial
from knowgrad.views.words import Verdict
from knowgrad.web.hub import Desk

NUMBER: dict[str, Any] = {"type": ["number", "null"]}
TEXT: dict[str, Any] = {"type": ["string", "null"]}
WHOLE: dict[str, Any] = {"type": ["integer", "null"]}
STATES: tuple[str, ...] = get_args(State)


def record(**properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def several(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


SCHEMAS: dict[str, dict[str, Any]] = {
    "Trial": record(
        id={"type": "string"},
        number={"type": "integer", "minimum": 0},
        params={"type": "object"},
        state={"enum": list(STATES)},
        value=NUMBER,
        sem=NUMBER,
        reason=TEXT,
        source={"type": "string"},
        batch=WHOLE,
        worker=TEXT,
        retry_of=WHOLE,
        lease=NUMBER,
        deadline=NUMBER,
        traceback=TEXT,
        began={**NUMBER, "description": "when it was handed out, by the clock of whoever asked"},
        ended={**NUMBER, "description": "when its outcome was recorded, by the clock of whoever told it"},
        notes=several({"type": "string"}),
        history=several(reference("Change")),
    ),
    "Outcome": record(state={"enum": list(STATES)}, value=NUMBER, sem=NUMBER, reason=TEXT),
    "Change": record(
        kind={"enum": ["corrected", "discarded", "restored", "noted"]},
        time={"type": "number", "description": "seconds since 1970 on the clock of the storage"},
        by=TEXT,
        reason={**TEXT, "description": "why; of a note, its text"},
        old=reference("Outcome"),
        new=reference("Outcome"),
        key=TEXT,
    ),
    "Study": record(
        name={"type": "string"},
        uid={"type": "string"},
        direction={"enum": ["minimize", "maximize"]},
        seed={"type": "integer"},
        space={"type": "object"},
        over={"type": "object", "description": "contexts to be good on average over: pairs of a value and its weight"},
        version={"type": "integer"},
        counts=record(**{state: {"type": "integer"} for state in STATES}),
        best={"anyOf": [reference("Trial"), {"type": "null"}]},
        pending=several(reference("Trial")),
        failed=several(reference("Trial")),
        now={"type": "number", "description": "seconds since 1970 on the clock of the storage"},
        limited={"type": ["string", "null"], "description": "why only the trials can be shown, if so"},
    ),
    "Summary": record(
        name={"type": "string"},
        uid={"type": "string"},
        direction={"enum": ["minimize", "maximize"]},
        counts=record(**{state: {"type": "integer"} for state in STATES}),
        best={**NUMBER, "description": "the best result"},
        active={**NUMBER, "description": "when anything last happened, in seconds since 1970"},
    ),
    "Recommendation": record(params={"type": "object"}, mean=NUMBER, sd=NUMBER, n_observed={"type": "integer"}),
    "Gain": record(
        value=NUMBER, sem=NUMBER, q={"type": "integer"}, answer={"enum": ["yes", "maybe", "no"]}, why={"type": "string"}
    ),
    "Error": record(error=record(type={"type": "string"}, message={"type": "string"})),
}

SCHEMAS["ToldTrial"] = record(
    **SCHEMAS["Trial"]["properties"],
    hint={**TEXT, "description": "why the result looks like a mistake, if it does; correct puts it right"},
)


def trial_json(trial: Trial) -> dict[str, Any]:
    told = {name: getattr(trial, name) for name in SCHEMAS["Trial"]["properties"]}
    return told | {"params": dict(trial.params), "history": [dataclasses.asdict(each) for each in trial.history]}


def study_json(desk: Desk, shown: int = 100) -> dict[str, Any]:
    """What a page needs first: counts, the best, what is running, the latest failures (at most `shown` each)."""
    study, trials = desk.study, desk.study.trials
    states: list[str] = [trial.state for trial in trials]
    best = study.best
    return {
        "name": study.name or "",
        "uid": desk.uid,
        "direction": study.direction,
        "seed": study.seed,
        "space": study.space.outline(),
        "over": study.over,
        "version": study.version,
        "counts": {state: states.count(state) for state in STATES},
        "best": None if best is None else trial_json(best),
        "pending": [trial_json(trial) for trial in trials if trial.state == "pending"][:shown],
        "failed": [trial_json(trial) for trial in reversed(trials) if trial.state == "failed"][:shown],
        "now": study.now,
        "limited": desk.limited,
    }


def summary_json(desk: Desk) -> dict[str, Any]:
    """What a list of studies says about one."""
    study, trials = desk.study, desk.study.trials
    states: list[str] = [trial.state for trial in trials]
    times = [(trial.began, trial.ended, *(change.time for change in trial.history)) for trial in trials]
    return {
        "name": study.name or "",
        "uid": desk.uid,
        "direction": study.direction,
        "counts": {state: states.count(state) for state in STATES},
        "best": None if study.best is None else study.best.value,
        "active": max((time for each in times for time in each if time is not None), default=None),
    }


def recommendation_json(found: Recommendation) -> dict[str, Any]:
    return {"params": dict(found.params), "mean": found.mean, "sd": found.sd, "n_observed": found.n_observed}


def added_json(report: Added) -> dict[str, Any]:
    """What became of the rows of a table."""
    refused, known = ([asdict(row) for row in rows] for rows in (report.refused, report.known))
    added = [trial_json(trial) for trial in report.added]
    hints = [{"number": number, "hint": hint} for number, hint in report.doubtful.items()]
    return {"added": added, "refused": refused, "known": known, "ignored": list(report.ignored), "hints": hints}


def gain_json(gain: Gain, verdict: Verdict) -> dict[str, Any]:
    return {"value": gain.value, "sem": gain.sem, "q": gain.q, "answer": verdict.answer, "why": verdict.why}


def encoded(content: Any) -> bytes:
    """JSON that every reader takes: what is not finite becomes null."""
    try:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
    except ValueError:
        return json.dumps(_finite(content), allow_nan=False, separators=(",", ":")).encode()


def _finite(content: Any) -> Any:
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    return [_finite(value) for value in content] if isinstance(content, list | tuple) else content
