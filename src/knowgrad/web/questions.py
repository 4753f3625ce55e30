"""What the operations that ask the model do, each a function of a checked request. All are asked of a snapshot."""

from __future__ import annotations

import json
from typing import Any

from knowgrad.errors import UnknownTrialError
from knowgrad.plots import EVERY, figure
from knowgrad.tables.points import read_points
from knowgrad.views.words import worth
from knowgrad.web.api import Call, number_of
from knowgrad.web.present import front_json, gain_json, prediction_json, recommendation_json
from knowgrad.web.refusal import Refusal


def recommend(call: Call) -> Any:
    how: dict[str, Any] = {name: _table(call, name) for name in ("given", "tolerance", "weights", "at")}
    how["chance"] = call.query.get("chance")
    question = ("recommend", *(call.query.get(name) for name in how))
    return call.desk.answer(question, lambda snapshot: recommendation_json(snapshot.recommend(**how)))


def front(call: Call) -> Any:
    chance, given = call.query.get("chance"), _table(call, "given")
    question = ("front", chance, call.query.get("given"))
    return call.desk.answer(question, lambda snapshot: front_json(snapshot.front(chance, given)))


def predict(call: Call) -> Any:
    text = call.query["points"]

    def answer(snapshot: Any) -> dict[str, Any]:
        space = snapshot.space
        return prediction_json(snapshot.expect(space.encode_many(read_points(_points(text), space))))

    return call.desk.answer(("predict", text), answer)


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


def worth_continuing(call: Call) -> Any:
    number, trials = number_of(call), call.desk.study.trials
    if number >= len(trials):
        raise UnknownTrialError(
            f"expected the number of a trial of this study (there are {len(trials)}), got {number}; take it from trials"
        )
    trial = trials[number]

    def answer(snapshot: Any) -> dict[str, Any]:
        told = None if trial.state != "pending" else snapshot.continuing(trial)
        worth = {"rest": None, "other": None} if told is None else {"rest": told.rest, "other": told.other}
        return {"worth_continuing": told is None or told.is_worth_it, **worth}

    return call.desk.answer(("continuing", number), answer)


def diagnostics(call: Call) -> Any:
    def answer(snapshot: Any) -> dict[str, Any]:
        found = snapshot.diagnostics
        return {"text": str(found), "trusted": found.trusted, "warnings": list(found.warnings)}

    return call.desk.answer("diagnostics", answer)


def chart(call: Call) -> Any:
    kind, options = call.path["kind"], dict(call.query)
    question = (kind, *sorted(options.items()))
    if "given" in options:
        options["given"] = _table(call, "given")
    if kind not in EVERY:
        raise Refusal(404, f"kind: expected one of {', '.join(EVERY)}, got {kind[:40]!r}")

    def draw(snapshot: Any) -> Any:
        drawn = figure(snapshot, kind, **options)
        return json.loads(drawn.to_json())

    plain = kind in ("parallel", "outcomes") or (kind == "history" and options.get("checkpoints") == 0)
    return call.desk.shown(question, draw) if plain else call.desk.answer(question, draw)


def _points(text: str) -> list[dict[str, Any]]:
    """A list of objects and nothing else: in Python a text would be the path of a file."""
    points = _read(text)
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise Refusal(422, f"points: expected a list of params as JSON, got {text[:40]!r}")
    return points


def _table(call: Call, name: str) -> dict[str, Any] | None:
    """Values by parameter, out of the JSON of a query; what they are is for the study to check."""
    if name not in call.query:
        return None
    found = _read(call.query[name])
    if not isinstance(found, dict):
        raise Refusal(422, f"{name}: expected parameters by name as JSON, got {call.query[name][:40]!r}")
    return found


def _read(text: str) -> Any:
    """What the text says in JSON; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
