"""The shapes of answers as JSON schemas: what the OpenAPI document shows."""

from __future__ import annotations

from typing import Any, get_args

from knowgrad.trial import State

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
        paused={"type": "boolean", "description": "it can be continued where it stands"},
        continues={**WHOLE, "description": "the paused trial that it continues"},
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
        looks=several({"enum": ["fidelity", "curves"], "description": "figures of fidelities and reports to draw"}),
        reports={"type": "boolean", "description": "may trials report as they go?"},
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
        gain={**NUMBER, "description": "the expected gain of the budget"},
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
