"""The operations of the HTTP API: what each takes and answers. Routes and the OpenAPI document come from this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knowgrad.web import api, queries, questions, requests
from knowgrad.web.schemas import also, by_name, record, reference, several


@dataclass(frozen=True)
class Operation:
    """`heavy`: it may fit a model, so it is computed in another process and waits its turn with others of its kind."""

    method: str
    path: str
    run: Callable[[api.Call], Any]
    summary: str
    answer: dict[str, Any]
    body: type[requests.Request] | None = None
    query: type[requests.Request] = requests.Request
    status: int = 200
    heavy: bool = False

    @property
    def name(self) -> str:
        return self.run.__name__


WHOLE, TEXT = {"type": "integer"}, {"type": "string"}
STORED = record(name=TEXT, uid=TEXT, events=WHOLE, created={"type": "number"})
GONE = record(name=TEXT, uid=TEXT)
WORDS = record(text=TEXT, trusted={"type": "boolean"}, warnings=several(TEXT))
STUDY, TRIAL, TOLD = reference("Study"), reference("Trial"), reference("ToldTrial")
BEST = reference("Recommendation")
TRIALS = record(trials=several(TRIAL))
MANY = record(trials=several(TRIAL), next={"type": ["integer", "null"]}, total=WHOLE, version=WHOLE)
ROWS = several(record(row=WHOLE, where=TEXT, reason=TEXT))
HINTS = several(record(number=WHOLE, hint=TEXT))
ADDED = record(added=several(TRIAL), refused=ROWS, known=ROWS, ignored=several(TEXT), hints=HINTS)
NUMBERS = several({"type": "number"})
EXPECTED = also(
    record(mean=NUMBERS, sd=NUMBERS),
    outcomes=by_name(record(mean=NUMBERS, sd=NUMBERS), "the same of each named outcome"),
    chance=NUMBERS,
)
GO_ON = record(
    worth_continuing={"type": "boolean"}, rest={"type": ["number", "null"]}, other={"type": ["number", "null"]}
)
FIGURE = {"type": "object", "required": ["data", "layout"]}
ALL = "/api/studies"
ONE, EACH = f"{ALL}/{{study}}", f"{ALL}/{{study}}/trials/{{number}}"

OPERATIONS = (
    Operation("GET", ALL, api.list_studies, "All studies", record(studies=several(STORED))),
    Operation("POST", ALL, api.create_study, "Create a study, or open one", STUDY, requests.Create, status=201),
    Operation("POST", f"{ONE}/rename", api.rename_study, "Another name for a study", STUDY, requests.Rename),
    Operation("POST", f"{ONE}/delete", api.delete_study, "Delete a study for good", GONE, requests.Delete),
    Operation("POST", f"{ONE}/change", api.change_space, "Another space", reference("Changed"), requests.ChangeSpace),
    Operation("GET", ONE, api.show_study, "A study, with what is running", STUDY),
    Operation("GET", f"{ONE}/summary", api.summarize, "Trials, best and last activity", reference("Summary")),
    Operation("GET", f"{ONE}/version", api.show_version, "A number that changes with the study", record(version=WHOLE)),
    Operation("GET", f"{ONE}/trials", api.list_trials, "The trials, in pages", MANY, query=queries.Page),
    Operation(
        "POST",
        f"{ONE}/suggest",
        api.suggest,
        "Points to try: the client's active ones, then new ones",
        TRIALS,
        requests.Suggest,
        heavy=True,
    ),
    Operation("POST", f"{EACH}/complete", api.complete, "Tell a result", TOLD, requests.Complete),
    Operation("POST", f"{EACH}/report", api.report, "Tell a step of a learning curve", TRIAL, requests.Report),
    Operation("POST", f"{EACH}/end", api.end_early, "End a run at its last report", TRIAL, requests.End),
    Operation("POST", f"{EACH}/pause", api.pause, "The same, and it can be continued", TRIAL, requests.End),
    Operation("POST", f"{EACH}/resume", api.resume, "Have a run continued first", TRIAL, requests.Resume),
    Operation(
        "GET", f"{EACH}/continue", questions.worth_continuing, "Is the rest of a run worth it?", GO_ON, heavy=True
    ),
    Operation("POST", f"{EACH}/fail", api.fail, "Tell that a trial failed", TRIAL, requests.Fail),
    Operation("POST", f"{EACH}/renew", api.renew, "Keep a trial longer", TRIAL, requests.Renew),
    Operation("POST", f"{EACH}/stop", api.stop, "Give up waiting for a trial", TRIAL, requests.Request),
    Operation("POST", f"{EACH}/correct", api.correct, "Put a recorded outcome right", TRIAL, requests.Correct),
    Operation("POST", f"{EACH}/discard", api.discard, "Take a trial out of the model", TRIAL, requests.Discard),
    Operation("POST", f"{EACH}/restore", api.restore, "Take a discarded trial back", TRIAL, requests.Restore),
    Operation("POST", f"{EACH}/note", api.note, "Write something down about a trial", TRIAL, requests.Note),
    Operation("POST", f"{ONE}/add", api.add, "Record a result from elsewhere", TOLD, requests.Add),
    Operation("POST", f"{ONE}/add-many", api.add_many, "Record the rows of a table", ADDED, requests.AddMany),
    Operation("POST", f"{ONE}/enqueue", api.enqueue, "Have a point tried first", TRIAL, requests.Enqueue),
    Operation("GET", f"{ONE}/recommend", questions.recommend, "What to use now", BEST, query=queries.Use, heavy=True),
    Operation(
        "GET",
        f"{ONE}/front",
        questions.front,
        "The Pareto front of several objectives",
        reference("Front"),
        query=queries.Along,
        heavy=True,
    ),
    Operation(
        "GET", f"{ONE}/predict", questions.predict, "What the model expects", EXPECTED, query=queries.Points, heavy=True
    ),
    Operation(
        "GET",
        f"{ONE}/gain",
        questions.gain,
        "Is another batch worth it?",
        reference("Gain"),
        query=queries.Worth,
        heavy=True,
    ),
    Operation(
        "GET",
        f"{ONE}/plan",
        questions.plan,
        "How is a budget best spent?",
        reference("Plan"),
        query=queries.Budget,
        heavy=True,
    ),
    Operation("GET", f"{ONE}/diagnostics", questions.diagnostics, "Can the model be trusted?", WORDS, heavy=True),
    Operation(
        "GET", f"{ONE}/charts/{{kind}}", questions.chart, "A Plotly figure", FIGURE, query=queries.Chart, heavy=True
    ),
)
BY_NAME = {operation.name: operation for operation in OPERATIONS}
