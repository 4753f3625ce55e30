"""Trials and answers as JSON, with the schemas that the OpenAPI document shows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from knowgrad.study import Study
from knowgrad.tables import Added
from knowgrad.tables.columns import change_json, named_json
from knowgrad.trial import Front, Gain, Prediction, Recommendation, State, Trial
from knowgrad.views.words import Verdict
from knowgrad.web.hub import Desk

NUMBER: dict[str, Any] = {"type": ["number", "null"]}
TEXT: dict[str, Any] = {"type": ["string", "null"]}
WHOLE: dict[str, Any] = {"type": ["integer", "null"]}
STATES: tuple[str, ...] = get_args(State)


def record(**properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def also(schema: dict[str, Any], **properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that may have these, too: what only studies with named outcomes say."""
    return {**schema, "properties": {**schema["properties"], **properties}}


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def several(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def by_name(item: dict[str, Any], of: str) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": item, "description": of}


OUTCOMES = by_name(record(value={"type": "number"}, sem=NUMBER), "named outcomes that are in")
MEASURE = {"type": ["array", "null"], "items": {"type": "string"}, "description": "outcomes asked for, if not all"}

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
        cost={**NUMBER, "description": "what it cost, if that is known"},
        curve=several(several({"type": "number"})),
        began={**NUMBER, "description": "when it was handed out, by the clock of whoever asked"},
        ended={**NUMBER, "description": "when its outcome was recorded, by the clock of whoever told it"},
        notes=several({"type": "string"}),
        history=several(reference("Change")),
    ),
    "Outcome": also(record(state={"enum": list(STATES)}, value=NUMBER, sem=NUMBER, reason=TEXT), outcomes=OUTCOMES),
    "Change": record(
        kind={"enum": ["corrected", "discarded", "restored", "noted"]},
        time={"type": "number", "description": "seconds since 1970 on the clock of the storage"},
        by=TEXT,
        reason={**TEXT, "description": "why; of a note, its text"},
        old=reference("Outcome"),
        new=reference("Outcome"),
        key=TEXT,
    ),
    "Changed": record(
        lines=several({"type": "string", "description": "what changed, in words"}),
        time={"type": "number", "description": "seconds since 1970 on the clock of the storage"},
        by=TEXT,
        reason=TEXT,
        trials={"type": "integer", "description": "how many trials there were"},
        unqueued=several({"type": "integer", "description": "a queued point that has no place any more"}),
        key=TEXT,
    ),
    "Study": record(
        name={"type": "string"},
        uid={"type": "string"},
        direction={"enum": ["minimize", "maximize"]},
        seed={"type": "integer"},
        space={"type": "object"},
        over={"type": "object", "description": "contexts to be good on average over: pairs of a value and its weight"},
        spent={"type": "number", "description": "what its own trials have cost, as far as that is known"},
        changes=several(reference("Changed")),
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
    "Recommendation": also(
        record(params={"type": "object"}, mean=NUMBER, sd=NUMBER, n_observed={"type": "integer"}),
        outcomes=by_name(record(mean=NUMBER, sd=NUMBER), "what to expect of each named outcome"),
        chance={**NUMBER, "description": "that all limits hold"},
        chances=by_name(NUMBER, "that each limit holds, by its text"),
    ),
    "Front": record(
        points=several(
            record(
                params={"type": "object"},
                outcomes=by_name(record(mean=NUMBER, sd=NUMBER), "what to expect of each outcome"),
                chance=NUMBER,
            )
        ),
        objectives=by_name({"enum": ["minimize", "maximize"]}, "directions by name"),
        hypervolume=NUMBER,
        reference=by_name(NUMBER, "the reference point, which was learned"),
        n_observed={"type": "integer"},
    ),
    "Gain": record(
        value=NUMBER,
        sem=NUMBER,
        q={"type": "integer"},
        cost={**NUMBER, "description": "what these points are expected to cost"},
        answer={"enum": ["yes", "maybe", "no"]},
        why={"type": "string"},
    ),
    "Plan": record(
        q={"type": "integer", "description": "how many points to ask for next"},
        gain={**NUMBER, "description": "what the budget is expected to buy"},
        sem=NUMBER,
        batches={"type": "integer"},
        stop={"type": "integer", "description": "after how many batches next to nothing is left to gain"},
        budget={"type": "number"},
        setup={"type": "number"},
        each={"type": "number"},
        words={"type": "string"},
        options=several(
            record(
                q={"type": "integer"},
                batches=several({"type": "integer"}),
                cost={"type": "number"},
                gain=NUMBER,
                sem=NUMBER,
                curve=several(NUMBER),
                next={**NUMBER, "description": "what the next batch alone is expected to add"},
            )
        ),
    ),
    "Error": record(error=record(type={"type": "string"}, message={"type": "string"})),
}

