"""Trials and answers as JSON, in the shapes that `schemas` has."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from knowgrad.plots import looks_of
from knowgrad.space.looks.fidelity import has_curves
from knowgrad.study import Study
from knowgrad.tables import Added
from knowgrad.tables.columns import change_json, named_json
from knowgrad.trial import Front, Gain, Prediction, Recommendation, Trial
from knowgrad.views.words import Verdict
from knowgrad.web.hub import Desk
from knowgrad.web.schemas import FIELDS, STATES


def trial_json(trial: Trial) -> dict[str, Any]:
    told = {name: getattr(trial, name) for name in FIELDS} | named_json(trial)
    return told | {"params": dict(trial.params), "history": [change_json(each) for each in trial.history]}


def study_json(desk: Desk, shown: int = 100) -> dict[str, Any]:
    """What a page needs first: counts, the best, what is running, the latest failures (at most `shown` each)."""
    study, trials = desk.study, desk.study.trials
    best = study.best
    return {
        **_named(desk),
        "seed": study.seed,
        "space": study.space.outline(),
        "over": study.over,
        **goals_json(study),
        "spent": study.spent,
        "looks": looks_of(study.space, trials),
        "reports": has_curves(study.space),
        "changes": [asdict(change) for change in study.changes],
        "version": study.version,
        "counts": _counts(trials),
        "best": None if best is None else trial_json(best),
        "pending": [trial_json(trial) for trial in trials if trial.state == "pending"][:shown],
        "failed": [trial_json(trial) for trial in reversed(trials) if trial.state == "failed"][:shown],
        "now": study.now,
        "limited": desk.limited,
    }


def _named(desk: Desk) -> dict[str, Any]:
    return {"name": desk.study.name or "", "uid": desk.uid, "direction": desk.study.direction}


def _counts(trials: Sequence[Trial]) -> dict[str, int]:
    """How many trials are in each state."""
    states: list[str] = [trial.state for trial in trials]
    return {state: states.count(state) for state in STATES}


def goals_json(study: Study) -> dict[str, Any]:
    """Named outcomes and what is wanted of them; nothing of a plain study."""
    if not study.goals:
        return {}
    made = {"objectives": study.objectives, "limits": list(map(str, study.limits)), "costs": study.costs}
    return {**made, "outcomes": list(study.outcomes), "goals": str(study.goals)}


def summary_json(desk: Desk) -> dict[str, Any]:
    """What a list of studies says about one."""
    study, trials = desk.study, desk.study.trials
    times = [(trial.began, trial.ended, *(change.time for change in trial.history)) for trial in trials]
    return {
        **_named(desk),
        **({"goals": str(study.goals)} if study.goals else {}),
        "counts": _counts(trials),
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
