"""What the operations of the HTTP API do, each a function of a checked request. `operations` says what they take."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from knowgrad.plots import EVERY, figure
from knowgrad.tables.points import read_points
from knowgrad.text import shown
from knowgrad.views.words import worth
from knowgrad.web.hub import Desk, Hub
from knowgrad.web.present import (
    added_json,
    front_json,
    gain_json,
    prediction_json,
    recommendation_json,
    study_json,
    summary_json,
    trial_json,
)
from knowgrad.web.refusal import Refusal


@dataclass(frozen=True)
class Call:
    """One request, checked."""

    hub: Hub
    path: dict[str, Any]
    query: dict[str, Any]
    body: dict[str, Any]

    @property
    def desk(self) -> Desk:
        return self.hub.desk(self.path["study"])


def list_studies(call: Call) -> Any:
    return {"studies": [dataclasses.asdict(stored) for stored in call.hub.studies()]}


def create_study(call: Call) -> Any:
    options = dict(call.body)
    name, space = options.pop("name"), options.pop("space")
    if space.get("feasible"):
        raise Refusal(422, "space: expected no feasible function, got one; no code is taken over HTTP: use constraints")
    return study_json(call.hub.create(name, space, options))


def rename_study(call: Call) -> Any:
    return study_json(call.hub.rename(call.desk, call.body["name"]))


def delete_study(call: Call) -> Any:
    desk, name = call.desk, call.body["name"]
    if name != desk.study.name:
        raise Refusal(409, f"name: expected {desk.study.name!r}, to be sure that it is meant, got {shown(name)}")
    call.hub.delete(desk)
    return {"name": name, "uid": desk.uid}


def change_space(call: Call) -> Any:
    call.desk.check_model()
    options = dict(call.body)
    return dataclasses.asdict(call.desk.study.change(options.pop("parameters", {}), **options))


def show_study(call: Call) -> Any:
    return study_json(call.desk)


def summarize(call: Call) -> Any:
    return summary_json(call.desk)


def show_version(call: Call) -> Any:
    return {"version": call.desk.study.version}


def list_trials(call: Call) -> Any:
    version, changed = call.desk.news.since(call.query.get("since", -1))
    after, limit, state = call.query.get("after", -1), call.query.get("limit", 100), call.query.get("state")
    wanted = [trial for trial in changed if trial.number > after and state in (None, trial.state)]
    page = wanted[:limit]
    last = page[-1].number if len(wanted) > limit else None
    total = len(call.desk.study.trials)
    return {"trials": [trial_json(trial) for trial in page], "next": last, "total": total, "version": version}


def suggest(call: Call) -> Any:
    how = {name: call.body.get(name) for name in ("lease", "given", "shared", "measure")}
    found = call.desk.suggest(call.body.get("count", 1), call.body["client_id"], **how)
    return {"trials": [trial_json(trial) for trial in found]}


def suggested(call: Call, numbers: Sequence[int]) -> Any:
    """What was suggested before, as it is now."""
    trials = call.desk.study.trials
    return {"trials": [trial_json(trials[number]) for number in numbers]}


def complete(call: Call) -> Any:
    study, result = call.desk.study, (_number(call), call.body["value"], call.body.get("sem"))
    hint = study.doubt(*result)
    return {**trial_json(study.tell(*result, cost=call.body.get("cost"), check=False)), "hint": hint}


def report(call: Call) -> Any:
    return trial_json(call.desk.study.report(_number(call), at=call.body["at"], value=call.body["value"]))


def end_early(call: Call) -> Any:
    return trial_json(call.desk.study.stop(_number(call), cost=call.body.get("cost")))


def worth_continuing(call: Call) -> Any:
    number = _number(call)
    trial = next((trial for trial in call.desk.study.trials if trial.number == number), None)

    def answer(snapshot: Any) -> dict[str, Any]:
        told = None if trial is None or trial.state != "pending" else snapshot.continuing(trial)
        worth = {"rest": None, "other": None} if told is None else {"rest": told.rest, "other": told.other}
        return {"worth_continuing": told is None or told.is_worth_it, **worth}

    return call.desk.answer(("continuing", number), answer)


def fail(call: Call) -> Any:
    return trial_json(call.desk.study.fail(_number(call), call.body["reason"], cost=call.body.get("cost")))


def correct(call: Call) -> Any:
    return trial_json(call.desk.study.correct(_number(call), **call.body))


def discard(call: Call) -> Any:
    return trial_json(call.desk.study.discard(_number(call), **call.body))


def restore(call: Call) -> Any:
    return trial_json(call.desk.study.restore(_number(call), **call.body))


def note(call: Call) -> Any:
    return trial_json(call.desk.study.note(_number(call), **call.body))


def renew(call: Call) -> Any:
    return trial_json(call.desk.study.renew(_number(call), lease=call.body["lease"])[0])


def stop(call: Call) -> Any:
    return trial_json(call.desk.study.expire(_number(call)))


def add(call: Call) -> Any:
    call.desk.check_model()
    study, result = call.desk.study, (call.body["params"], call.body["value"], call.body.get("sem"))
    hint = study.doubt(*result)
    return {**trial_json(study.add(*result, cost=call.body.get("cost"), check=False)), "hint": hint}


def add_many(call: Call) -> Any:
    call.desk.check_model()
    options = dict(call.body)
    return added_json(call.desk.study.add_many(options.pop("rows"), **options))


def enqueue(call: Call) -> Any:
    call.desk.check_model()
    return trial_json(call.desk.study.enqueue(call.body["params"]))


def recommend(call: Call) -> Any:
    how: dict[str, Any] = {name: _table(call, name) for name in ("given", "tolerance", "weights", "at")}
    how["chance"] = call.query.get("chance")
    question = ("recommend", *(call.query.get(name) for name in how))
    return call.desk.answer(question, lambda snapshot: recommendation_json(snapshot.recommend(**how)))


def front(call: Call) -> Any:
    chance = call.query.get("chance")
    return call.desk.answer(("front", chance), lambda snapshot: front_json(snapshot.front(chance)))


def predict(call: Call) -> Any:
    text = call.query["points"]

    def answer(snapshot: Any) -> dict[str, Any]:
        space = snapshot.space
        return prediction_json(snapshot.expect(space.encode_many(read_points(_points(text), space))))

    return call.desk.answer(("predict", text), answer)


def _points(text: str) -> list[dict[str, Any]]:
    """A list of objects and nothing else: in Python a text would be the path of a file."""
    try:
        points = json.loads(text)
    except (ValueError, RecursionError):
        points = None
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise Refusal(422, f"points: expected a list of params as JSON, got {text[:40]!r}")
    return points


def gain(call: Call) -> Any:
    q, given = call.query.get("q", 1), _table(call, "given")

    def answer(snapshot: Any) -> dict[str, Any]:
        found = snapshot.gain(q, given)
        return gain_json(found, worth(snapshot, found, given))

    return call.desk.answer(("gain", q, call.query.get("given")), answer)


def plan(call: Call) -> Any:
    budget, setup, each = call.query["budget"], call.query.get("setup", 0.0), call.query.get("each", 1.0)
    given = _table(call, "given")

    def answer(snapshot: Any) -> dict[str, Any]:
        found: dict[str, Any] = snapshot.plan(budget, setup=setup, each=each, given=given).record()
        return found

    return call.desk.answer(("plan", budget, setup, each, call.query.get("given")), answer)


def _table(call: Call, name: str) -> dict[str, Any] | None:
    """Values by parameter, out of the JSON of a query; what they are is for the study to check."""
    if name not in call.query:
        return None
    try:
        found = json.loads(call.query[name])
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refusal(422, f"{name}: expected parameters by name as JSON, got {call.query[name][:40]!r}")
    return found


def diagnostics(call: Call) -> Any:
    def answer(snapshot: Any) -> dict[str, Any]:
        found = snapshot.diagnostics
        return {"text": str(found), "trusted": found.trusted, "warnings": list(found.warnings)}

    return call.desk.answer("diagnostics", answer)


def chart(call: Call) -> Any:
    kind, options = call.path["kind"], dict(call.query)
    if kind not in EVERY:
        raise Refusal(404, f"kind: expected one of {', '.join(EVERY)}, got {kind[:40]!r}")

    def draw(snapshot: Any) -> Any:
        drawn = figure(snapshot, kind, **options)
        return json.loads(drawn.to_json())

    question = (kind, *sorted(options.items()))
    plain = kind in ("parallel", "outcomes") or (kind == "history" and options.get("checkpoints") == 0)
    return call.desk.shown(question, draw) if plain else call.desk.answer(question, draw)


def _number(call: Call) -> int:
    text = call.path["number"]
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise Refusal(404, f"trial: expected its number, got {text[:40]!r}; take it from suggest or trials")
    return int(text)