WORDS = {"type": "string", "description": "objectives and limits in words"}
SCHEMAS["Study"] = also(
    SCHEMAS["Study"],
    objectives=by_name({"enum": ["minimize", "maximize"]}, "named outcomes and their directions"),
    limits=several({"type": "string"}),
    costs=by_name({"type": "number"}, "what measuring an outcome costs"),
    outcomes=several({"type": "string"}),
    goals=WORDS,
)
SCHEMAS["Summary"] = also(SCHEMAS["Summary"], goals=WORDS)
FIELDS = tuple(SCHEMAS["Trial"]["properties"])
HINT = {**TEXT, "description": "why the result looks like a mistake, if it does; correct puts it right"}
SCHEMAS["ToldTrial"] = also(record(**SCHEMAS["Trial"]["properties"], hint=HINT), outcomes=OUTCOMES, measure=MEASURE)
SCHEMAS["Trial"] = also(SCHEMAS["Trial"], outcomes=OUTCOMES, measure=MEASURE)


def trial_json(trial: Trial) -> dict[str, Any]:
    told = {name: getattr(trial, name) for name in FIELDS} | named_json(trial)
    return told | {"params": dict(trial.params), "history": [change_json(each) for each in trial.history]}


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
        **goals_json(study),
        "spent": study.spent,
        "changes": [asdict(change) for change in study.changes],
        "version": study.version,
        "counts": {state: states.count(state) for state in STATES},
        "best": None if best is None else trial_json(best),
        "pending": [trial_json(trial) for trial in trials if trial.state == "pending"][:shown],
        "failed": [trial_json(trial) for trial in reversed(trials) if trial.state == "failed"][:shown],
        "now": study.now,
        "limited": desk.limited,
    }


def goals_json(study: Study) -> dict[str, Any]:
    """Named outcomes and what is wanted of them; nothing of a plain study."""
    if not study.goals:
        return {}
    made = {"objectives": study.objectives, "limits": list(map(str, study.limits)), "costs": study.costs}
    return {**made, "outcomes": list(study.outcomes), "goals": str(study.goals)}


def summary_json(desk: Desk) -> dict[str, Any]:
    """What a list of studies says about one."""
    study, trials = desk.study, desk.study.trials
    states: list[str] = [trial.state for trial in trials]
    times = [(trial.began, trial.ended, *(change.time for change in trial.history)) for trial in trials]
    return {
        "name": study.name or "",
        "uid": desk.uid,
        "direction": study.direction,
        **({"goals": str(study.goals)} if study.goals else {}),
        "counts": {state: states.count(state) for state in STATES},
        "best": None if study.best is None else study.best.value,
        "active": max((time for each in times for time in each if time is not None), default=None),
    }


def recommendation_json(found: Recommendation) -> dict[str, Any]:
    told = {"params": dict(found.params), "mean": found.mean, "sd": found.sd, "n_observed": found.n_observed}
    if not found.outcomes:
        return told
    return told | {"outcomes": moments(found.outcomes), "chance": found.chance, "chances": dict(found.chances)}


def moments(outcomes: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    return {name: {"mean": mean, "sd": sd} for name, (mean, sd) in outcomes.items()}


def prediction_json(found: Prediction) -> dict[str, Any]:
    told: dict[str, Any] = {"mean": found.mean.tolist(), "sd": found.sd.tolist()}
    if found.outcomes:
        each = {name: {"mean": part.mean.tolist(), "sd": part.sd.tolist()} for name, part in found.outcomes.items()}
        told |= {"outcomes": each, **({} if found.chance is None else {"chance": found.chance.tolist()})}
    return told


def front_json(front: Front) -> dict[str, Any]:
    points = [
        {
            "params": dict(point.params),
            "outcomes": moments({name: (mean, point.sds[name]) for name, mean in point.means.items()}),
            "chance": point.chance,
        }
        for point in front
    ]
    about = {"objectives": dict(front.objectives), "reference": dict(front.reference)}
    return {"points": points, **about, "hypervolume": front.hypervolume, "n_observed": front.n_observed}


def added_json(report: Added) -> dict[str, Any]:
    """What became of the rows of a table."""
    refused, known = ([asdict(row) for row in rows] for rows in (report.refused, report.known))
    added = [trial_json(trial) for trial in report.added]
    hints = [{"number": number, "hint": hint} for number, hint in report.doubtful.items()]
    return {"added": added, "refused": refused, "known": known, "ignored": list(report.ignored), "hints": hints}


def gain_json(gain: Gain, verdict: Verdict) -> dict[str, Any]:
    worth = {"value": gain.value, "sem": gain.sem, "q": gain.q, "cost": gain.cost}
    return {**worth, "answer": verdict.answer, "why": verdict.why}


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
