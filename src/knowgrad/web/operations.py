"""The operations of the HTTP API: what each takes and answers. Routes and the OpenAPI document come from this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from knowgrad.options import DIRECTIONS, FITS
from knowgrad.plots import THEMES
from knowgrad.web import api
from knowgrad.web.body import Field, Fields
from knowgrad.web.present import STATES, record, reference, several

PAGE = 500  # trials in one answer at most
BATCH = 64  # points in one answer at most
JOINT = 16  # points valued together at most


@dataclass(frozen=True)
class Operation:
    """`heavy`: it may fit a model, and waits its turn with others of its kind."""

    method: str
    path: str
    run: Callable[[api.Call], Any]
    summary: str
    answer: dict[str, Any]
    body: Fields | None = None
    query: Fields = field(default_factory=dict)
    status: int = 200
    heavy: bool = False


VALUE = Field("number", "the result", required=True, example=0.25)
SEM = Field("number", "its standard error", least=0)
LEASE = Field("number", "seconds until the points are offered to others unless renewed", least=0)
PARAMS = Field("object", "a value for each parameter", required=True, example={"x": 0.5})
COUNT = Field("integer", "how many points", least=1, most=BATCH)
Q = Field("integer", "how many more points", least=1, most=JOINT)
SPACE = {"parameters": {"x": {"type": "float", "low": 0.0, "high": 1.0}}, "constraints": ["x <= 0.9"]}
CREATE: Fields = {
    "name": Field("string", "the study's name", required=True, least=1, most=200, example="mortar"),
    "space": Field("object", "parameters and constraints", required=True, example=SPACE),
    "direction": Field("string", "minimize or maximize", options=DIRECTIONS),
    "seed": Field("integer", "the same seed and results give the same points", least=0, most=2**53),
    "noise": Field("number", 'a standard deviation, 0 for exact results, or "learned"', also=("string",)),
    "method": Field("string", "how points are chosen; qkg if left out", most=40),
    "fit": Field("string", "how hyperparameters are chosen", options=FITS),
}
SUGGEST: Fields = {
    "client_id": Field(
        "string", "who takes the points; its active trials come first", required=True, least=1, most=200
    ),
    "count": COUNT,
    "key": Field("string", "the same key gets the same answer again", least=1, most=200),
    "lease": LEASE,
}
CHART: Fields = {
    "theme": Field("string", "colors", options=THEMES),
    "x": Field("string", "of plane and surface: the parameter along"),
    "y": Field("string", "of plane and surface: the parameter up"),
    "q": Field("integer", "of batch and gain: how many points", least=1, most=JOINT),
    "checkpoints": Field("integer", "of history and gain: how many moments", least=0, most=24),
}
PAGED: Fields = {
    "after": Field("integer", "the number of the last trial of the page before", least=0),
    "limit": Field("integer", "how many trials", least=1, most=PAGE),
    "state": Field("string", "only trials in this state", options=STATES),
}
WHOLE, TEXT = {"type": "integer"}, {"type": "string"}
STORED = record(name=TEXT, uid=TEXT, events=WHOLE, created={"type": "number"})
WORDS = record(text=TEXT, trusted={"type": "boolean"}, warnings=several(TEXT))
STUDY, TRIAL = reference("Study"), reference("Trial")
MANY = record(trials=several(TRIAL), next={"type": ["integer", "null"]}, total=WHOLE)
FIGURE = {"type": "object", "required": ["data", "layout"]}
ALL = "/api/studies"
ONE, EACH = f"{ALL}/{{study}}", f"{ALL}/{{study}}/trials/{{number}}"

OPERATIONS = (
    Operation("GET", ALL, api.list_studies, "All studies", record(studies=several(STORED))),
    Operation("POST", ALL, api.create_study, "Create a study, or open one", STUDY, CREATE, status=201),
    Operation("GET", ONE, api.show_study, "A study, with what is running", STUDY),
    Operation("GET", f"{ONE}/version", api.show_version, "A number that changes with the study", record(version=WHOLE)),
    Operation("GET", f"{ONE}/trials", api.list_trials, "The trials, in pages", MANY, query=PAGED),
    Operation(
        "POST",
        f"{ONE}/suggest",
        api.suggest,
        "Points to try: the client's active ones, then new ones",
        record(trials=several(TRIAL)),
        SUGGEST,
        heavy=True,
    ),
    Operation("POST", f"{EACH}/complete", api.complete, "Tell a result", TRIAL, {"value": VALUE, "sem": SEM}),
    Operation(
        "POST",
        f"{EACH}/fail",
        api.fail,
        "Tell that a trial came to nothing",
        TRIAL,
        {"reason": Field("string", "why", required=True, most=10_000, example="spilled")},
    ),
    Operation(
        "POST", f"{EACH}/renew", api.renew, "Keep a trial longer", TRIAL, {"lease": replace(LEASE, required=True)}
    ),
    Operation("POST", f"{EACH}/stop", api.stop, "Give up waiting for a trial", TRIAL, {}),
    Operation(
        "POST",
        f"{ONE}/add",
        api.add,
        "Record a result from elsewhere",
        TRIAL,
        {"params": PARAMS, "value": VALUE, "sem": SEM},
    ),
    Operation("POST", f"{ONE}/enqueue", api.enqueue, "Have a point tried first", TRIAL, {"params": PARAMS}),
    Operation("GET", f"{ONE}/recommend", api.recommend, "What to use now", reference("Recommendation"), heavy=True),
    Operation(
        "GET",
        f"{ONE}/gain",
        api.gain,
        "Is another batch worth it?",
        reference("Gain"),
        query={"q": Q},
        heavy=True,
    ),
    Operation("GET", f"{ONE}/diagnostics", api.diagnostics, "Is the model to be trusted?", WORDS, heavy=True),
    Operation("GET", f"{ONE}/charts/{{kind}}", api.chart, "A Plotly figure", FIGURE, query=CHART, heavy=True),
)
