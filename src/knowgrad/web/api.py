"""What the operations do that look at studies and change them, each a function of a checked request.

`operations` says what they take; `questions` has those that ask the model.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from knowgrad.text import shown
from knowgrad.web.hub import Desk, Hub
from knowgrad.web.present import added_json, study_json, summary_json, trial_json
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
    study, result = call.desk.study, (number_of(call), call.body["value"], call.body.get("sem"))
    hint = study.doubt(*result)
    return {**trial_json(study.tell(*result, cost=call.body.get("cost"), check=False)), "hint": hint}


def report(call: Call) -> Any:
    return trial_json(call.desk.study.report(number_of(call), at=call.body["at"], value=call.body["value"]))


def end_early(call: Call) -> Any:
    return trial_json(call.desk.study.stop(number_of(call), **call.body))


def pause(call: Call) -> Any:
    return trial_json(call.desk.study.pause(number_of(call), **call.body))


def resume(call: Call) -> Any:
    return trial_json(call.desk.study.resume(number_of(call), **call.body))


def fail(call: Call) -> Any:
    return trial_json(call.desk.study.fail(number_of(call), call.body["reason"], cost=call.body.get("cost")))


def correct(call: Call) -> Any:
    return trial_json(call.desk.study.correct(number_of(call), **call.body))


def discard(call: Call) -> Any:
    return trial_json(call.desk.study.discard(number_of(call), **call.body))


def restore(call: Call) -> Any:
    return trial_json(call.desk.study.restore(number_of(call), **call.body))


def note(call: Call) -> Any:
    return trial_json(call.desk.study.note(number_of(call), **call.body))


def renew(call: Call) -> Any:
    return trial_json(call.desk.study.renew(number_of(call), lease=call.body["lease"])[0])


def stop(call: Call) -> Any:
    return trial_json(call.desk.study.expire(number_of(call)))


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


def number_of(call: Call) -> int:
    """The trial that the path names."""
    text = call.path["number"]
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise Refusal(404, f"trial: expected its number, got {text[:40]!r}; take it from suggest or trials")
    return int(text)
